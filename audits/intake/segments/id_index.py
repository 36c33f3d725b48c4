"""The ID index of a segment, and the check for IDs in a log that are already taken."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from audits.intake.segments.rejections import DamagedSegmentError
from audits.intake.segments.segment_file import read_source_logs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from numpy.typing import NDArray

    from audits.intake.segments.place import OldSegment
    from audits.intake.segments.spill import Spill, SpilledArray


MAGIC: Final = b"round ids, version 1".ljust(24, b"\n")
HEAD: Final = len(MAGIC) + 8
COLUMNS: Final = ("<u8", "<u8", "<u8", "<u8", "<u4")
WIDTHS: Final = (8, 8, 8, 8, 4)

NEAR: Final = 2048
"""Entries read at once when looking up an ID: 16 KiB."""


@dataclass(frozen=True, slots=True)
class IdIndex:
    """Columns of equal length, sorted by `ids`."""

    ids: NDArray[np.uint64]
    more: NDArray[np.uint64]
    """The second word of the ID's digest."""
    content: NDArray[np.uint64]
    more_content: NDArray[np.uint64]
    """The first two words of the round's digest."""
    rows: NDArray[np.uint32]
    """Rows of the segment, from 0."""

    def __len__(self) -> int:
        return len(self.ids)


def write_index(path: Path, ids: NDArray[np.uint64], digests: NDArray[np.uint64]) -> None:
    """Write the index of rounds, which are given in row order."""
    order = np.argsort(ids[:, 0], kind="stable")
    with path.open("wb") as file:
        file.write(MAGIC + len(order).to_bytes(8, "little"))
        for column in (ids[:, 0], ids[:, 1], digests[:, 0], digests[:, 1]):
            file.write(column[order].astype("<u8").data)
        file.write(order.astype("<u4").data)


def open_index(path: Path) -> IdIndex:
    """Map an index into memory.

    Raises:
        DamagedSegmentError: the file is not as it was written.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(HEAD)
    count = _count(path, head, size)
    raw = np.memmap(path, np.uint8, "r", offset=HEAD) if count else np.empty(0, np.uint8)
    ends = np.cumsum([0, *WIDTHS]) * count
    columns = [
        raw[first:end].view(kind)
        for kind, first, end in zip(COLUMNS, ends[:-1].tolist(), ends[1:].tolist(), strict=True)
    ]
    return IdIndex(*columns)


def _count(path: Path, head: bytes, size: int) -> int:
    count = int.from_bytes(head[len(MAGIC) :], "little")
    if not head.startswith(MAGIC) or size != HEAD + count * sum(WIDTHS):
        raise DamagedSegmentError(path, f"{size} bytes do not hold an index of {count} ids")
    return count


def row_of(path: Path, id_: tuple[int, int]) -> int | None:
    """Find the row of an ID's digest with two reads of a few pages: digests are evenly spread.

    Raises:
        DamagedSegmentError: the file is not as it was written.
    """
    size = path.stat().st_size
    with path.open("rb", buffering=0) as file:
        count = _count(path, file.read(HEAD), size)
        first, end = _around(file, count, id_[0])
        near = _column(file, 0, count, first, end)
        places = first + np.flatnonzero(near == np.uint64(id_[0]))
        for place in places.tolist():
            if int(_column(file, 1, count, place, place + 1)[0]) == id_[1]:
                file.seek(HEAD + 32 * count + 4 * place)
                return int.from_bytes(file.read(4), "little")
    return None


def _around(file: BinaryIO, count: int, wanted: int) -> tuple[int, int]:
    """Return the bounds of an ID's position, which is usually near that of an even distribution."""
    low, end = 0, count
    middle, reach = (wanted * count) >> 64, NEAR
    while end - low > 2 * NEAR:
        first, last = max(low, middle - reach), min(end, middle + reach)
        edges = _column(file, 0, count, first, last)
        if first > low and int(edges[0]) >= wanted:
            end = first + 1
        elif last < end and int(edges[-1]) <= wanted:
            low = last - 1
        else:
            return first, last
        middle = (low + end) // 2
    return low, end


