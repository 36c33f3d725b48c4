"""Sources of a place's rounds: the ingested log, and segments on file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from audits.intake.segments.segment_file import OF_ITS_LOG, Rows, read_rows
from audits.intake.segments.spill import (
    Spill,
    SpilledArray,
    SpilledColumns,
    SpilledTexts,
    get_columns,
    get_texts,
    put_columns,
    put_texts,
)
from games.log.columns import Pick, picked, picked_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from audits.intake.segments.place import OldSegment, Place
    from games.log.columns import Columns, Texts


ROUNDS_IN_MEMORY: Final = 1 << 17
BYTES_IN_MEMORY: Final = 100_000_000
"""Maximum rounds, and bytes, gathered before they are spilled to disk."""

HEAVY: Final = 64
"""Bytes of text that weigh as much as a seat."""
ODD_SEATS: Final = 16
"""Extra weight, in seats, of a round that the engine must check one by one."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """Rounds of one game from one block of the log."""

    columns: Columns
    odd: Texts
    """Canonical line of a round that does not fit the columns."""
    digests: NDArray[np.uint64]
    day: NDArray[np.int32]
    table: NDArray[np.int64]
    """Numbers of the tables in the log."""

    def size(self) -> int:
        """Estimate the size in bytes."""
        texts = len(self.odd.data) + len(self.columns.rounds.texts["deck"].data)
        return texts + 256 * len(self.columns) + 96 * int(self.columns.first_seat[-1])


@dataclass(frozen=True, slots=True)
class Chunk:
    """A few thousand rounds of one game, and where they are spilled."""

    game: str
    spilled: SpilledColumns
    odd: SpilledTexts
    digests: SpilledArray
    table: SpilledArray
    seats: SpilledArray
    days: NDArray[np.int32]
    ends: NDArray[np.int64]
    """The days in ascending order, with the row after the last one of each."""

    def rows_of(self, day: int) -> slice:
        """Return the rows of a day."""
        place = int(np.searchsorted(self.days, day))
        if place == len(self.days) or self.days[place] != day:
            return slice(0, 0)
        return slice(int(self.ends[place - 1]) if place else 0, int(self.ends[place]))


class Chunks:
    """A log's rounds, gathered by game and spilled in chunks."""

    def __init__(self, spill: Spill) -> None:
        self.chunks: list[Chunk] = []
        self._spill = spill
        self._waiting: dict[str, list[Gathered]] = {}
        self._rounds = self._bytes = 0

    def add(self, gathered: Gathered) -> None:
        """Add rounds."""
        self._waiting.setdefault(gathered.columns.game, []).append(gathered)
        self._rounds += len(gathered.columns)
        self._bytes += gathered.size()

    def full(self) -> bool:
        """Return whether it is time to spill."""
        return self._rounds >= ROUNDS_IN_MEMORY or self._bytes >= BYTES_IN_MEMORY

    def set_down(self, names: Sequence[bytes]) -> None:
        """Spill the gathered rounds; `names` are the tables by number."""
        for game, parts in self._waiting.items():
            self.chunks.append(self._set_down(game, parts, names))
        self._waiting.clear()
        self._rounds = self._bytes = 0

    def release(self) -> None:
        """Release the memory of what was read."""
        self._spill.release()

    def of(self, game: str) -> Iterator[Chunk]:
        """Return the chunks of a game in log order."""
        return (chunk for chunk in self.chunks if chunk.game == game)

    def columns(self, chunk: Chunk) -> Columns:
        """Return a chunk's rounds; their number types may be narrower."""
        return get_columns(self._spill, chunk.spilled)

    def odd(self, chunk: Chunk) -> Texts:
        """Return a chunk's canonical lines."""
        return get_texts(self._spill, chunk.odd)

    def digests(self, chunk: Chunk) -> NDArray[np.uint64]:
        """Return the digests of a chunk's rounds, four words each."""
        words: NDArray[np.uint64] = self._spill.get(chunk.digests)
        return words.reshape(-1, 4)

    def tables(self, chunk: Chunk) -> NDArray[np.int64]:
        """Return the table numbers of a chunk's rounds."""
        tables: NDArray[np.int64] = self._spill.get(chunk.table)
        return tables

    def _set_down(self, game: str, parts: Sequence[Gathered], names: Sequence[bytes]) -> Chunk:
        day = np.concatenate([part.day for part in parts])
        table = np.concatenate([part.table for part in parts])
        line = np.concatenate([part.columns.lines for part in parts])
        met, place = np.unique(table, return_inverse=True)
        by_name = sorted(range(len(met)), key=lambda number: names[int(met[number])])
        rank = np.empty(len(met), np.int64)
        rank[by_name] = np.arange(len(met))
        days, day_place = np.unique(day, return_inverse=True)
        order = _order(day_place * len(met) + rank[place], line)
        places = np.empty(len(order), np.int64)
        places[order] = np.arange(len(order))
        bounds = np.cumsum([0, *(len(part.columns) for part in parts)])
        picks = [
            Pick(part.columns, np.arange(len(part.columns)), places[first:end])
            for part, first, end in zip(parts, bounds[:-1], bounds[1:], strict=True)
        ]
        columns = picked(picks)
        moves = [(pick.rows, pick.places) for pick in picks]
        odd = picked_texts([part.odd for part in parts], moves, len(order))
        digests = np.concatenate([part.digests for part in parts])[order]
        return Chunk(
            game,
            put_columns(self._spill, columns),
            put_texts(self._spill, odd),
            self._spill.put(digests.ravel()),
            self._spill.put_numbers(table[order]),
            self._spill.put_numbers(weights(columns, odd)),
            days.astype(np.int32),
            np.searchsorted(day_place[order], np.arange(len(days)), side="right"),
        )

    def weights(self, chunk: Chunk) -> NDArray[np.int64]:
        """Return the weights of a chunk's rounds."""
        found: NDArray[np.int64] = self._spill.get(chunk.seats)
        return found


