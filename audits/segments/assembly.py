"""A place's rounds in order of play, cut into pieces, each made into a segment.

Order of play at a table is the order of lines within a log. Several logs interleave by time: each
round stands where the latest time so far, in its own log and at its table, puts it; among equals
the log that was handed in first comes first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from audits.segments.making import Piece, make
from audits.segments.segment_file import AFTER, AFTER_PREVIOUS
from games.kernel import jit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from audits.segments.place import Made, Place
    from audits.segments.sources import Source, Span

HEAVIEST: Final = 250_000
"""Seats of a segment; over it is cut between tables, and within a table that alone is over it."""

AT_ONCE: Final = 500_000
"""Rounds whose order is worked out at once, if no single table has more."""


class _Plan:
    """All rounds of a place, source by source, with tables and logs numbered in common."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = sources
        self._spans = [_span(source) for source in sources]
        self._number_logs()
        self._number_tables()
        self._forget()

    def _number_logs(self) -> None:
        """Logs in order of hand-in: those of the segments on file first, as they have them."""
        used: dict[str, bool] = {}
        for source, span in zip(self.sources, self._spans, strict=True):
            present = np.bincount(span.log, minlength=len(source.logs())) > 0
            for log, here in zip(source.logs(), present.tolist(), strict=True):
                used[log] = used.get(log, False) or here
        self.logs = tuple(log for log, here in used.items() if here)
        number = {log: place for place, log in enumerate(self.logs)}
        self._log_numbers = [
            np.array([number.get(log, -1) for log in source.logs()], np.int64)
            for source in self.sources
        ]

    def _number_tables(self) -> None:
        """Tables by name, and where each source's rounds of each begin."""
        named: dict[bytes, int] = {}
        numbers: list[NDArray[np.int32]] = []
        for source, span in zip(self.sources, self._spans, strict=True):
            met, place = np.unique(span.table, return_inverse=True)
            names = source.names()
            codes = [named.setdefault(names[code], len(named)) for code in met.tolist()]
            numbers.append(np.array(codes, np.int32)[place])
        self.names = sorted(named)
        rank = np.empty(len(named), np.int32)
        rank[[named[name] for name in self.names]] = np.arange(len(named))
        self._ranks = [rank[codes] for codes in numbers]
        self.rounds = np.zeros(len(named), np.int64)
        self.weights = np.zeros(len(named), np.int64)
        for ranked, span in zip(self._ranks, self._spans, strict=True):
            self.rounds += np.bincount(ranked, minlength=len(named))
            self.weights += np.bincount(ranked, span.weight, len(named)).astype(np.int64)

    def _forget(self) -> None:
        """Keep no columns that nobody asks for again: of ten million rounds they are heavy.

        Times order the rounds of several logs alone.
        """
        codes, times = np.empty(0, np.int32), np.empty(0, np.int64)
        self._spans = [
            replace(span, table=codes, at=span.at if len(self.logs) > 1 else times)
            for span in self._spans
        ]

    def batches(self) -> Iterator[_Batch]:
        """Some tables after the other, in order of play."""
        ends = np.cumsum(self.rounds)
        first = 0
        while first < len(self.names):
            before = int(ends[first - 1]) if first else 0
            end = max(first + 1, int(np.searchsorted(ends, before + AT_ONCE, side="right")))
            yield self._batch(first, end)
            first = end

    def _batch(self, first: int, end: int) -> _Batch:
        parts = []
        for number, (ranked, span) in enumerate(zip(self._ranks, self._spans, strict=True)):
            rows = slice(*np.searchsorted(ranked, [first, end]).tolist())
            parts.append((number, ranked[rows], rows, span))
        rank = np.concatenate([ranked for _, ranked, _, _ in parts]).astype(np.int64)
        log = np.concatenate(
            [self._log_numbers[number][span.log[rows]] for number, _, rows, span in parts]
        )
        source = np.concatenate(
            [np.full(len(ranked), number, np.int32) for number, ranked, _, _ in parts]
        )

        def column(of: Callable[[Span], NDArray[Any]]) -> NDArray[np.int64]:
            return np.concatenate([of(span)[rows] for _, _, rows, span in parts])

        line = column(lambda span: span.line)
        order: NDArray[np.int64] | slice
        if len(self.logs) == 1:
            order = _order_of_lines(rank, line)
        else:
            order = _order_of_play(rank, log, line, column(lambda span: span.at))
        marks = np.concatenate([span.marks[rows] for _, _, rows, span in parts])[order]
        rank = rank[order]
        marks[1:] |= np.where(
            (rank[1:] == rank[:-1]) & (marks[:-1] & AFTER != 0), AFTER_PREVIOUS, 0
        ).astype(np.uint8)
        row, weight = column(lambda span: span.row), column(lambda span: span.weight)
        rounds = Piece(rank, source[order], row[order], log[order], line[order], marks)
        return _Batch(rounds, weight[order])


