"""Round-log lines written by hand, for tests: a few words in, one line of the log out."""

from __future__ import annotations

import json
from typing import Any

Round = dict[str, Any]


def round_of(game: str, seats: list[dict[str, Any]], **fields: Any) -> Round:
    return {
        "v": 1,
        "round": "R-1",
        "game": game,
        "table": "T1",
        "at": "2019-05-04T20:15:03-07:00",
        **fields,
        "seats": [{"seat": place, **seat} for place, seat in enumerate(seats, start=1)],
    }


def as_line(round_: Round) -> bytes:
    return json.dumps(round_).encode() + b"\n"


def pyramid_seat(
    cards: str, low: str, stakes: tuple[int, int, int] = (100, 100, 100), **fields: Any
) -> dict[str, Any]:
    wagers = dict(zip(("main", "three_card", "six_card"), stakes, strict=True))
    return {
        "cards": cards,
        "low": low,
        "wagers": wagers,
        "result": dict.fromkeys(wagers, 0),
        **fields,
    }


def pick_2_seat(
    cards: str, play: str, three: str | None = None, bonus_5: int = 0, ante: int = 100
) -> dict[str, Any]:
    times = {"three": 2, "five": 1, "fold": 0}[play]
    wagers = {"ante": ante, "bonus_3_5": 100, "bonus_5": bonus_5, "play": times * ante}
    seat = {"cards": cards, "play": play, "wagers": wagers, "result": dict.fromkeys(wagers, 0)}
    return seat if three is None else {**seat, "three": three}


def chinese_seat(hands: str, **fields: Any) -> dict[str, Any]:
    front, middle, back = hands.split(" / ")
    return {"front": front, "middle": middle, "back": back, "result": {"total": 0}, **fields}


def casino_seat(hands: list[str], ante: int = 500) -> dict[str, Any]:
    return {
        "cards": dealt_from(hands),
        "play": "play",
        "hands": hands,
        "wagers": {"ante": ante, "buy_in": ante},
        "result": {"points": 0, "ante": 0, "buy_in": 0},
    }


def dealt_from(hands: list[str]) -> str:
    """Return the cards of set hands as they were dealt: a joker isn't named yet."""
    cards = " ".join(hands).split(" ")
    return " ".join("Jo" if card.startswith("Jo=") else card for card in cards)
