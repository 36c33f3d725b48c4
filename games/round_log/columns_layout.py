"""Which columns a game's rounds fill: one row per round, one row per seat, every column flat.

A round is *regular* when it fits these columns without loss: the numbers of cards that the game
deals, no joker where the game has none, not void, no field of its own (`x_...`). Every other round
keeps the text of its line instead; the law of the game is judged elsewhere.
"""

from dataclasses import dataclass
from enum import IntEnum

MOST_CENTS = 10**12
MOST_RESULT = 10**15
MOST_SEATS = 63


class Kind(IntEnum):
    """How a value is spelled, and so which columns take it."""

    INTEGER = 0
    IDENTIFIER = 1
    TEXT = 2
    TIME = 3
    CARDS = 4
    HANDS = 5
    CHOICE = 6
    TRUTH = 7
    NOTHING = 8
    OBJECT = 9
    SEATS = 10
    GAME = 11


class Part(IntEnum):
    """The objects of a line, outermost first."""

    ROUND = 0
    HOUSE = 1
    SEAT = 2
    WAGERS = 3
    RESULT = 4


@dataclass(frozen=True, slots=True)
class Field:
    """One key of one object: `least` and `most` bound the number, the length or the cards."""

    key: str
    kind: Kind
    column: str = ""
    least: int = 0
    most: int = 0
    optional: bool = False
    only: str = ""
    """What the key stands with alone: a choice of `play` (`set`: no `play`), or `banked`."""
    choices: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    jokers: bool = False
    first: int = 0
    """The card of its column family that the field begins with."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A game's lines."""

    game: str
    parts: dict[Part, tuple[Field, ...]]

    def field(self, part: Part, key: str) -> Field | None:
        """The field of a key, if the game has it there."""
        return next((field for field in self.parts.get(part, ()) if field.key == key), None)


def _amount(key: str, column: str, **more: object) -> Field:
    return Field(key, Kind.INTEGER, column, 0, MOST_CENTS, **more)  # type: ignore[arg-type]


def _wagers(*keys: str) -> tuple[Field, ...]:
    return tuple(_amount(key, f"wager_{key}") for key in keys)


def _results(*keys: str) -> tuple[Field, ...]:
    return tuple(
        Field(key, Kind.INTEGER, f"result_{key}", -MOST_RESULT, MOST_RESULT) for key in keys
    )


def _cards(key: str, column: str, least: int, most: int, **more: object) -> Field:
    return Field(key, Kind.CARDS, column, least, most, **more)  # type: ignore[arg-type]


_ROUND = (
    Field("v", Kind.INTEGER, "", 1, 1),
    Field("round", Kind.IDENTIFIER, "round", 1, 64),
    Field("game", Kind.GAME),
    Field("table", Kind.IDENTIFIER, "table", 1, 32),
    Field("at", Kind.TIME, "at"),
    Field("from", Kind.TIME, "from", optional=True),
    Field("deck", Kind.TEXT, "deck", optional=True),
    Field("decks", Kind.INTEGER, "decks", 1, 100, optional=True),
    Field("shuffler", Kind.TRUTH, "shuffler", optional=True),
    Field("void", Kind.NOTHING, optional=True),
    Field("seats", Kind.SEATS),
)
_HOUSE = Field("house", Kind.OBJECT, least=Part.HOUSE)
_SEAT = (
    Field("seat", Kind.INTEGER, "seat", 1, MOST_SEATS),
    Field("player", Kind.IDENTIFIER, "player", 1, 64, optional=True),
)
_WAGERS = Field("wagers", Kind.OBJECT, least=Part.WAGERS)
_RESULT = Field("result", Kind.OBJECT, least=Part.RESULT)

_PYRAMID_KEYS = ("main", "three_card", "six_card")
_PICK_2_KEYS = ("ante", "bonus_3_5", "bonus_5", "play")

