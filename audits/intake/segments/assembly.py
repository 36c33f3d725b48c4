"""Assembly of a place's rounds in order of play, split into pieces, each written as a segment."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import orjson

from audits.intake.segments.id_index import write_index
from audits.intake.segments.place import BuiltSegment, TableSpan
from audits.intake.segments.segment_file import AFTER, AFTER_PREVIOUS, Header, Rows, write_segment
from audits.intake.segments.tails import Tail, write_tails
from games.kernel import jit
from games.log.columns import Pick, picked, picked_texts
from games.log.digests import ids_of
from games.log.form import Rejection, read_written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from audits.intake.segments.place import Place
    from audits.intake.segments.sources import Source, Span
    from games.log.round import Round


@dataclass(frozen=True, slots=True)
class Piece:
    """A segment's rounds in order, and where to find each of them."""

    rank: NDArray[np.int64]
    """Numbers of the tables, sorted by name."""
    source: NDArray[np.int32]
    row: NDArray[np.int64]
    log: NDArray[np.int64]
    line: NDArray[np.int64]
    disturbed: NDArray[np.uint8]

    def part(self, first: int, end: int) -> Piece:
        """Return the rounds from `first` up to `end`."""
        return Piece(*(column[first:end] for column in self._columns()))

    def _columns(self) -> tuple[Any, ...]:
        return self.rank, self.source, self.row, self.log, self.line, self.disturbed

    @staticmethod
    def joined(pieces: Sequence[Piece]) -> Piece:
        """Concatenate pieces."""
        columns = zip(*(piece._columns() for piece in pieces), strict=True)
        return Piece(*map(np.concatenate, columns))


def make(
    place: Place,
    number: int,
    logs: tuple[str, ...],
    names: Sequence[str],
    sources: Sequence[Source],
    piece: Piece,
    folder: Path,
) -> BuiltSegment:
    """Write the files of one piece."""
    rows = _rows(sources, piece)
    stem = f"{place.game}-{place.day}-{number:04d}"
    path, index, tails = (folder / f"{stem}.{kind}" for kind in ("parquet", "ids", "tails"))
    identity = write_segment(path, Header(place, number, logs), rows)
    write_index(index, ids_of(rows.columns.rounds.texts["round"]), rows.digests)
    spans = list(_spans(rows, piece, names))
    write_tails(tails, (_tail(rows, span) for span in spans))
    odd = np.flatnonzero(rows.odd.start >= 0).tolist()
    at = rows.columns.rounds.numbers["at"]
    seats = int(rows.columns.first_seat[-1]) + sum(_odd_seats(rows, row) for row in odd)
    return BuiltSegment(
        place=place,
        piece=number,
        path=path,
        index=index,
        tails=tails,
        identity=identity,
        rounds=len(rows),
        seats=seats,
        odd=len(odd),
        logs=tuple(logs[log] for log in np.unique(piece.log).tolist()),
        tables=tuple(spans),
        first_at=int(at.min()),
        last_at=int(at.max()),
    )


def _rows(sources: Sequence[Source], piece: Piece) -> Rows:
    by_source = np.argsort(piece.source, kind="stable")
    met, begins = np.unique(piece.source[by_source], return_index=True)
    picks, odd, digests = [], [], np.empty((len(piece.row), 4), np.uint64)
    for number, places in zip(met.tolist(), np.split(by_source, begins[1:]), strict=True):
        columns, texts, own = sources[number].rows()
        rows = piece.row[places]
        picks.append(Pick(columns, rows, places))
        odd.append(texts)
        digests[places] = own[rows]
    moves = [(pick.rows, pick.places) for pick in picks]
    return Rows(
        picked(picks),
        picked_texts(odd, moves, len(piece.row)),
        digests,
        piece.log.astype(np.int32),
        piece.line,
        piece.disturbed,
    )