def _order(key: NDArray[np.int64], line: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sort by key, then line."""
    if (np.diff(line) > 0).all():
        return np.argsort(key, kind="stable")
    return np.lexsort((line, key))


def weights(columns: Columns, odd: Texts) -> NDArray[np.int64]:
    """Return rounds' weights for splitting: their seats, more for long texts and odd rounds."""
    heavy = np.diff(columns.first_seat).astype(np.int64)
    for texts in (columns.rounds.texts["deck"], odd):
        heavy += (texts.stop - texts.start) // HEAVY
    heavy[odd.start >= 0] += ODD_SEATS
    return heavy


@dataclass(frozen=True, slots=True)
class Span:
    """What determines order of play: rounds by ascending table, each table in the order dealt."""

    table: NDArray[np.int32]
    """Index in the source's names."""
    at: NDArray[np.int64]
    log: NDArray[np.int32]
    """Index in the source's logs."""
    line: NDArray[np.int64]
    weight: NDArray[np.int32]
    marks: NDArray[np.uint8]
    row: NDArray[np.int32]
    """Row in the source."""


class Source(Protocol):
    """Rounds of one place."""

    def release(self) -> None:
        """Release the memory of what was read."""

    def names(self) -> Sequence[bytes]:
        """Return the table names by number."""

    def logs(self) -> Sequence[str]:
        """Return the logs by number, in order of submission."""

    def span(self) -> Span:
        """Return the sort data of all rounds."""

    def rows(self) -> tuple[Columns, Texts, NDArray[np.uint64]]:
        """Return the rounds by row: columns, canonical lines of odd ones, and digests."""


class OldRounds:
    """A segment on file, without the rounds that leave it."""

    def __init__(self, segment: OldSegment, leaving: NDArray[np.int64]) -> None:
        self.segment = segment
        self._leaving = leaving
        self._names: list[bytes] = []
        self._logs: tuple[str, ...] = ()

    def release(self) -> None:
        """Do nothing: at most two segments on file are in memory anyway."""

    def names(self) -> Sequence[bytes]:
        """Return the table names by number."""
        return self._names

    def logs(self) -> Sequence[str]:
        """Return the logs by number, in order of submission."""
        return self._logs

    def span(self) -> Span:
        """Return the sort data of all rounds that stay."""
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
        """Return the rounds by row."""
        rows = _read(self.segment)
        return rows.columns, rows.odd, rows.digests


@lru_cache(maxsize=2)
def _read(segment: OldSegment) -> Rows:
    return read_rows(segment.path)[1]


class NewRounds:
    """A chunk of a log: what it adds to a place."""

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
        """Set up the source; `marks` are per line, and a line marked `dropped` adds nothing."""
        self._log = log
        self._chunks, self._chunk = chunks, chunk
        self._names = names
        self._place = place
        self._marks = marks
        self._dropped = dropped

    def release(self) -> None:
        """Release the memory of what was read."""
        self._chunks.release()

    def names(self) -> Sequence[bytes]:
        """Return the table names by number."""
        return self._names

    def logs(self) -> Sequence[str]:
        """Return the logs by number, in order of submission."""
        return (self._log,)

    def span(self) -> Span:
        """Return the sort data of all rounds that stay."""
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
        """Return the rounds by row."""
        chunk = self._chunk
        return self._chunks.columns(chunk), self._chunks.odd(chunk), self._chunks.digests(chunk)
