"""The fields of a round, game by game: names, types, ranges, spelling."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .cards import SpellingError, as_set, dealt
from .setup import NATURALS, SCORINGS

if TYPE_CHECKING:
    from .findings import Round

IDENTIFIER = re.compile(r"[A-Za-z0-9_.:-]+", re.ASCII)
MOST_MONEY = 10**12
MOST_RESULT = 10**15

Check = Callable[[Any, str], None]


class FormError(ValueError):
    """A line with an invalid form, with the field where it is invalid."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


def identifier(longest: int) -> Check:
    def check(value: Any, field: str) -> None:
        if not isinstance(value, str) or len(value) > longest or not IDENTIFIER.fullmatch(value):
            raise FormError(field, f"1 to {longest} of A-Z a-z 0-9 - _ . : are wanted")

    return check


def whole(least: int, most: int | None = None) -> Check:
    def check(value: Any, field: str) -> None:
        if type(value) is not int or value < least or (most is not None and value > most):
            raise FormError(field, f"a whole number from {least} to {most} is wanted")

    return check


def text(value: Any, field: str) -> None:
    if not isinstance(value, str):
        raise FormError(field, "a string is wanted")


def text_or_null(value: Any, field: str) -> None:
    if value is not None:
        text(value, field)


def boolean(value: Any, field: str) -> None:
    if not isinstance(value, bool):
        raise FormError(field, "true or false is wanted")


def one_of(*known: str) -> Check:
    def check(value: Any, field: str) -> None:
        if not isinstance(value, str) or value not in known:
            raise FormError(field, f"one of {', '.join(known)} is wanted")

    return check


def dealt_cards(value: Any, field: str) -> None:
    text(value, field)
    try:
        dealt(value)
    except SpellingError as bad:
        raise FormError(field, str(bad)) from bad


def set_hand(value: Any, field: str) -> None:
    text(value, field)
    try:
        as_set(value)
    except SpellingError as bad:
        raise FormError(field, str(bad)) from bad


def set_hands(how_many: int) -> Check:
    def check(value: Any, field: str) -> None:
        if not isinstance(value, list) or len(value) != how_many:
            raise FormError(field, f"a list of {how_many} hands is wanted")
        for place, hand in enumerate(value):
            set_hand(hand, f"{field}[{place}]")

    return check


def fields(
    given: Any, where: str, wanted: dict[str, Check], optional: dict[str, Check] | None = None
) -> None:
    """Check for all wanted fields, any optional ones, and no others except those with `x_`."""
    if not isinstance(given, dict):
        raise FormError(where, "an object is wanted")
    known = {**(optional or {}), **wanted}
    for name, value in given.items():
        if name in known:
            known[name](value, f"{where}.{name}" if where else name)
        elif not name.startswith("x_"):
            raise FormError(f"{where}.{name}" if where else name, "unknown here")
    for name in wanted:
        if name not in given:
            raise FormError(f"{where}.{name}" if where else name, "missing")


def amounts(*names: str) -> Check:
    return lambda value, field: fields(value, field, dict.fromkeys(names, whole(0, MOST_MONEY)))


def results(*names: str) -> Check:
    return lambda value, field: fields(
        value, field, dict.fromkeys(names, whole(-MOST_RESULT, MOST_RESULT))
    )


def anything(value: Any, field: str) -> None:
    """Accept anything; the value is checked elsewhere."""


def words(longest: int) -> Check:
    def check(value: Any, field: str) -> None:
        text(value, field)
        if not 1 <= len(value) <= longest:
            raise FormError(field, f"1 to {longest} characters are wanted")

    return check


def list_of(each: Check) -> Check:
    def check(value: Any, field: str) -> None:
        if not isinstance(value, list):
            raise FormError(field, "a list is wanted")
        for place, item in enumerate(value):
            each(item, f"{field}[{place}]")

    return check


def meters(value: Any, field: str) -> None:
    if not isinstance(value, dict):
        raise FormError(field, "an object is wanted")
    for name, amount in value.items():
        identifier(64)(name, f"{field}.{name}")
        whole(0, MOST_MONEY)(amount, f"{field}.{name}")


EVERY_ROUND: dict[str, Check] = {
    "v": whole(1, 2),
    "round": identifier(64),
    "game": one_of("pyramid-poker", "chinese-poker", "pick-2-poker", "showdown", "casino-version"),
    "table": identifier(32),
    "at": anything,
    "seats": anything,
}
PERHAPS: dict[str, Check] = {
    "from": anything,
    "deck": text,
    "decks": whole(1, 100),
    "shuffler": boolean,
    "void": text_or_null,
}
FROM_VERSION_2: dict[str, Check] = {
    "dealer_id": identifier(64),
    "supervisor_id": identifier(64),
    "shift": words(32),
    "shoe": identifier(64),
    "video": words(256),
    "irregularities": list_of(words(64)),
    "meters": meters,
}
SEATS_FROM_VERSION_2: dict[str, Check] = {"tokes": whole(0, MOST_MONEY)}
EVERY_SEAT: dict[str, Check] = {"seat": whole(1)}
PERHAPS_SEAT: dict[str, Check] = {"player": identifier(64)}


def check_round(given: Round) -> None:
    EVERY_ROUND["game"](given.get("game"), "game")
    seats = given.get("seats")
    if not isinstance(seats, list) or not seats:
        raise FormError("seats", "a list of seats, one at least, is wanted")
    if not all(isinstance(seat, dict) for seat in seats):
        raise FormError("seats", "each seat is an object")
    text_or_null(given.get("void"), "void")
    played = given.get("void") is None
    GAMES[given["game"]](given, played)
    numbers = [seat["seat"] for seat in seats]
    if len(set(numbers)) != len(numbers):
        raise FormError("seats", "a seat number is given twice")
    for role in ("banker", "dealer"):
        if role in given and given[role] not in numbers:
            raise FormError(role, "no seat of this round")


