"""Arrays set down in a file and mapped again: what a log leaves behind until its segments are made.

A number needs no more bytes than the largest of its column.
"""

from __future__ import annotations

import mmap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from games.round_log.columns import Columns, Level
from games.round_log.columns_texts import Texts

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

    from numpy.typing import NDArray

_ALIGNED = 8


@dataclass(frozen=True, slots=True)
class Held:
    """Where an array lies."""

    at: int
    count: int
    kind: Any
    number: int | None = None
    """Set where every element is this one, and nothing lies anywhere."""


class Spill:
    """A file that arrays are appended to; they are read from the page cache, not kept."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO = path.open("wb", buffering=0)
        self._at = 0
        self._map: mmap.mmap | None = None

    def put(self, array: NDArray[Any]) -> Held:
        """Set down an array of one dimension."""
        held = Held(self._at, len(array), array.dtype)
        raw = np.ascontiguousarray(array).view(np.uint8).data
        while raw:
            raw = raw[self._file.write(raw) :]
        size = held.count * array.dtype.itemsize
        self._at += size + self._file.write(bytes(-size % _ALIGNED))
        self._map = None
        return held

    def put_numbers(self, array: NDArray[np.int64]) -> Held:
        """Set down numbers in as few bytes as hold the largest; all the same take no room."""
        if not len(array):
            return self.put(array)
        low, high = int(array.min()), int(array.max())
        if low == high:
            return self.same(low, len(array))
        for kind in (np.int8, np.int16, np.int32):
            bounds = np.iinfo(kind)
            if bounds.min <= low and high <= bounds.max:
                return self.put(array.astype(kind))
        return self.put(array)

    def same(self, number: int, count: int) -> Held:
        """A number over and over, which nothing need be set down for."""
        return Held(0, count, np.dtype(np.int64), number)

    def get(self, held: Held) -> Any:
        """The array again, mapped."""
        if held.number is not None:
            return np.broadcast_to(np.int64(held.number), held.count)
        if not held.count:
            return np.empty(0, held.kind)
        if self._map is None:
            with self._path.open("rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        return np.frombuffer(self._map, held.kind, held.count, held.at)

    def release(self) -> None:
        """Hand back the memory of what was read; it is mapped again where it is asked for."""
        if self._map is not None:
            self._map.madvise(mmap.MADV_DONTNEED)

    def close(self) -> None:
        """Let the file go."""
        self._map = None
        self._file.close()
        self._path.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class HeldTexts:
    """Where texts lie: their bytes, and where each begins and ends."""

    data: Held
    start: Held
    stop: Held | None
    """None where each begins at the end of the one before, which `start` then has too."""


@dataclass(frozen=True, slots=True)
class _HeldLevel:
    numbers: dict[str, Held]
    cards: dict[str, Held]
    texts: dict[str, HeldTexts]


@dataclass(frozen=True, slots=True)
class HeldColumns:
    """Where columns lie."""

    game: str
    rounds: _HeldLevel
    seats: _HeldLevel
    first_seat: Held
    lines: Held


def put_texts(spill: Spill, texts: Texts) -> HeldTexts:
    """Set down texts that lie packed in their order."""
    data = spill.put(texts.data)
    absent = texts.start < 0
    if absent.all():
        return HeldTexts(data, spill.same(-1, len(texts)), spill.same(-1, len(texts)))
    if absent.any():
        return HeldTexts(data, spill.put_numbers(texts.start), spill.put_numbers(texts.stop))
    return HeldTexts(data, spill.put_numbers(np.append(texts.start, len(texts.data))), None)


def get_texts(spill: Spill, held: HeldTexts) -> Texts:
    """The texts again."""
    start = spill.get(held.start)
    if held.stop is None:
        return Texts(spill.get(held.data), start[:-1], start[1:])
    return Texts(spill.get(held.data), start, spill.get(held.stop))


def put_columns(spill: Spill, columns: Columns) -> HeldColumns:
    """Set down columns whose texts lie packed in their order."""
    return HeldColumns(
        columns.game,
        _put_level(spill, columns.rounds),
        _put_level(spill, columns.seats),
        spill.put_numbers(columns.first_seat),
        spill.put_numbers(columns.lines),
    )


def get_columns(spill: Spill, held: HeldColumns) -> Columns:
    """The columns again; their numbers may be narrower than they were."""
    return Columns(
        held.game,
        _get_level(spill, held.rounds),
        _get_level(spill, held.seats),
        spill.get(held.first_seat),
        spill.get(held.lines),
    )


def _put_level(spill: Spill, level: Level) -> _HeldLevel:
    return _HeldLevel(
        {name: spill.put_numbers(column) for name, column in level.numbers.items()},
        {name: spill.put(column) for name, column in level.cards.items()},
        {name: put_texts(spill, texts) for name, texts in level.texts.items()},
    )


def _get_level(spill: Spill, held: _HeldLevel) -> Level:
    return Level(
        {name: spill.get(column) for name, column in held.numbers.items()},
        {name: spill.get(column) for name, column in held.cards.items()},
        {name: get_texts(spill, texts) for name, texts in held.texts.items()},
    )
