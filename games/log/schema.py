"""The form of a round log, stated once: the fields of a line, and those of each game.

Everything else that knows a field derives it from here: the parser, its messages and the writer
(`form.py`), the columns and the compiled parser (`layout.py`), the JSON Schema and the page of the
reference (`reference.py`). Wagers and results come from the game's rules.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from games.log.field_types import (
    Cents,
    Choice,
    Day,
    DealtCards,
    FieldType,
    GameName,
    Id,
    Meters,
    Object,
    Scoring,
    SeatList,
    SeatNumber,
    SetCards,
    SetHands,
    ShortText,
    Text,
    TextList,
    TextOrNull,
    Time,
    Truth,
    Version,
    WholeNumber,
)
from games.rule_set import SLUGS, rule_set

if TYPE_CHECKING:
    from collections.abc import Iterable

LARGEST_AMOUNT: Final = 10**12
LARGEST_RESULT: Final = 10**15
LARGEST_SEAT: Final = 2**63 - 1

AMOUNT: Final = Cents("an amount", 0, LARGEST_AMOUNT)
VALUE: Final = Cents("an amount", 1, LARGEST_AMOUNT)
RESULT: Final = Cents("a result", -LARGEST_RESULT, LARGEST_RESULT)
SEAT_NUMBER: Final = SeatNumber("a seat", 1, LARGEST_SEAT)


@dataclass(frozen=True, eq=False)
class Field:
    """One field of an object. Without any option, every line has it."""

    key: str
    type: FieldType
    says: str
    """What it is, for the reference."""
    missing: str = ""
    """What it means if an optional field is missing."""
    _: KW_ONLY
    optional: bool = False
    void_may_omit: bool = False
    decides: bool = False
    """Whether it decides the case of its object: the word chosen, or the key of any other field.
    Where it is absent the case is ""."""
    case: str | None = None
    """The only case that needs it; it may appear in others unless `elsewhere` says why not."""
    elsewhere: str = ""
    unless: str | None = None
    """The case that makes it optional; a house's case may be what all seats chose."""
    names_seat: bool = False
    attribute: str = ""
    """Its name in `round.py`; the key, if none is given."""
    hand: int | None = None
    """Its place among the seat's `hands`, if it is one of them."""
    column: str = ""
    """Its column, or what its columns' names begin with; the key, if none is given."""
    first: int = 0
    """How many columns of that name are another field's."""
    is_stored: bool = True
    """Whether it has a column."""

    def __post_init__(self) -> None:
        """Fill in the names that are the key."""
        object.__setattr__(self, "attribute", self.attribute or self.key)
        object.__setattr__(self, "column", self.column or self.key)

    def is_needed(self, case: str) -> bool:
        """Return whether a round that was played has it in this case."""
        return not self.optional and self.case in (None, case) and self.unless != case

    def add_to(self, values: dict[str, Any], value: Any) -> None:
        """Add its value to the attributes of a round, a house or a seat."""
        if self.hand is None:
            values[self.attribute] = value
        else:
            values["hands"] = (*values.get("hands", ()), value)

    def of(self, thing: Any) -> Any:
        """Return its value in a round, a house or a seat; None if there is none."""
        if self.hand is None:
            return getattr(thing, self.attribute, None)
        return thing.hands[self.hand] if self.hand < len(thing.hands) else None


def _option(key: str, type_: FieldType, says: str, missing: str, **more: Any) -> Field:
    return Field(key, type_, says, missing, optional=True, **more)


LATEST: Final = 2
VERSION: Final = Field(
    "v",
    Version("the version of this format", 1, LATEST),
    "version of this format",
    is_stored=False,
)
GAME: Final = Field(
    "game", GameName(SLUGS), "game played; other fields depend on it", is_stored=False
)
VOID: Final = _option(
    "void",
    TextOrNull(),
    "why the round is void; even an empty text voids it, and every result is then 0",
    "the round was played",
    is_stored=False,
)
ROUND: Final = (
    VERSION,
    Field("round", Id(64), "id of the round, which the operator never uses again"),
    GAME,
    Field("table", Id(32), "name of the table"),
    Field("at", Time(), "when the round ended"),
    _option(
        "from",
        Time(),
        "when the first wager was taken; the legal caps of that time apply",
        "the caps as of `at` apply",
        attribute="since",
    ),
    _option(
        "deck",
        Text(),
        "your name for the deck or shoe; in Pick 2 Poker, the color of its backs",
        "which deck was used is not audited",
    ),
    _option(
        "decks",
        WholeNumber("a number of decks", 1, 100),
        "number of decks in the shoe",
        "the number that the game's rules give",
    ),
    VOID,
    _option("shuffler", Truth(), "whether a machine shuffled", "shuffled by hand"),
)
SINCE_VERSION_2: Final = (
    _option("dealer_id", Id(64), "your pseudonym for the dealer, never a name", "unknown"),
    _option("supervisor_id", Id(64), "your pseudonym for the supervisor, never a name", "unknown"),
    _option("shift", ShortText(32), "your name for the shift", "unknown"),
    _option(
        "shoe",
        Id(64),
        "one loading of cards; the rounds of a shoe share its id, in order",
        "which cards were dealt together before is not known",
    ),
    _option("video", ShortText(256), "where the recording of the round is", "unknown"),
    _option(
        "irregularities",
        TextList(64),
        "what happened, whether or not the round is void, in the words for `void`",
        "nothing happened",
    ),
    _option(
        "meters",
        Meters(0, LARGEST_AMOUNT),
        "progressive and jackpot amounts before the round, by id",
        "there are none",
    ),
)
"""Fields of a round that version 1 doesn't have. Only texts have columns, where some round has one.
"""
HOUSE: Final = Field("house", Object(), "the dealer's hand", void_may_omit=True, is_stored=False)
SEATS: Final = Field("seats", SeatList(), "seats with a hand, in dealing order", is_stored=False)

