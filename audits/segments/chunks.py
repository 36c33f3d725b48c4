"""A log's rounds in chunks: one game each, by day, table and line, set down in a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from audits.segments.spill import (
    Held,
    HeldColumns,
    HeldTexts,
    Spill,
    get_columns,
    get_texts,
    put_columns,
    put_texts,
)
from games.round_log.columns_pick import Pick, picked, picked_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from games.round_log.columns import Columns
    from games.round_log.columns_texts import Texts

HELD_ROUNDS: Final = 1 << 17
HELD_BYTES: Final = 100_000_000
"""So many rounds, or bytes, are gathered before they are set down."""

HEAVY: Final = 64
"""Bytes of text that weigh as much as a seat."""
ODD_SEATS: Final = 16
"""Seats that a round weighs which the judge must be asked about."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """Rounds of one game as a block of the log brought them."""

    columns: Columns
    odd: Texts
    """The canonical line of a round that fits no columns."""
    digests: NDArray[np.uint64]
    day: NDArray[np.int32]
    table: NDArray[np.int64]
    """Tables by their numbers in the log."""

    def size(self) -> int:
        """About how many bytes they take."""
        texts = len(self.odd.data) + len(self.columns.rounds.texts["deck"].data)
        return texts + 256 * len(self.columns) + 96 * int(self.columns.first_seat[-1])


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some thousands of rounds of one game, where they lie."""

    game: str
    held: HeldColumns
    odd: HeldTexts
    digests: Held
    table: Held
    seats: Held
    days: NDArray[np.int32]
    ends: NDArray[np.int64]
    """The days met, ascending, and behind which row each ends."""

    def rows_of(self, day: int) -> slice:
        """The rows of a day."""
        place = int(np.searchsorted(self.days, day))
        if place == len(self.days) or self.days[place] != day:
            return slice(0, 0)
        return slice(int(self.ends[place - 1]) if place else 0, int(self.ends[place]))


class Chunks:
    """Gathers a log's rounds game by game, and sets them down chunk by chunk."""

    def __init__(self, spill: Spill) -> None:
        self.chunks: list[Chunk] = []
        self._spill = spill
        self._waiting: dict[str, list[Gathered]] = {}
        self._rounds = self._bytes = 0

    def add(self, gathered: Gathered) -> None:
        """Take rounds."""
        self._waiting.setdefault(gathered.columns.game, []).append(gathered)
        self._rounds += len(gathered.columns)
        self._bytes += gathered.size()

    def full(self) -> bool:
        """Whether it is time to set them down."""
        return self._rounds >= HELD_ROUNDS or self._bytes >= HELD_BYTES

    def set_down(self, names: Sequence[bytes]) -> None:
        """Set down what is gathered; `names` are the tables by number."""
        for game, parts in self._waiting.items():
            self.chunks.append(self._set_down(game, parts, names))
        self._waiting.clear()
        self._rounds = self._bytes = 0

    def release(self) -> None:
        """Hand back the memory of what was read."""
        self._spill.release()

    def of(self, game: str) -> Iterator[Chunk]:
        """The chunks of a game, in the order of the log."""
        return (chunk for chunk in self.chunks if chunk.game == game)

    def columns(self, chunk: Chunk) -> Columns:
        """A chunk's rounds; numbers may be narrow."""
        return get_columns(self._spill, chunk.held)

    def odd(self, chunk: Chunk) -> Texts:
        """A chunk's canonical lines."""
        return get_texts(self._spill, chunk.odd)

    def digests(self, chunk: Chunk) -> NDArray[np.uint64]:
        """A chunk's digests of rounds, four words each."""
        words: NDArray[np.uint64] = self._spill.get(chunk.digests)
        return words.reshape(-1, 4)

    def tables(self, chunk: Chunk) -> NDArray[np.int64]:
        """A chunk's tables by number."""
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
        """A chunk's weights of rounds."""
        found: NDArray[np.int64] = self._spill.get(chunk.seats)
        return found


def _order(key: NDArray[np.int64], line: NDArray[np.int64]) -> NDArray[np.int64]:
    """The order by key, then line."""
    if (np.diff(line) > 0).all():
        return np.argsort(key, kind="stable")
    return np.lexsort((line, key))


def weights(columns: Columns, odd: Texts) -> NDArray[np.int64]:
    """What rounds weigh when a segment is cut: their seats, more where a text is long or odd."""
    heavy = np.diff(columns.first_seat).astype(np.int64)
    for texts in (columns.rounds.texts["deck"], odd):
        heavy += (texts.stop - texts.start) // HEAVY
    heavy[odd.start >= 0] += ODD_SEATS
    return heavy
