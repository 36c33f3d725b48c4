"""Arrays spilled to a file and mapped again, kept until a log's segments are built.

A number takes no more bytes than the largest in its column needs.
"""

from __future__ import annotations

import mmap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from games.log.columns import Columns, Level, Texts

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

    from numpy.typing import NDArray


_ALIGNED = 8


@dataclass(frozen=True, slots=True)
class SpilledArray:
    """Location of a spilled array."""

    at: int
    count: int
    kind: Any
    number: int | None = None
    """Set if every element has this value, in which case nothing is in the file."""


class Spill:
    """A file that arrays are appended to; reads use the page cache and keep nothing in memory."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO = path.open("wb", buffering=0)
        self._at = 0
        self._map: mmap.mmap | None = None

    def put(self, array: NDArray[Any]) -> SpilledArray:
        """Append a one-dimensional array."""
        spilled = SpilledArray(self._at, len(array), array.dtype)
        raw = np.ascontiguousarray(array).view(np.uint8).data
        while raw:
            raw = raw[self._file.write(raw) :]
        size = spilled.count * array.dtype.itemsize
        self._at += size + self._file.write(bytes(-size % _ALIGNED))
        self._map = None
        return spilled

    def put_numbers(self, array: NDArray[np.int64]) -> SpilledArray:
        """Append numbers in as few bytes as the largest needs; equal numbers take no space."""
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

    def same(self, number: int, count: int) -> SpilledArray:
        """Return an array of one repeated number, without writing anything."""
        return SpilledArray(0, count, np.dtype(np.int64), number)

    def get(self, spilled: SpilledArray) -> Any:
        """Return the array, mapped."""
        if spilled.number is not None:
            return np.broadcast_to(np.int64(spilled.number), spilled.count)
        if not spilled.count:
            return np.empty(0, spilled.kind)
        if self._map is None:
            with self._path.open("rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        return np.frombuffer(self._map, spilled.kind, spilled.count, spilled.at)

    def release(self) -> None:
        """Release the memory of what was read; it is mapped again when needed."""
        if self._map is not None:
            self._map.madvise(mmap.MADV_DONTNEED)

    def close(self) -> None:
        """Close and delete the file."""
        self._map = None
        self._file.close()
        self._path.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class SpilledTexts:
    """Location of spilled texts: their bytes, and where each begins and ends."""

    data: SpilledArray
    start: SpilledArray
    stop: SpilledArray | None
    """None if each text begins where the previous one ends; `start` then has the last end too."""


@dataclass(frozen=True, slots=True)
class _SpilledLevel:
    numbers: dict[str, SpilledArray]
    cards: dict[str, SpilledArray]
    texts: dict[str, SpilledTexts]


@dataclass(frozen=True, slots=True)
class SpilledColumns:
    """Location of spilled columns."""

    game: str
    rounds: _SpilledLevel
    seats: _SpilledLevel
    first_seat: SpilledArray
    lines: SpilledArray


def put_texts(spill: Spill, texts: Texts) -> SpilledTexts:
    """Append texts that are packed in order."""
    data = spill.put(texts.data)
    absent = texts.start < 0
    if absent.all():
        return SpilledTexts(data, spill.same(-1, len(texts)), spill.same(-1, len(texts)))
    if absent.any():
        return SpilledTexts(data, spill.put_numbers(texts.start), spill.put_numbers(texts.stop))
    return SpilledTexts(data, spill.put_numbers(np.append(texts.start, len(texts.data))), None)


def get_texts(spill: Spill, spilled: SpilledTexts) -> Texts:
    """Return the texts."""
    start = spill.get(spilled.start)
    if spilled.stop is None:
        return Texts(spill.get(spilled.data), start[:-1], start[1:])
    return Texts(spill.get(spilled.data), start, spill.get(spilled.stop))


def put_columns(spill: Spill, columns: Columns) -> SpilledColumns:
    """Append columns whose texts are packed in order."""
    return SpilledColumns(
        columns.game,
        _put_level(spill, columns.rounds),
        _put_level(spill, columns.seats),
        spill.put_numbers(columns.first_seat),
        spill.put_numbers(columns.lines),
    )


def get_columns(spill: Spill, spilled: SpilledColumns) -> Columns:
    """Return the columns; their numbers may be narrower than before."""
    return Columns(
        spilled.game,
        _get_level(spill, spilled.rounds),
        _get_level(spill, spilled.seats),
        spill.get(spilled.first_seat),
        spill.get(spilled.lines),
    )


def _put_level(spill: Spill, level: Level) -> _SpilledLevel:
    return _SpilledLevel(
        {name: spill.put_numbers(column) for name, column in level.numbers.items()},
        {name: spill.put(column) for name, column in level.cards.items()},
        {name: put_texts(spill, texts) for name, texts in level.texts.items()},
    )


def _get_level(spill: Spill, spilled: _SpilledLevel) -> Level:
    return Level(
        {name: spill.get(column) for name, column in spilled.numbers.items()},
        {name: spill.get(column) for name, column in spilled.cards.items()},
        {name: get_texts(spill, texts) for name, texts in spilled.texts.items()},
    )