SEAT: Final = (
    Field("seat", SEAT_NUMBER, "number of the seat, once in a round"),
    _option(
        "player", Id(64), "your pseudonym for the player, never a name", "the player is unknown"
    ),
)
SEAT_SINCE_VERSION_2: Final = (
    _option("tokes", AMOUNT, "what the player gave the dealer", "unknown"),
)
WAGERS: Final = Field(
    "wagers", Object(), "what the player wagered; 0 for a wager not placed", is_stored=False
)
RESULTS: Final = Field(
    "result",
    Object(),
    "what the seat won (positive) or lost (negative); a returned wager is 0",
    is_stored=False,
)


RECORD_KEY: Final = "record"
_OF_RECORD: Final = (
    Field("v", WholeNumber("the version of a record", LATEST, LATEST), "version of this format"),
)
_TABLE: Final = Field("table", Id(32), "name of the table")
FUND_RECORD: Final = "jackpot_fund"
PLAYER_SUPPORTED: Final = "player_supported"
PROGRESSIVE: Final = "progressive"
FUND_KINDS: Final = (PLAYER_SUPPORTED, PROGRESSIVE)
RECORDS: Final = {
    "table_cash": (
        *_OF_RECORD,
        Field(RECORD_KEY, Choice(("table_cash",)), "what the line records"),
        _TABLE,
        Field("from", Time(), "when the span of time began", attribute="begin"),
        Field("to", Time(), "when it ended, later than `from`", attribute="end"),
        Field("opener", AMOUNT, "the table's chips when the span began"),
        Field("fills", AMOUNT, "chips brought to the table"),
        Field("credits", AMOUNT, "chips taken from the table"),
        Field("closer", AMOUNT, "the table's chips when the span ended"),
        Field("drop", AMOUNT, "what the drop box contained"),
    ),
    "table_closed": (
        *_OF_RECORD,
        Field(RECORD_KEY, Choice(("table_closed",)), "what the line records"),
        _TABLE,
        Field("day", Day(), "the gambling day without rounds"),
        Field("reason", ShortText(256), "why nothing was dealt"),
    ),
    FUND_RECORD: (
        *_OF_RECORD,
        Field(RECORD_KEY, Choice((FUND_RECORD,)), "what the line records"),
        Field("fund", Id(32), "name of the fund; a progressive's is the id of its meter"),
        Field("game", Id(64), "short name of the game whose rounds fill it"),
        Field("kind", Choice(FUND_KINDS), "who fills it"),
        Field("day", Day(), "the gambling day"),
        Field("before", AMOUNT, "the balance when the day began"),
        Field("contributions", AMOUNT, "what went into the fund, before any fee"),
        Field("payouts", AMOUNT, "prizes paid from it"),
        Field("fee", AMOUNT, "the administrative fee taken of these contributions"),
        Field("after", AMOUNT, "the balance when the day ended"),
    ),
}
"""Lines that are no rounds, by what they record. They need version 2."""


@dataclass(frozen=True, kw_only=True)
class GameFields:
    """What one game adds to a round, its house and its seats."""

    round: tuple[Field, ...] = ()
    house: tuple[Field, ...] = ()
    seat: tuple[Field, ...]


def _hand(key: str, type_: FieldType, says: str, missing: str = "", **more: Any) -> Field:
    return Field(key, type_, says, missing, void_may_omit=True, **more)


def _play(*words: str, says: str = "what the player chose", **more: Any) -> Field:
    return _hand("play", Choice(words), says, decides=True, **more)


def _banked(key: str, type_: FieldType, says: str, column: str) -> Field:
    return Field(key, type_, says, case="banker", elsewhere="without a `banker`", column=column)


def _chinese_hand(place: int, key: str, count: int, first: int) -> Field:
    return _hand(
        key,
        SetCards(count, count),
        f"the {key} hand, {count} cards",
        case="",
        elsewhere="with `cards`",
        hand=place,
        column="card",
        first=first,
    )


V1_SCORINGS: Final = ("unit", "2-4", "1-6")
"""The scorings of version 1 lines."""