def _column(file: BinaryIO, column: int, count: int, first: int, end: int) -> NDArray[np.uint64]:
    file.seek(HEAD + 8 * (column * count + first))
    return np.frombuffer(file.read(8 * (end - first)), "<u8")


RUN: Final = 1 << 19
RANGE: Final = 1 << 20
"""IDs that are sorted and compared at once."""


@dataclass(slots=True)
class Fates:
    """The outcome of a log's valid lines that are not simply new."""

    already: list[NDArray[np.int64]] = field(default_factory=list)
    """Lines whose round is on file with the same content."""
    repeated: list[NDArray[np.int64]] = field(default_factory=list)
    """Lines whose ID is taken, with the line (positive) or segment (-1 - its number) that has it.
    """
    replaced: dict[int, list[NDArray[np.int64]]] = field(default_factory=dict)
    """Rows, by segment number, that a correction replaces."""


@dataclass(frozen=True, slots=True)
class _Ids:
    """IDs with their rounds' digests, sorted by ID."""

    one: NDArray[np.uint64]
    two: NDArray[np.uint64]
    content: NDArray[np.uint64]
    more_content: NDArray[np.uint64]
    line: NDArray[np.int64]

    def __getitem__(self, rows: NDArray[np.int64] | NDArray[np.bool_] | slice) -> _Ids:
        return _Ids(*(column[rows] for column in self.columns()))

    def columns(self) -> tuple[Any, ...]:
        """Return all columns."""
        return self.one, self.two, self.content, self.more_content, self.line


class LogIds:
    """The IDs of a log, collected while it is read."""

    def __init__(self, spill: Spill) -> None:
        self._spill = spill
        self._runs: list[tuple[SpilledArray, ...]] = []
        self._waiting: list[_Ids] = []
        self._count = self._held = 0

    def add(
        self, ids: NDArray[np.uint64], digests: NDArray[np.uint64], line: NDArray[np.int64]
    ) -> None:
        """Add the IDs of some rounds."""
        self._waiting.append(_Ids(ids[:, 0], ids[:, 1], digests[:, 0], digests[:, 1], line))
        self._held += len(line)
        if self._held >= RUN:
            self.set_down()

    def set_down(self) -> None:
        """Spill the collected IDs to disk."""
        if not self._held:
            return
        joined = _joined(self._waiting)
        run = joined[np.argsort(joined.one, kind="stable")]
        self._runs.append(tuple(self._spill.put(column) for column in run.columns()))
        self._count += self._held
        self._waiting, self._held = [], 0

    def compare(self, on_file: Sequence[OldSegment], replaced: str | None) -> Fates:
        """Return the outcome of each line, given the segments on file.

        `replaced` is the corrected log.
        """
        fates = Fates()
        logs = _Logs(on_file, replaced)
        for low, high in _ranges(self._count):
            ids = self._of_range(low, high)
            firsts = _take_repeated(ids, fates)
            for number, segment in enumerate(on_file):
                index = open_index(segment.index)  # unmapped after this: files are many
                _compare(firsts, index, _bounds(index.ids, low, high), number, logs, fates)
            self._spill.release()
        return fates

    def words(self) -> Iterator[NDArray[np.uint64]]:
        """Yield the first words of the IDs, sorted, some at a time."""
        for low, high in _ranges(self._count):
            yield np.unique(self._of_range(low, high).one)
            self._spill.release()

    def _of_range(self, low: int, high: int) -> _Ids:
        parts = []
        for columns_of_run in self._runs:
            run = _Ids(*(self._spill.get(column) for column in columns_of_run))
            parts.append(run[slice(*_bounds(run.one, low, high))])
        joined = _joined(parts)
        return joined[_order(joined)]


def _joined(parts: Sequence[_Ids]) -> _Ids:
    columns = zip(*(part.columns() for part in parts), strict=True)
    return _Ids(*map(np.concatenate, columns))


