"""A round written as a line of a log again: read, it is the same round.

What was written here needs no second check of its form: of void rounds, which are many and fit no
columns, that is three quarters of the time.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import orjson

from games.cards import as_set, dealt, show
from games.round_log.form import read_line
from games.round_log.round import House, Round, Seat

if TYPE_CHECKING:
    from games.cards import Cards
    from games.round_log.form import Rejection

_MICROSECOND = timedelta(microseconds=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FARTHEST = (24 * 60 - 1) * 60_000_000
"""No zone is farther from UTC, in microseconds."""


def line_of(played: Round) -> bytes:
    """The round in the contract's form, without a line end; times in UTC, own fields left out."""
    line: dict[str, Any] = {
        "v": 1,
        "round": played.round,
        "game": played.game,
        "table": played.table,
        "at": _time(played.at),
    }
    if played.since is not None:
        line["from"] = _time(played.since)
    line |= _given(played, ("deck", "decks", "void"))
    if played.shuffler:
        line["shuffler"] = True
    if played.game in {"pyramid-poker", "pick-2-poker", "casino-version"}:
        line["house"] = _house(played.game, played.house, banked=played.banker is not None)
    if played.banker is not None:
        line |= {"banker": played.banker, "bank": played.bank}
    if played.game == "chinese-poker":
        line |= {"unit": played.unit, "scoring": played.scoring}
    if played.game == "showdown":
        line |= {"chip": played.chip, "dealer": played.dealer}
    line["seats"] = [_seat(played.game, seat) for seat in played.seats]
    return orjson.dumps(line)


def read_written(line: bytes) -> Round | Rejection:
    """The round of a line that `line_of` wrote."""
    if _VOID not in line:
        return read_line(line)
    told = orjson.loads(line)
    house = told.get("house", {})
    three = house.get("three")
    return Round(
        **{key: told[key] for key in _AS_TOLD if key in told},
        at=_instant(told["at"]),
        since=_instant(told["from"]) if "from" in told else None,
        house=House(
            cards=dealt(house.get("cards", "")),
            low=as_set(house.get("low", "")),
            three=None if three is None else as_set(three),
            hands=tuple(map(as_set, house.get("hands", ()))),
            wager=house.get("wager", 0),
            result=house.get("result", 0),
        ),
        seats=tuple(map(_seat_told, told["seats"])),
    )


_VOID = b',"void":"'
"""Stands in lines of void rounds alone: a quotation mark within a text is written otherwise."""
_AS_TOLD = (
    "round", "game", "table", "deck", "decks", "shuffler", "void", "banker", "bank", "unit",
    "scoring", "chip", "dealer",
)  # fmt: skip


def _seat_told(told: dict[str, Any]) -> Seat:
    return Seat(
        seat=told["seat"],
        player=told.get("player"),
        cards=dealt(told.get("cards", "")),
        play=told.get("play"),
        low=as_set(told.get("low", "")),
        three=as_set(told.get("three", "")),
        hands=_sets_told(told),
        natural=told.get("natural"),
        wagers=told.get("wagers", {}),
        result=told["result"],
    )


def _sets_told(told: dict[str, Any]) -> tuple[Cards, ...]:
    if "front" in told:
        return tuple(as_set(told[key]) for key in ("front", "middle", "back"))
    return tuple(map(as_set, told.get("hands", ())))


def _instant(text: str) -> int:
    return (datetime.fromisoformat(text) - _EPOCH) // _MICROSECOND


def _time(micros: int) -> str:
    try:
        return (_EPOCH + timedelta(microseconds=micros)).isoformat().replace("+00:00", "Z")
    except OverflowError:  # before the year 1 or after 9999 in UTC, but not where it was written
        behind = -1 if micros > 0 else 1
        local = _EPOCH + timedelta(microseconds=micros + behind * _FARTHEST)
        return local.isoformat().replace("+00:00", "-23:59" if behind < 0 else "+23:59")


def _given(thing: Round | Seat, keys: tuple[str, ...]) -> dict[str, Any]:
    values = {key: getattr(thing, key) for key in keys}
    return {key: value for key, value in values.items() if value is not None}


def _hands(thing: House | Seat, needed: tuple[str, ...]) -> dict[str, Any]:
    """The cards and sets that are there; where the form wants them, also those without a card."""
    hands: dict[str, Any] = {
        key: show(getattr(thing, key) or b"")
        for key in ("cards", "low", "three")
        if getattr(thing, key) or key in needed
    }
    if thing.hands:
        hands["hands"] = [show(hand) for hand in thing.hands]
    return hands


def _house(game: str, house: House, *, banked: bool) -> dict[str, Any]:
    bets = {"wager": house.wager, "result": house.result} if banked else {}
    needed = ("cards", "low") if game == "pyramid-poker" else ("cards",)
    shown = () if house.three is None else ("three",)
    return {**_hands(house, (*needed, *shown)), **bets}


def _seat(game: str, seat: Seat) -> dict[str, Any]:
    written = {
        "seat": seat.seat,
        **_given(seat, ("player", "play", "natural")),
        **_hands(seat, _needed(game, seat)),
    }
    if game == "chinese-poker" and "hands" in written:
        sets = zip(("front", "middle", "back"), written.pop("hands"), strict=True)
        written |= dict(sets)
    if seat.wagers:
        written["wagers"] = dict(seat.wagers)
    return {**written, "result": dict(seat.result)}


def _needed(game: str, seat: Seat) -> tuple[str, ...]:
    if game == "chinese-poker":
        return ("cards",) if seat.play == "surrender" else ()
    if game == "pyramid-poker":
        return ("cards", "low")
    return ("cards", "three") if seat.play == "three" else ("cards",)