def _spans(rows: Rows, piece: Piece, names: Sequence[str]) -> Iterator[TableSpan]:
    at = rows.columns.rounds.numbers["at"]
    starts = np.flatnonzero(np.diff(piece.rank, prepend=-1))
    ends = np.append(starts[1:], len(piece.rank)).tolist()
    earliest = np.minimum.reduceat(at, starts).tolist()
    latest = np.maximum.reduceat(at, starts).tolist()
    tables = piece.rank[starts].tolist()
    for table, first, end, begin, last in zip(
        tables, starts.tolist(), ends, earliest, latest, strict=True
    ):
        yield TableSpan(names[table], first, end, begin, last)


def _tail(rows: Rows, span: TableSpan) -> Tail:
    last = _round(rows, span.end - 1)
    before = (_round(rows, row) for row in range(span.end - 2, span.first - 1, -1))
    played = last if last.played else next((found for found in before if found.played), None)
    after = bool(rows.disturbed[span.end - 1] & AFTER)
    return Tail(span.table, last, played, after)


def _round(rows: Rows, row: int) -> Round:
    return rows.columns.round(row) if rows.odd.start[row] < 0 else _odd(rows, row)


def _odd(rows: Rows, row: int) -> Round:
    read = read_written(str(rows.odd[row]).encode())
    if isinstance(read, Rejection):  # it was already read during ingestion
        raise TypeError(read.reason)
    return read


def _odd_seats(rows: Rows, row: int) -> int:
    """Return how many seats an odd round has; its line is canonical and needs no more checks."""
    return len(orjson.loads(str(rows.odd[row]))["seats"])


HEAVIEST: Final = 250_000
"""Maximum seats in a segment. Splits are between tables, or within a table that alone exceeds it.
"""

AT_ONCE: Final = 500_000
"""Rounds sorted at once, unless a single table has more."""


class _Plan:
    """All rounds of a place by source, with common numbers for tables and logs."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = sources
        self._spans = [_span(source) for source in sources]
        self._number_logs()
        self._number_tables()
        self._forget()

    def _number_logs(self) -> None:
        """Number the logs in order of submission, starting with those of the segments on file."""
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
        """Number the tables by name, and find where each source's rounds of each begin."""
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
        """Drop columns that are no longer needed, because for ten million rounds they are large.

        Times are only needed to sort the rounds of several logs.
        """
        codes, times = np.empty(0, np.int32), np.empty(0, np.int64)
        self._spans = [
            replace(span, table=codes, at=span.at if len(self.logs) > 1 else times)
            for span in self._spans
        ]

    def batches(self) -> Iterator[_Batch]:
        """Yield groups of tables in order of play."""
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
    """Whole tables in order of play, and the weights of their rounds."""

    rounds: Piece
    weight: NDArray[np.int64]


@jit
def latest_so_far(table, log, at):  # type: ignore[no-untyped-def]
    """Replace each time by the latest so far; rounds are sorted by table, log and line."""
    for row in range(1, at.size):
        same = table[row] == table[row - 1] and log[row] == log[row - 1]
        if same and at[row] < at[row - 1]:
            at[row] = at[row - 1]


def _order_of_lines(table: NDArray[np.int64], line: NDArray[np.int64]) -> NDArray[np.int64] | slice:
    """Return the order of play within one log; a slice if the rounds are already in order."""
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
) -> Iterator[BuiltSegment]:
    """Build all pieces of a place from its sources, with logs in order of submission."""
    plan = _Plan(sources)
    names = [name.decode() for name in plan.names]
    number = done = 0
    for piece in _pieces(plan):
        made = make(place, number, plan.logs, names, sources, piece, folder)
        del piece  # hold nothing else while the next piece is gathered
        for source in sources:
            source.release()
        number, done = number + 1, done + made.rounds
        progress(done)
        yield made


def _pieces(plan: _Plan) -> Iterator[Piece]:
    """Yield the pieces one by one, filling each with whole tables as long as they fit."""
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
    """Return how many rounds fit into a segment, at least one."""
    return max(1, int(np.searchsorted(np.cumsum(weight), HEAVIEST, side="right")))


def _joined(pieces: list[Piece]) -> Piece:
    return pieces[0] if len(pieces) == 1 else Piece.joined(pieces)