def _ranges(count: int) -> Iterator[tuple[int, int]]:
    pieces = max(1, -(-count // RANGE)) if count else 0
    for piece in range(pieces):
        yield (piece << 64) // pieces, ((piece + 1) << 64) // pieces


def _bounds(column: NDArray[np.uint64], low: int, high: int) -> tuple[int, int]:
    first = int(np.searchsorted(column, np.uint64(low)))
    end = len(column) if high >> 64 else int(np.searchsorted(column, np.uint64(high)))
    return first, end


def _order(ids: _Ids) -> NDArray[np.int64]:
    """Sort by ID, then line. Equal first words are rare unless an operator repeats IDs."""
    order = np.argsort(ids.one, kind="stable")
    same = np.diff(ids.one[order]) == 0
    tied = np.flatnonzero(np.append(same, False) | np.append(False, same))
    among = order[tied]
    order[tied] = among[np.lexsort((ids.line[among], ids.two[among], ids.one[among]))]
    return order


def _take_repeated(ids: _Ids, fates: Fates) -> _Ids:
    """Keep the first line of every ID; mark the others as taken."""
    again = np.zeros(len(ids.one), np.bool_)
    again[1:] = (np.diff(ids.one) == 0) & (np.diff(ids.two) == 0)
    if again.any():
        first = np.maximum.accumulate(np.where(again, 0, np.arange(len(again))))
        pairs = np.stack([ids.line[again], ids.line[first[again]]], axis=1)
        fates.repeated.append(pairs)
        return ids[~again]
    return ids


def _compare(
    ids: _Ids, index: IdIndex, bounds: tuple[int, int], number: int, logs: _Logs, fates: Fates
) -> None:
    """Compare IDs with those of a segment."""
    first, end = bounds
    old, new = _met(index.ids[first:end], index.more[first:end], ids)
    if not len(new):
        return
    old += first
    same = (index.content[old] == ids.content[new]) & (
        index.more_content[old] == ids.more_content[new]
    )
    fates.already.append(ids.line[new[same]])
    rows = index.rows[old[~same]].astype(np.int64)
    lines = ids.line[new[~same]]
    freed = logs.replaced(number, rows)
    if freed.any():
        fates.replaced.setdefault(number, []).append(rows[freed])
    lines = lines[~freed]
    if len(lines):
        fates.repeated.append(np.stack([lines, np.full(len(lines), -1 - number)], axis=1))


def _met(
    one: NDArray[np.uint64], two: NDArray[np.uint64], ids: _Ids
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where both have the same IDs, looking up the shorter side in the longer one."""
    if len(one) <= len(ids.one):
        return _looked_up(one, two, ids.one, ids.two)
    new, old = _looked_up(ids.one, ids.two, one, two)
    return old, new


def _looked_up(
    wanted: NDArray[np.uint64],
    wanted_more: NDArray[np.uint64],
    one: NDArray[np.uint64],
    two: NDArray[np.uint64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    rows = np.arange(len(wanted))
    places = np.searchsorted(one, wanted)
    met_rows, met_places = [rows[:0]], [places[:0]]
    while True:
        here = places < len(one)
        rows, places = rows[here], places[here]
        here = one[places] == wanted[rows]
        rows, places = rows[here], places[here]
        if not len(rows):
            return np.concatenate(met_rows), np.concatenate(met_places)
        same = two[places] == wanted_more[rows]
        met_rows.append(rows[same])
        met_places.append(places[same])
        rows, places = rows[~same], places[~same] + 1


class _Logs:
    """Lookup of which segment rows come from the corrected log."""

    def __init__(self, on_file: Sequence[OldSegment], replaced: str | None) -> None:
        self._on_file = on_file
        self._replaced = replaced or ""
        self._rows: dict[int, NDArray[np.bool_]] = {}

    def replaced(self, number: int, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which rows of a segment do; a segment without that log need not be fetched."""
        if self._replaced not in self._on_file[number].logs or not len(rows):
            return np.zeros(len(rows), np.bool_)
        if number not in self._rows:
            segment = self._on_file[number]
            log = segment.logs.index(self._replaced)
            self._rows[number] = np.asarray(read_source_logs(segment.path) == log)
        return self._rows[number][rows]
