"""Which ids of a log are taken: by an earlier line of it, or by a round on file.

The ids are sorted in runs that lie in a file; the runs and the indexes on file are gone through
side by side, a range of digests after the other. Memory is that of one range.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from audits.segments.id_index import IdIndex, open_index
from audits.segments.segment_file import read_source_logs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from audits.segments.place import OldSegment
    from audits.segments.spill import Held, Spill

RUN: Final = 1 << 19
RANGE: Final = 1 << 20
"""Ids that are sorted, and compared, at once."""


@dataclass(slots=True)
class Fates:
    """What becomes of the good lines of a log that are not simply new."""

    already: list[NDArray[np.int64]] = field(default_factory=list)
    """Lines whose round is on file with the same content."""
    taken: list[NDArray[np.int64]] = field(default_factory=list)
    """Lines whose id is taken, and by what: a line (positive) or -1 - the number of a segment."""
    replaced: dict[int, list[NDArray[np.int64]]] = field(default_factory=dict)
    """Rows of segments, by number, in whose place a correction puts others."""


@dataclass(frozen=True, slots=True)
class _Ids:
    """Ids with their rounds' digests, ascending by id."""

    one: NDArray[np.uint64]
    two: NDArray[np.uint64]
    content: NDArray[np.uint64]
    more_content: NDArray[np.uint64]
    line: NDArray[np.int64]

    def __getitem__(self, rows: NDArray[np.int64] | NDArray[np.bool_] | slice) -> _Ids:
        return _Ids(*(column[rows] for column in self.columns()))

    def columns(self) -> tuple[Any, ...]:
        """All columns."""
        return self.one, self.two, self.content, self.more_content, self.line


class LogIds:
    """The ids of a log, gathered as it is read."""

    def __init__(self, spill: Spill) -> None:
        self._spill = spill
        self._runs: list[tuple[Held, ...]] = []
        self._waiting: list[_Ids] = []
        self._count = self._held = 0

    def add(
        self, ids: NDArray[np.uint64], digests: NDArray[np.uint64], line: NDArray[np.int64]
    ) -> None:
        """Take the ids of some rounds."""
        self._waiting.append(_Ids(ids[:, 0], ids[:, 1], digests[:, 0], digests[:, 1], line))
        self._held += len(line)
        if self._held >= RUN:
            self.set_down()

    def set_down(self) -> None:
        """Set down what is gathered."""
        if not self._held:
            return
        joined = _joined(self._waiting)
        run = joined[np.argsort(joined.one, kind="stable")]
        self._runs.append(tuple(self._spill.put(column) for column in run.columns()))
        self._count += self._held
        self._waiting, self._held = [], 0

    def compare(self, on_file: Sequence[OldSegment], replaced: str | None) -> Fates:
        """What becomes of the lines, given what is on file; `replaced` is the log corrected."""
        fates = Fates()
        logs = _Logs(on_file, replaced)
        for low, high in _ranges(self._count):
            ids = self._of_range(low, high)
            firsts = _take_repeated(ids, fates)
            for number, segment in enumerate(on_file):
                index = open_index(segment.index)  # mapped no longer than this: files are many
                _compare(firsts, index, _bounds(index.ids, low, high), number, logs, fates)
            self._spill.release()
        return fates

    def _of_range(self, low: int, high: int) -> _Ids:
        parts = []
        for held in self._runs:
            run = _Ids(*(self._spill.get(column) for column in held))
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
    """Ascending by id, then line. Equal first words are rare, unless somebody repeats himself."""
    order = np.argsort(ids.one, kind="stable")
    same = np.diff(ids.one[order]) == 0
    tied = np.flatnonzero(np.append(same, False) | np.append(False, same))
    among = order[tied]
    order[tied] = among[np.lexsort((ids.line[among], ids.two[among], ids.one[among]))]
    return order


def _take_repeated(ids: _Ids, fates: Fates) -> _Ids:
    """The first line of every id; the others are taken."""
    again = np.zeros(len(ids.one), np.bool_)
    again[1:] = (np.diff(ids.one) == 0) & (np.diff(ids.two) == 0)
    if again.any():
        first = np.maximum.accumulate(np.where(again, 0, np.arange(len(again))))
        pairs = np.stack([ids.line[again], ids.line[first[again]]], axis=1)
        fates.taken.append(pairs)
        return ids[~again]
    return ids


def _compare(
    ids: _Ids, index: IdIndex, bounds: tuple[int, int], number: int, logs: _Logs, fates: Fates
) -> None:
    """Compare ids with those of a segment."""
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
        fates.taken.append(np.stack([lines, np.full(len(lines), -1 - number)], axis=1))


def _met(
    one: NDArray[np.uint64], two: NDArray[np.uint64], ids: _Ids
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the same ids stand in both. The shorter side is looked up in the longer one."""
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
    """Which rows of segments stand in the log that is corrected."""

    def __init__(self, on_file: Sequence[OldSegment], replaced: str | None) -> None:
        self._on_file = on_file
        self._replaced = replaced or ""
        self._rows: dict[int, NDArray[np.bool_]] = {}

    def replaced(self, number: int, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of these rows of a segment do; one without that log need not be brought."""
        if self._replaced not in self._on_file[number].logs or not len(rows):
            return np.zeros(len(rows), np.bool_)
        if number not in self._rows:
            segment = self._on_file[number]
            log = segment.logs.index(self._replaced)
            self._rows[number] = np.asarray(read_source_logs(segment.path) == log)
        return self._rows[number][rows]
