"""Where the rounds of a place come from: segments on file, and a log that was read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

import numpy as np

from audits.segments.chunks import weights
from audits.segments.segment_file import OF_ITS_LOG, Rows, read_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from audits.segments.chunks import Chunk, Chunks
    from audits.segments.place import OldSegment, Place
    from games.round_log.columns import Columns
    from games.round_log.columns_texts import Texts


@dataclass(frozen=True, slots=True)
class Span:
    """What the order of play asks of a source's rounds: tables ascending, each as it was dealt."""

    table: NDArray[np.int32]
    """By number in the source's names."""
    at: NDArray[np.int64]
    log: NDArray[np.int32]
    """By number in the source's logs."""
    line: NDArray[np.int64]
    weight: NDArray[np.int32]
    marks: NDArray[np.uint8]
    row: NDArray[np.int32]
    """In the source."""


class Source(Protocol):
    """Rounds of one place."""

    def release(self) -> None:
        """Hand back the memory of what was read."""

    def names(self) -> Sequence[bytes]:
        """Tables by number."""

    def logs(self) -> Sequence[str]:
        """Logs by number, in order of hand-in."""

    def span(self) -> Span:
        """All rounds."""

    def rows(self) -> tuple[Columns, Texts, NDArray[np.uint64]]:
        """The rounds themselves, by row: columns, canonical lines of odd ones, digests."""


class OldRounds:
    """A segment on file, without rounds that leave."""

    def __init__(self, segment: OldSegment, leaving: NDArray[np.int64]) -> None:
        self.segment = segment
        self._leaving = leaving
        self._names: list[bytes] = []
        self._logs: tuple[str, ...] = ()

    def release(self) -> None:
        """Two segments on file are held at most, whatever is asked."""

    def names(self) -> Sequence[bytes]:
        """Tables by number."""
        return self._names

    def logs(self) -> Sequence[str]:
        """Logs by number, in order of hand-in."""
        return self._logs

    def span(self) -> Span:
        """All rounds that stay."""
        header, rows = read_rows(self.segment.path)
        self._logs = header.logs
        table = rows.columns.rounds.texts["table"].arrow().dictionary_encode()
        self._names = [name.encode() for name in table.dictionary.to_pylist()]
        stays = np.ones(len(rows), np.bool_)
        stays[self._leaving] = False
        row = np.flatnonzero(stays)
        return Span(
            table.indices.to_numpy()[row],
            rows.columns.rounds.numbers["at"][row],
            rows.log[row],
            rows.line[row],
            weights(rows.columns, rows.odd)[row].astype(np.int32),
            rows.disturbed[row] & np.uint8(OF_ITS_LOG),
            row.astype(np.int32),
        )

    def rows(self) -> tuple[Columns, Texts, NDArray[np.uint64]]:
        """The rounds themselves, by row."""
        rows = _read(self.segment)
        return rows.columns, rows.odd, rows.digests


@lru_cache(maxsize=2)
def _read(segment: OldSegment) -> Rows:
    return read_rows(segment.path)[1]


class NewRounds:
    """A chunk of a log: what it brings to a place."""

    def __init__(
        self,
        log: str,
        chunks: Chunks,
        chunk: Chunk,
        names: Sequence[bytes],
        place: Place,
        marks: NDArray[np.uint8],
        dropped: int,
    ) -> None:
        """`marks` are the log's lines' marks; a line with `dropped` brings nothing."""
        self._log = log
        self._chunks, self._chunk = chunks, chunk
        self._names = names
        self._place = place
        self._marks = marks
        self._dropped = dropped

    def release(self) -> None:
        """Hand back the memory of what was read."""
        self._chunks.release()

    def names(self) -> Sequence[bytes]:
        """Tables by number."""
        return self._names

    def logs(self) -> Sequence[str]:
        """Logs by number, in order of hand-in."""
        return (self._log,)

    def span(self) -> Span:
        """All rounds that stay."""
        rows = self._chunk.rows_of(self._place.day.toordinal())
        columns = self._chunks.columns(self._chunk)
        marks = self._marks[columns.lines[rows]]
        row = np.flatnonzero(marks & self._dropped == 0)
        marks, row = marks[row], row + rows.start
        return Span(
            self._chunks.tables(self._chunk)[row].astype(np.int32),
            columns.rounds.numbers["at"][row].astype(np.int64),
            np.broadcast_to(np.int32(0), len(row)),
            columns.lines[row].astype(np.int64),
            self._chunks.weights(self._chunk)[row].astype(np.int32),
            marks,
            row.astype(np.int32),
        )

    def rows(self) -> tuple[Columns, Texts, NDArray[np.uint64]]:
        """The rounds themselves, by row."""
        chunk = self._chunk
        return self._chunks.columns(chunk), self._chunks.odd(chunk), self._chunks.digests(chunk)