_PYRAMID: Final = GameFields(
    round=(
        _option(
            "banker",
            SEAT_NUMBER,
            "seat of the player who banks; its `wagers.main` is 0 and its `result.main` is what"
            " the bank won or lost",
            "the house banks",
            decides=True,
            names_seat=True,
        ),
        _banked("bank", AMOUNT, "the bank", "bank"),
    ),
    house=(
        _hand("cards", DealtCards(3, 3), "the dealer's 3 cards", column="house"),
        _hand("low", SetCards(1, 1), "the low hand as finally set, 1 card", column="house_low"),
        _banked("wager", AMOUNT, "the house's own wager against the bank", "house_wager"),
        _banked("result", RESULT, "what the house won from the bank", "house_result"),
    ),
    seat=(
        _hand("cards", DealtCards(3, 3), "3 cards", column="card"),
        _hand("low", SetCards(1, 1), "the low hand as finally set, 1 card"),
    ),
)
_CHINESE: Final = GameFields(
    round=(
        Field("unit", VALUE, "what one unit is worth"),
        Field("scoring", Scoring(V1_SCORINGS), "how the hands are scored"),
    ),
    seat=(
        _option(
            "natural",
            Choice(("three-straights", "three-flushes", "six-pairs", "dragon")),
            "the natural that was declared",
            "none was declared; the hands count as set",
            case="",
        ),
        _play("surrender", optional=True, missing="the hands were set"),
        _hand(
            "cards",
            DealtCards(13, 13),
            "13 cards",
            case="surrender",
            elsewhere="without a surrender (the cards are `front`, `middle` and `back`)",
            column="card",
        ),
        _chinese_hand(0, "front", 3, 0),
        _chinese_hand(1, "middle", 5, 3),
        _chinese_hand(2, "back", 5, 8),
    ),
)
_PICK_2: Final = GameFields(
    house=(
        _hand("cards", DealtCards(5, 5), "the dealer's 5 cards", column="house"),
        _hand(
            "three",
            SetCards(3, 3),
            "the 3 cards shown as the best",
            "they were not shown",
            optional=True,
            column="house_three",
        ),
    ),
    seat=(
        _play("three", "five", "fold"),
        _hand("cards", DealtCards(5, 5), "5 cards", column="card"),
        _hand("three", SetCards(3, 3), "the 3 cards set in play", case="three"),
    ),
)
_SHOWDOWN: Final = GameFields(
    round=(
        Field("chip", VALUE, "what one chip is worth"),
        Field("dealer", SEAT_NUMBER, "seat of the dealer", names_seat=True),
    ),
    seat=(
        _play(
            "surrender-20",
            "surrender-23",
            "showdown",
            "last",
            says="what the player chose; `last` is the only player left",
        ),
        _hand("cards", DealtCards(20, 25, jokers=True), "20, 23 or 25 cards", column="card"),
        _hand(
            "hands",
            SetHands(6, 25),
            "the 6 hands, hand 1 first",
            case="showdown",
            elsewhere="without a showdown",
            column="set",
        ),
    ),
)
_CASINO: Final = GameFields(
    house=(
        _hand("cards", DealtCards(9, 9, jokers=True), "the dealer's 9 cards", column="house"),
        _hand(
            "hands",
            SetHands(3, 9, (1, 3, 5)),
            "the dealer's 3 hands, hand 1 first",
            unless="fold",
            column="house_set",
        ),
    ),
    seat=(
        _play("fold", "play"),
        _hand(
            "cards", DealtCards(7, 9, jokers=True), "9 cards; 7 after a fold", column="card"
        ),
        _hand(
            "hands", SetHands(3, 9, (1, 3, 5)), "the 3 hands, hand 1 first", case="play",
            column="set",
        ),
    ),
)  # fmt: skip
_RESULTS: Final = {
    "total": "the total against all other players",
    "showdown": "the net of the individual showdowns",
    "surrender": "the surrender payments made or received",
    "pot": "the pot won, less what this player put into it",
    "points": "the points won or lost",
}
"""What results are that belong to no wager."""
_GAMES: Final = {
    "pyramid-poker": _PYRAMID,
    "chinese-poker": _CHINESE,
    "pick-2-poker": _PICK_2,
    "showdown": _SHOWDOWN,
    "casino-version": _CASINO,
}


def cases_of(fields: Iterable[Field]) -> tuple[str, ...]:
    """Return the cases that a field among these decides, besides ""."""
    for field in fields:
        if field.decides:
            return field.type.words if isinstance(field.type, Choice) else (field.key,)
    return ()


@dataclass(frozen=True, kw_only=True)
class Form(GameFields):
    """The form of one game's lines, completed by its rules."""

    wagers: tuple[Field, ...]
    results: tuple[Field, ...]


@cache
def form_of(game: str) -> Form:
    """Return the form of a game's lines; of a filed game, only what every game's lines have."""
    if game not in _GAMES:
        return Form(seat=(), wagers=(), results=())
    own, rules = _GAMES[game], rule_set(game)
    return Form(
        round=own.round,
        house=own.house,
        seat=own.seat,
        wagers=tuple(
            Field(key, AMOUNT, wager.says, column=f"wager_{key}")
            for key, wager in rules.wagers.items()
        ),
        results=tuple(
            Field(key, RESULT, _RESULTS.get(key, f"result of `{key}`"), column=f"result_{key}")
            for key in rules.results
        ),
    )