def check(
    given: Round,
    played: bool,
    top: dict[str, Check],
    top_if_played: dict[str, Check],
) -> None:
    """Check the round's own fields; a void round may omit those of `top_if_played`."""
    wanted = {**EVERY_ROUND, **top}
    perhaps = dict(PERHAPS)
    if given.get("v") == 2:
        perhaps |= FROM_VERSION_2
    (wanted if played else perhaps).update(top_if_played)
    fields(given, "", wanted, perhaps)


def check_seats(
    given: Round,
    played: bool,
    stays: dict[str, Check],
    if_played: Callable[[Any], dict[str, Check]],
) -> None:
    """Check each seat's fields; `if_played` returns the others, depending on what was played."""
    for place, seat in enumerate(given["seats"]):
        wanted = {**EVERY_SEAT, **stays}
        perhaps = dict(PERHAPS_SEAT)
        if given.get("v") == 2:
            perhaps |= SEATS_FROM_VERSION_2
        (wanted if played else perhaps).update(if_played(seat))
        if "natural" in stays:
            perhaps["natural"] = wanted.pop("natural")
        if given["game"] == "pick-2-poker":
            perhaps["three"] = set_hand
        if given["game"] == "casino-version":
            perhaps["hands"] = set_hands(3)
        fields(seat, f"seats[{place}]", wanted, perhaps)


def pyramid(given: Round, played: bool) -> None:
    banked = "banker" in given
    money: dict[str, Check] = {}
    of_house: dict[str, Check] = {}
    if banked:
        money = {"banker": whole(1), "bank": whole(0, MOST_MONEY)}
        of_house = {"wager": whole(0, MOST_MONEY), "result": whole(-MOST_RESULT, MOST_RESULT)}
    check(
        given,
        played,
        money,
        {"house": house(played, of_house, {"cards": dealt_cards, "low": set_hand})},
    )
    three = ("main", "three_card", "six_card")
    stays = {"wagers": amounts(*three), "result": results(*three)}
    check_seats(given, played, stays, lambda seat: {"cards": dealt_cards, "low": set_hand})


def house(
    played: bool,
    stays: dict[str, Check],
    shown: dict[str, Check],
    perhaps: dict[str, Check] | None = None,
) -> Check:
    """Return a check for the house's object; a void round may omit what it shows."""
    wanted = {**stays, **shown} if played else stays
    optional = {**(perhaps or {}), **({} if played else shown)}
    return lambda value, field: fields(value, field, wanted, optional)


def chinese(given: Round, played: bool) -> None:
    check(given, played, {"unit": whole(1, MOST_MONEY), "scoring": one_of(*SCORINGS)}, {})

    def shown(seat: Any) -> dict[str, Check]:
        if "play" in seat or (not played and "cards" in seat):
            return {"cards": dealt_cards, "play": one_of("surrender")}
        return {"front": set_hand, "middle": set_hand, "back": set_hand}

    stays = {"natural": one_of(*NATURALS), "result": results("total")}
    check_seats(given, played, stays, shown)


def pick_2(given: Round, played: bool) -> None:
    check(
        given, played, {}, {"house": house(played, {}, {"cards": dealt_cards}, {"three": set_hand})}
    )
    four = ("ante", "bonus_3_5", "bonus_5", "play")

    def shown(seat: Any) -> dict[str, Check]:
        wanted: dict[str, Check] = {"cards": dealt_cards, "play": one_of("three", "five", "fold")}
        if seat.get("play") == "three":
            wanted["three"] = set_hand
        return wanted

    check_seats(given, played, {"wagers": amounts(*four), "result": results(*four)}, shown)


def showdown(given: Round, played: bool) -> None:
    check(given, played, {"chip": whole(1, MOST_MONEY), "dealer": whole(1)}, {})

    def shown(seat: Any) -> dict[str, Check]:
        wanted: dict[str, Check] = {
            "cards": dealt_cards,
            "play": one_of("surrender-20", "surrender-23", "showdown", "last"),
        }
        if seat.get("play") == "showdown" or not played:
            wanted["hands"] = set_hands(6)
        return wanted

    check_seats(given, played, {"result": results("showdown", "surrender", "pot")}, shown)


def casino(given: Round, played: bool) -> None:
    folded = all(seat.get("play") == "fold" for seat in given["seats"])
    hands: dict[str, Check] = {"hands": set_hands(3)}
    shown: dict[str, Check] = {"cards": dealt_cards, **({} if folded else hands)}
    check(given, played, {}, {"house": house(played, {}, shown, hands if folded else None)})

    def of_seat(seat: Any) -> dict[str, Check]:
        shown: dict[str, Check] = {"cards": dealt_cards, "play": one_of("fold", "play")}
        return shown if seat.get("play") == "fold" else {**shown, **hands}

    stays = {"wagers": amounts("ante", "buy_in"), "result": results("points", "ante", "buy_in")}
    check_seats(given, played, stays, of_seat)


GAMES: dict[str, Callable[[Round, bool], None]] = {
    "pyramid-poker": pyramid,
    "chinese-poker": chinese,
    "pick-2-poker": pick_2,
    "showdown": showdown,
    "casino-version": casino,
}