LAYOUTS: dict[str, Layout] = {
    layout.game: layout
    for layout in (
        Layout(
            "pyramid-poker",
            {
                Part.ROUND: (
                    *_ROUND,
                    _HOUSE,
                    Field("banker", Kind.INTEGER, "banker", 1, MOST_SEATS, only="banked"),
                    _amount("bank", "bank", only="banked"),
                ),
                Part.HOUSE: (
                    _cards("cards", "house", 3, 3),
                    _cards("low", "house_low", 1, 1),
                    _amount("wager", "house_wager", only="banked"),
                    Field(
                        "result",
                        Kind.INTEGER,
                        "house_result",
                        -MOST_RESULT,
                        MOST_RESULT,
                        only="banked",
                    ),
                ),
                Part.SEAT: (
                    *_SEAT,
                    _cards("cards", "card", 3, 3),
                    _cards("low", "low", 1, 1),
                    _WAGERS,
                    _RESULT,
                ),
                Part.WAGERS: _wagers(*_PYRAMID_KEYS),
                Part.RESULT: _results(*_PYRAMID_KEYS),
            },
        ),
        Layout(
            "chinese-poker",
            {
                Part.ROUND: (
                    *_ROUND,
                    Field("unit", Kind.INTEGER, "unit", 1, MOST_CENTS),
                    Field("scoring", Kind.CHOICE, "scoring", choices=("unit", "2-4", "1-6")),
                ),
                Part.SEAT: (
                    *_SEAT,
                    _cards("front", "card", 3, 3, only="set", first=0),
                    _cards("middle", "card", 5, 5, only="set", first=3),
                    _cards("back", "card", 5, 5, only="set", first=8),
                    Field(
                        "natural",
                        Kind.CHOICE,
                        "natural",
                        choices=("three-straights", "three-flushes", "six-pairs", "dragon"),
                        optional=True,
                        only="set",
                    ),
                    _cards("cards", "card", 13, 13, only="surrender"),
                    Field("play", Kind.CHOICE, "play", choices=("surrender",), only="surrender"),
                    _RESULT,
                ),
                Part.RESULT: _results("total"),
            },
        ),
        Layout(
            "pick-2-poker",
            {
                Part.ROUND: (*_ROUND, _HOUSE),
                Part.HOUSE: (
                    _cards("cards", "house", 5, 5),
                    _cards("three", "house_three", 3, 3, optional=True),
                ),
                Part.SEAT: (
                    *_SEAT,
                    _cards("cards", "card", 5, 5),
                    Field("play", Kind.CHOICE, "play", choices=("three", "five", "fold")),
                    _cards("three", "three", 3, 3, only="three"),
                    _WAGERS,
                    _RESULT,
                ),
                Part.WAGERS: _wagers(*_PICK_2_KEYS),
                Part.RESULT: _results(*_PICK_2_KEYS),
            },
        ),
        Layout(
            "showdown",
            {
                Part.ROUND: (
                    *_ROUND,
                    Field("chip", Kind.INTEGER, "chip", 1, MOST_CENTS),
                    Field("dealer", Kind.INTEGER, "dealer", 1, MOST_SEATS),
                ),
                Part.SEAT: (
                    *_SEAT,
                    _cards("cards", "card", 20, 25, jokers=True),
                    Field(
                        "play",
                        Kind.CHOICE,
                        "play",
                        choices=("surrender-20", "surrender-23", "showdown", "last"),
                    ),
                    Field("hands", Kind.HANDS, "set", 6, 25, only="showdown"),
                    _RESULT,
                ),
                Part.RESULT: _results("showdown", "surrender", "pot"),
            },
        ),
        Layout(
            "casino-version",
            {
                Part.ROUND: (*_ROUND, _HOUSE),
                Part.HOUSE: (
                    _cards("cards", "house", 9, 9, jokers=True),
                    Field("hands", Kind.HANDS, "house_set", 3, 9, sizes=(1, 3, 5)),
                ),
                Part.SEAT: (
                    *_SEAT,
                    _cards("cards", "card", 7, 9, jokers=True),
                    Field("play", Kind.CHOICE, "play", choices=("fold", "play")),
                    Field("hands", Kind.HANDS, "set", 3, 9, only="play", sizes=(1, 3, 5)),
                    _WAGERS,
                    _RESULT,
                ),
                Part.WAGERS: _wagers("ante", "buy_in"),
                Part.RESULT: _results("points", "ante", "buy_in"),
            },
        ),
    )
}
