"""One segment made: its rounds gathered from where they lie, its files written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson

from audits.segments.id_index import write_index
from audits.segments.place import Made, TableSpan
from audits.segments.segment_file import AFTER, Header, Rows, write_segment
from audits.segments.tails import Tail, write_tails
from games.round_log.columns_pick import Pick, picked, picked_texts
from games.round_log.digests import ids_of
from games.round_log.form import Rejection, read_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from audits.segments.place import Place
    from audits.segments.sources import Source
    from games.round_log.round import Round


@dataclass(frozen=True, slots=True)
class Piece:
    """The rounds of a segment in order, and where each lies."""

    rank: NDArray[np.int64]
    """Tables, numbered by name."""
    source: NDArray[np.int32]
    row: NDArray[np.int64]
    log: NDArray[np.int64]
    line: NDArray[np.int64]
    disturbed: NDArray[np.uint8]

    def part(self, first: int, end: int) -> Piece:
        """Some of them."""
        return Piece(*(column[first:end] for column in self._columns()))

    def _columns(self) -> tuple[Any, ...]:
        return self.rank, self.source, self.row, self.log, self.line, self.disturbed

    @staticmethod
    def joined(pieces: Sequence[Piece]) -> Piece:
        """Pieces one behind the other."""
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
) -> Made:
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
    return Made(
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
    read = read_line(str(rows.odd[row]).encode())
    if isinstance(read, Rejection):  # it was read before it came here
        raise TypeError(read.reason)
    return read


def _odd_seats(rows: Rows, row: int) -> int:
    """How many seats an odd round has: its line is canonical, nothing is checked again."""
    return len(orjson.loads(str(rows.odd[row]))["seats"])
