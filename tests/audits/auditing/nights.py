"""Rounds of a night written by hand as log lines, and the instants that terms refer to."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from tests.games.written_rounds import as_line, pick_2_seat, pyramid_seat, round_of

WEST = ZoneInfo("America/Los_Angeles")
HOUSE = {"cards": "Kd Ts 8c", "low": "Ts"}


def micros(*parts: int) -> int:
    """Return a local time in microseconds since 1970."""
    return int(datetime(*parts, tzinfo=WEST).timestamp()) * 1_000_000


def local(*parts: int) -> str:
    """Return a local time as a log writes it."""
    return datetime(*parts, tzinfo=WEST).isoformat()


def ahead(main: int = 1000, **fields: Any) -> dict[str, Any]:
    """Return a seat with A-9 over J against K-8 over T: main wins; three_card and six_card lose."""
    seat = pyramid_seat("As Jd 9c", "Jd", (main, 1000, 1000), player="p-1")
    return {**seat, "result": {"main": main, "three_card": -1000, "six_card": -1000}, **fields}


def level(**fields: Any) -> dict[str, Any]:
    """Return a seat with the dealer's own ranks: equal on both hands.

    In six cards it has a pair of each rank, two of which make the line of two pairs, which by the
    rules pays 1 to 1.
    """
    seat = pyramid_seat("Kh Tc 8d", "Tc", (1000, 1000, 1000), player="p-2")
    return {**seat, "result": {"main": 0, "three_card": -1000, "six_card": 1000}, **fields}


def straight_flush(pays: int, **fields: Any) -> dict[str, Any]:
    """Return a seat with 9-8-7 of spades, by the rules 30 to 1.

    9-7 and 8 lose main; with K-T-8 there is no six-card line.
    """
    seat = pyramid_seat("9s 8s 7s", "8s", (1000, 1000, 1000), player="p-3")
    result = {"main": -1000, "three_card": pays * 1000, "six_card": -1000}
    return {**seat, "result": result, **fields}


def pyramid(name: str, at: str, *seats: dict[str, Any], **fields: Any) -> bytes:
    """Return a round of Pyramid Poker as a line."""
    head = {"house": HOUSE, "at": at, "round": name}
    return as_line(round_of("pyramid-poker", list(seats or (ahead(),)), **{**head, **fields}))


def pick_2(name: str, at: str, deck: str, **fields: Any) -> bytes:
    """Return a round of Pick 2 Poker from a shuffling machine in which the one player folds."""
    seat = pick_2_seat("Kd Jh 8c 5s 2d", "fold")
    seat["result"] = {"ante": -100, "bonus_3_5": -100, "bonus_5": 0, "play": 0}
    head = {
        "house": {"cards": "As Kc 9c 5h 3s"}, "at": at, "round": name, "deck": deck,
        "shuffler": True,
    }  # fmt: skip
    return as_line(round_of("pick-2-poker", [seat], **{**head, **fields}))


def given(found: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Return the round, code, seat and wager of each finding."""
    return [(one["round"], one["code"], one["seat"], one["wager"]) for one in found]