def _span(source: Source) -> Span:
    span = source.span()
    source.release()
    return span


@dataclass(frozen=True, slots=True)
class _Batch:
    """Whole tables in order of play, and what their rounds weigh."""

    rounds: Piece
    weight: NDArray[np.int64]


@jit
def latest_so_far(table, log, at):  # type: ignore[no-untyped-def]
    """Puts in place of each time the latest so far; rounds lie by table, log and line."""
    for row in range(1, at.size):
        same = table[row] == table[row - 1] and log[row] == log[row - 1]
        if same and at[row] < at[row - 1]:
            at[row] = at[row - 1]


def _order_of_lines(table: NDArray[np.int64], line: NDArray[np.int64]) -> NDArray[np.int64] | slice:
    """The order of play where one log tells it; a slice where it is the order at hand."""
    same, back = table[1:] == table[:-1], line[1:] < line[:-1]
    if not ((table[1:] < table[:-1]) | (same & back)).any():
        return slice(None)
    order = np.argsort(table, kind="stable")
    if ((np.diff(line[order]) < 0) & (np.diff(table[order]) == 0)).any():
        return np.lexsort((line, table))
    return order


def _order_of_play(
    table: NDArray[np.int64],
    log: NDArray[np.int64],
    line: NDArray[np.int64],
    at: NDArray[np.int64],
) -> NDArray[np.int64]:
    order = np.lexsort((line, log, table))
    latest = at[order]
    latest_so_far(table[order], log[order], latest)
    again = np.lexsort((line[order], log[order], latest, table[order]))
    return np.asarray(order[again])


def assemble(
    place: Place,
    sources: Sequence[Source],
    folder: Path,
    *,
    progress: Callable[[int], None] = lambda rounds: None,
) -> Iterator[Made]:
    """Make all pieces of a place out of its sources, logs in order of hand-in."""
    plan = _Plan(sources)
    names = [name.decode() for name in plan.names]
    number = done = 0
    for piece in _pieces(plan):
        made = make(place, number, plan.logs, names, sources, piece, folder)
        del piece  # while the next one is gathered, nothing else is held
        for source in sources:
            source.release()
        number, done = number + 1, done + made.rounds
        progress(done)
        yield made


def _pieces(plan: _Plan) -> Iterator[Piece]:
    """The pieces one after the other: whole tables while there is room."""
    waiting: list[Piece] = []
    weight = 0
    for batch in plan.batches():
        starts = np.flatnonzero(np.diff(batch.rounds.rank, prepend=-1))
        ends = np.append(starts[1:], len(batch.weight))
        for first, end in zip(starts.tolist(), ends.tolist(), strict=True):
            heavy = int(plan.weights[batch.rounds.rank[first]])
            if waiting and weight + heavy > HEAVIEST:
                yield _joined(waiting)
                waiting, weight = [], 0
            while heavy > HEAVIEST:
                cut = first + _fitting(batch.weight[first:end])
                yield batch.rounds.part(first, cut)
                heavy -= int(batch.weight[first:cut].sum())
                first = cut
            if first < end:
                waiting.append(batch.rounds.part(first, end))
                weight += heavy
        waiting = [Piece.joined([piece]) for piece in waiting]  # views would keep the whole batch
        del batch
    if waiting:
        yield _joined(waiting)


def _fitting(weight: NDArray[np.int64]) -> int:
    """How many rounds fit into a segment, at least one."""
    return max(1, int(np.searchsorted(np.cumsum(weight), HEAVIEST, side="right")))


def _joined(pieces: list[Piece]) -> Piece:
    return pieces[0] if len(pieces) == 1 else Piece.joined(pieces)
