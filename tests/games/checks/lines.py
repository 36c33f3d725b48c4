"""Rounds written by hand for the tests of checks, and what is found in them."""

from __future__ import annotations

from typing import Any

from tests.games.replayed import found, replayed_alone
from tests.games.written_rounds import chinese_seat, pyramid_seat, round_of

HOUSE = {"cards": "Kd Ts 8c", "low": "Ts"}
NO_HAND = "Kd Jh 8c 5s 2d"
FOULED_SET = "Kd Qd 9s / 2c 3d 5h 7s 8c / 2d 4c 6h 8s Tc"

Found = tuple[str, int | None, str | None]


def hand(*stakes: int, **fields: Any) -> dict[str, Any]:
    return pyramid_seat("As Jd 9c", "Jd", stakes or (100, 100, 100), **fields)


def pyramid(*seats: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return round_of("pyramid-poker", list(seats), **{"house": HOUSE, **fields})


def pick_2(*seats: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return round_of("pick-2-poker", list(seats), house={"cards": "As Kd 9c 5h 3s"}, **fields)


def chinese(seats: int, **fields: Any) -> dict[str, Any]:
    hands = [chinese_seat(FOULED_SET) for _ in range(seats)]
    return round_of("chinese-poker", hands, **{"unit": 100, "scoring": "unit", **fields})


def limits(**by_wager: list[int]) -> dict[str, Any]:
    return {"limits": {"T1": by_wager}}


def found_of(
    line: dict[str, Any], code: str | tuple[str, ...], setup: dict[str, Any] | None = None
) -> list[Found]:
    """Return what is found in a round by itself under codes that begin like this."""
    return [one for one in found(replayed_alone(line, setup)) if one[0].startswith(code)]
