"""Holes in a table's play: rounds that stop, and go on, while the room is open. Pure.

Tables close when nobody sits at them, so a pause alone says little. What is noticed is a table in
steady play whose rounds stop far longer than their usual pace lets expect.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

MICROSECONDS: Final = 1_000_000
FEWEST_ROUNDS: Final = 50
"""Below this a table's pace that day says nothing."""
SHORTEST: Final = 3_600 * MICROSECONDS
TIMES_THE_USUAL: Final = 30


@dataclass(frozen=True)
class Gap:
    """Between two rounds of a table, in microseconds of the epoch, and how long they usually take.

    `usual` is the median time from round to round at that table on that day.
    """

    begin: int
    end: int
    usual: int


def gaps(at: np.ndarray, opened: Sequence[tuple[int, int]]) -> list[Gap]:
    """Where a table's rounds stop too long; `opened` are the spans in which the room was open.

    A gap is the time between two rounds of a table of at least 50 rounds that day, of which more
    than an hour, and more than 30 times the usual time between its rounds, lies in opening hours.
    """
    if len(at) < FEWEST_ROUNDS:
        return []
    ordered = np.sort(at)
    steps = np.diff(ordered)
    usual = int(np.median(steps))
    least = max(SHORTEST, TIMES_THE_USUAL * usual)
    return [
        Gap(int(ordered[before]), int(ordered[before + 1]), usual)
        for before in np.flatnonzero(steps > least)
        if _open_within(int(ordered[before]), int(ordered[before + 1]), opened) > least
    ]


def _open_within(begin: int, end: int, opened: Sequence[tuple[int, int]]) -> int:
    return sum(max(0, min(end, until) - max(begin, since)) for since, until in opened)
