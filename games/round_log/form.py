"""One line of a round log: its form is checked, and nothing but its form.

Wrong numbers of cards, sets not made of the cards dealt, a wager of 0 are not the form's business:
they are findings, and the judge's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from games.round_log.fields import (
    LARGEST_AMOUNT,
    LARGEST_RESULT,
    LARGEST_SEAT,
    Fields,
    FormError,
    cards_dealt,
    cards_set,
    cents,
    hands,
    identifier,
    instant,
    is_identifier,
    one_of,
    text,
    text_or_null,
    truth,
    whole_number,
)
from games.round_log.round import House, Round, Seat
from games.rule_set import SLUGS, rule_set
from games.strict_json import JsonError, read_json

if TYPE_CHECKING:
    from games.cards import Cards

LONGEST_LINE: Final = 1 << 20
"""Bytes of a line without its end."""

_NO_HANDS: Final[tuple[Cards, ...]] = ()
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"

_amount = cents(0, LARGEST_AMOUNT, "an amount")
_value = cents(1, LARGEST_AMOUNT, "an amount")
_result = cents(-LARGEST_RESULT, LARGEST_RESULT, "a result")
_seat = whole_number(1, LARGEST_SEAT, "a seat")
_player = identifier(64)
_version = whole_number(1, 1, "the version of this format")
_decks = whole_number(1, 100, "a number of decks")
_six_hands = hands(6)
_three_hands = hands(3)
_natural = one_of("three-straights", "three-flushes", "six-pairs", "dragon")


@dataclass(frozen=True, slots=True)
class Rejection:
    """A line that is not of the form: which field, why and what to write, and whose line it is."""

    field: str | None
    reason: str
    round: str | None = None
    table: str | None = None


def read_line(line: bytes) -> Round | Rejection:
    """Check one line, given without its line end, and read it."""
    value: Any = None
    try:
        value = _json(line)
        return _round(Fields(value, "", 1))
    except FormError as error:
        return Rejection(
            error.field, error.reason, _id(value, "round", 64), _id(value, "table", 32)
        )


def too_long() -> Rejection:
    """What is said of a line that is longer than a line may be."""
    return Rejection(None, f"the line is longer than {LONGEST_LINE:,} bytes (1 MiB)")


def _json(line: bytes) -> Any:
    if len(line) > LONGEST_LINE:
        raise FormError(None, too_long().reason)
    if not line.strip(b" \t\r"):
        raise FormError(None, "the line is empty: every line holds one round, leave it out")
    if line.startswith(_BYTE_ORDER_MARK):
        raise FormError(
            None, "the line begins with a byte-order mark (EF BB BF): save as UTF-8 without one"
        )
    try:
        decoded = line.decode("utf-8")
    except UnicodeDecodeError as error:
        where = f"byte {error.start + 1} (0x{line[error.start]:02x}) is none"
        raise FormError(None, f"the line is not UTF-8: {where}") from None
    try:
        return read_json(decoded)
    except JsonError as error:
        raise FormError(None, str(error)) from None


def _id(value: Any, key: str, longest: int) -> str | None:
    if not isinstance(value, dict) or key == getattr(value, "repeated", None):
        return None
    found = value.get(key)
    return str(found) if is_identifier(found, longest) else None


def _round(top: Fields) -> Round:
    top.need("v", _version)
    game = top.need("game", one_of(*SLUGS))
    void = top.maybe("void", text_or_null, None)
    top.void = void is not None
    rules = rule_set(game)
    seats = tuple(
        _read_seat(game, fields, tuple(rules.wagers), rules.results)
        for fields in top.items("seats")
    )
    _distinct(seats)
    read = Round(
        round=top.need("round", identifier(64)),
        game=game,
        table=top.need("table", identifier(32)),
        at=top.need("at", instant),
        since=top.option("from", instant),
        deck=top.option("deck", text),
        decks=top.option("decks", _decks),
        shuffler=top.maybe("shuffler", truth, absent=False),
        void=void,
        seats=seats,
        **_TABLE[game](top, seats),
    )
    top.close()
    return read


def _distinct(seats: tuple[Seat, ...]) -> None:
    seen: set[int] = set()
    for place, seat in enumerate(seats):
        if seat.seat in seen:
            raise FormError(
                f"seats[{place}].seat",
                f"seat {seat.seat} stands twice in this round: each hand has a number of its own",
            )
        seen.add(seat.seat)


def _in_play(key: str, number: int, seats: tuple[Seat, ...]) -> int:
    if all(seat.seat != number for seat in seats):
        raise FormError(key, f"seat {number} is none of the seats of this round")
    return number


# --- what stands beside the seats ---


def _house(top: Fields) -> Fields | None:
    return None if top.void and not top.has("house") else top.object("house")


def _pyramid_table(top: Fields, seats: tuple[Seat, ...]) -> dict[str, Any]:
    banked = top.has("banker")
    fields: dict[str, Any] = {}
    if banked:
        fields["banker"] = _in_play("banker", top.need("banker", _seat), seats)
        fields["bank"] = top.need("bank", _amount)
    else:
        top.never("bank", "without a `banker`")
    house = _house(top)
    if house is None:
        return fields
    if not banked:
        house.never("wager", "without a `banker`")
        house.never("result", "without a `banker`")
    read = House(
        cards=house.play("cards", cards_dealt, b""),
        low=house.play("low", cards_set, b""),
        wager=house.need("wager", _amount) if banked else 0,
        result=house.need("result", _result) if banked else 0,
    )
    house.close()
    return {**fields, "house": read}


def _pick_2_table(top: Fields, _seats: tuple[Seat, ...]) -> dict[str, Any]:
    house = _house(top)
    if house is None:
        return {}
    read = House(
        cards=house.play("cards", cards_dealt, b""), three=house.option("three", cards_set)
    )
    house.close()
    return {"house": read}


def _casino_table(top: Fields, seats: tuple[Seat, ...]) -> dict[str, Any]:
    house = _house(top)
    if house is None:
        return {}
    cards = house.play("cards", cards_dealt, b"")
    if all(seat.play == "fold" for seat in seats):
        sets = house.maybe("hands", _three_hands, _NO_HANDS)
    else:
        sets = house.play("hands", _three_hands, _NO_HANDS)
    house.close()
    return {"house": House(cards=cards, hands=sets)}


def _chinese_table(top: Fields, _seats: tuple[Seat, ...]) -> dict[str, Any]:
    return {
        "unit": top.need("unit", _value),
        "scoring": top.need("scoring", one_of("unit", "2-4", "1-6")),
    }


def _showdown_table(top: Fields, seats: tuple[Seat, ...]) -> dict[str, Any]:
    return {
        "chip": top.need("chip", _value),
        "dealer": _in_play("dealer", top.need("dealer", _seat), seats),
    }


_TABLE: Final = {
    "pyramid-poker": _pyramid_table,
    "chinese-poker": _chinese_table,
    "pick-2-poker": _pick_2_table,
    "showdown": _showdown_table,
    "casino-version": _casino_table,
}


# --- what a seat holds ---


def _read_seat(
    game: str, fields: Fields, wagers: tuple[str, ...], results: tuple[str, ...]
) -> Seat:
    number = fields.need("seat", _seat)
    try:
        read = Seat(
            seat=number,
            player=fields.option("player", _player),
            wagers=_amounts(fields, "wagers", wagers, _amount) if wagers else {},
            result=_amounts(fields, "result", results, _result),
            **_SEAT[game](fields),
        )
        fields.close()
    except FormError as error:
        raise FormError(error.field, f"seat {number}: {error.reason}") from None
    return read


def _amounts(fields: Fields, key: str, names: tuple[str, ...], check: Any) -> dict[str, int]:
    inner = fields.object(key)
    read = {name: inner.need(name, check) for name in names}
    inner.close()
    return read


def _pyramid_seat(fields: Fields) -> dict[str, Any]:
    return {
        "cards": fields.play("cards", cards_dealt, b""),
        "low": fields.play("low", cards_set, b""),
    }


def _pick_2_seat(fields: Fields) -> dict[str, Any]:
    play = fields.play("play", one_of("three", "five", "fold"), "")
    three = fields.play if play == "three" else fields.maybe
    return {
        "cards": fields.play("cards", cards_dealt, b""),
        "play": play or None,
        "three": three("three", cards_set, b""),
    }


def _casino_seat(fields: Fields) -> dict[str, Any]:
    play = fields.play("play", one_of("fold", "play"), "")
    sets = fields.play if play == "play" else fields.maybe
    return {
        "cards": fields.play("cards", cards_dealt, b""),
        "play": play or None,
        "hands": sets("hands", _three_hands, _NO_HANDS),
    }


def _chinese_seat(fields: Fields) -> dict[str, Any]:
    natural = fields.option("natural", _natural)
    play = fields.option("play", one_of("surrender"))
    undecided = fields.void and fields.has("cards")
    if play is not None or undecided:
        for name in ("front", "middle", "back"):
            fields.never(name, "beside `cards`")
        return {
            "cards": fields.play("cards", cards_dealt, b""),
            "play": play,
            "natural": natural,
        }
    fields.never("cards", "without a surrender (the cards are `front`, `middle` and `back`)")
    sets = tuple(fields.play(name, cards_set, b"") for name in ("front", "middle", "back"))
    return {"hands": sets, "natural": natural}


def _showdown_seat(fields: Fields) -> dict[str, Any]:
    play = fields.play("play", one_of("surrender-20", "surrender-23", "showdown", "last"), "")
    if play and play != "showdown":
        fields.never("hands", "without a showdown")
    sets = fields.play if play == "showdown" else fields.maybe
    return {
        "cards": fields.play("cards", cards_dealt, b""),
        "play": play or None,
        "hands": sets("hands", _six_hands, _NO_HANDS),
    }


_SEAT: Final = {
    "pyramid-poker": _pyramid_seat,
    "chinese-poker": _chinese_seat,
    "pick-2-poker": _pick_2_seat,
    "showdown": _showdown_seat,
    "casino-version": _casino_seat,
}
