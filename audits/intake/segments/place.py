"""The place of a segment, what is known of finished segments, and gambling days."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray


MICROSECONDS_A_DAY = 86_400_000_000
EPOCH = date(1970, 1, 1).toordinal()


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """What a segment covers within an operator: a game and a gambling day."""

    game: str
    day: date


@dataclass(frozen=True, slots=True)
class TableSpan:
    """A table's rounds in a segment: rows `first` to `end`, from 0."""

    table: str
    first: int
    end: int
    first_at: int
    last_at: int
    """The earliest and latest `at`, in microseconds since 1970-01-01 UTC."""


@dataclass(frozen=True, slots=True)
class OldSegment:
    """A segment on file, of the current generation of its place."""

    place: Place
    piece: int
    path: Path
    """Exists once the segment has been fetched; the index is always available."""
    index: Path
    logs: tuple[str, ...]
    """SHA-256s of the logs with rounds in this segment, in order of submission."""


@dataclass(frozen=True, slots=True)
class BuiltSegment:
    """A finished segment: its three files and their contents."""

    place: Place
    piece: int
    """Counted from 0, in order of tables and play."""
    path: Path
    index: Path
    tails: Path
    identity: str
    """SHA-256 of the row values in hex, the same for any library version that wrote the file."""
    rounds: int
    seats: int
    """Seats in all rounds, including those that do not fit the columns."""
    odd: int
    """Rounds that do not fit the columns: void ones and those with a wrong number of cards."""
    logs: tuple[str, ...]
    """SHA-256s of the logs with rounds in this segment, in order of submission."""
    tables: tuple[TableSpan, ...]
    first_at: int
    last_at: int

    def as_old(self) -> OldSegment:
        """Return this segment as one on file."""
        return OldSegment(self.place, self.piece, self.path, self.index, self.logs)


class Days:
    """Gambling days of instants; `start` returns when a day begins, in microseconds.

    Only days near the requested instants are computed, so `start` needs no bounds.
    """

    def __init__(self, start: Callable[[date], int]) -> None:
        self._start = start
        self._known: dict[int, int] = {}

    def of(self, at: NDArray[np.int64]) -> NDArray[np.int32]:
        """Return the gambling day of each instant as a `date.toordinal` number."""
        near = np.unique(at // MICROSECONDS_A_DAY) + EPOCH
        around = np.unique((near[:, None] + np.arange(-2, 3)).ravel())
        days = around[(around >= date.min.toordinal()) & (around <= date.max.toordinal())]
        starts = np.array([self._begins(day) for day in days.tolist()], np.int64)
        found = np.searchsorted(starts, at, side="right") - 1
        return days[np.maximum(found, 0)].astype(np.int32)

    def _begins(self, day: int) -> int:
        if day not in self._known:
            self._known[day] = self._start(date.fromordinal(day))
        return self._known[day]
