"""Facts that only the order of rounds shows: decks in turn, rejected lines, a clock set back."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from audits.intake.segments.segment_file import (
    AFTER,
    BEFORE,
    FELL_BACK,
    THIRD_DECK,
    TWO_DECKS,
    read_rows,
)
from games.checks.deal_alternation import ALTERNATING
from games.kernel import jit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from audits.intake.segments.place import OldSegment
    from games.log.columns import Columns, Texts
    from games.screens.words import Ids


SHUFFLED = b'"shuffler":true'
"""Present in the canonical line of a round from a shuffling machine, and never within a text."""


class Dealt(NamedTuple):
    """Rounds dealt from a shuffling machine with a named deck, in log order."""

    table: NDArray[np.int64]
    line: NDArray[np.int64]
    deck: NDArray[np.uint64]
    """Hashes of the deck names."""


@jit
def note(table, line, deck, decks, used, marks):  # type: ignore[no-untyped-def]
    """Record the first two decks of each table; mark the rounds of any other deck."""
    for row in range(line.size):
        code = table[row]
        if used[code] == 0 or (used[code] == 1 and decks[0, code] != deck[row]):
            decks[used[code], code] = deck[row]
            used[code] += 1
        elif deck[row] != decks[0, code] and deck[row] != decks[1, code]:
            marks[line[row]] |= THIRD_DECK


def mark_decks(
    rounds: Callable[[], Iterable[Dealt]],
    tables: int,
    marks: NDArray[np.uint8],
    corrected: Dealt,
    two: NDArray[np.bool_],
) -> None:
    """Mark a log's rounds by line; the decks of `corrected` come before those of the log.

    `two` says for each of them whether two decks alternated at its table.
    """
    decks, used = np.zeros((2, tables), np.uint64), np.zeros(tables, np.int64)
    nowhere = np.zeros(1, np.uint8)
    note(corrected.table, corrected.line, corrected.deck, decks, used, nowhere)
    for part in rounds():
        note(part.table, part.line, part.deck, decks, used, marks)
    bound = used == 2
    bound[corrected.table[two]] = True
    if bound.any():
        for part in rounds():
            marks[part.line[bound[part.table]]] |= TWO_DECKS


def named(columns: Columns, odd: Texts, names: Ids) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return the rows from a shuffling machine with a named deck, and the hashes of the names."""
    texts = columns.rounds.texts["deck"]
    shuffled = columns.rounds.numbers["shuffler"] != 0
    for row in np.flatnonzero(odd.start >= 0).tolist():
        shuffled[row] = SHUFFLED in odd.encoded(row)
    rows = np.flatnonzero(shuffled & (texts.start >= 0))
    hashes, _ = names.hashes(texts)
    return rows, hashes[rows]


def corrected_rounds(
    on_file: Iterable[OldSegment],
    log: str | None,
    names: Ids,
    codes: Callable[[Texts], NDArray[np.int64]],
) -> tuple[Dealt, NDArray[np.bool_]]:
    """Return the first round of each deck and table of the corrected log that is still on file.

    They are in that log's order, with whether two decks alternate there; `codes` numbers tables.
    """
    parts = [
        _rounds_of(segment, log, names, codes)
        for segment in on_file
        if log is not None and segment.place.game == ALTERNATING and log in segment.logs
    ]
    none = (np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.uint64))
    table, line, deck = map(np.concatenate, zip(none, *(part for part, _ in parts), strict=True))
    two = np.concatenate([np.empty(0, np.bool_), *(part for _, part in parts)])
    order = np.argsort(line, kind="stable")
    return Dealt(table[order], np.zeros(len(order), np.int64), deck[order]), two[order]


def _rounds_of(
    segment: OldSegment, log: str, names: Ids, codes: Callable[[Texts], NDArray[np.int64]]
) -> tuple[Dealt, NDArray[np.bool_]]:
    header, rows = read_rows(segment.path)
    dealt, deck = named(rows.columns, rows.odd, names)
    own = np.flatnonzero(rows.log[dealt] == header.logs.index(log))
    own = own[np.argsort(rows.line[dealt[own]], kind="stable")]
    dealt, deck = dealt[own], deck[own]
    table = codes(rows.columns.rounds.texts["table"])[dealt]
    pairs = np.stack([table.astype(np.uint64), deck], axis=1)
    _, first = np.unique(pairs, axis=0, return_index=True)
    two = rows.disturbed[dealt[first]] & TWO_DECKS != 0
    return Dealt(table[first], rows.line[dealt[first]].astype(np.int64), deck[first]), two


LINE_BITS = 40


@jit
def mark_near_rejected(table, line, standing, marks, last_line, last_count, first, last):  # type: ignore[no-untyped-def]
    """Mark the rounds of a game that come just before or after a rejected line of their table.

    `standing` counts the rejected lines before each round over all tables; `first` and `last` bound
    a table's own. `last_line` is 0 until a table's first round.
    """
    for row in range(line.size):
        code = table[row]
        before = first[code] if last_line[code] == 0 else last_count[code]
        if standing[row] > before:
            marks[line[row]] |= BEFORE
            if last_line[code]:
                marks[last_line[code]] |= AFTER
        last_line[code], last_count[code] = line[row], standing[row]


def mark_disturbed(
    games: Iterable[Iterable[tuple[NDArray[np.int64], NDArray[np.int64]]]],
    rejected: tuple[NDArray[np.int64], NDArray[np.int64]],
    tables: int,
    marks: NDArray[np.uint8],
) -> None:
    """Mark a log's rounds by line; each game has tables and lines of its rounds in order.

    `rejected` has the tables and lines of the rejected ones. A rejected line never marks itself.
    """
    if not len(rejected[0]):
        return
    keys = np.sort((rejected[0] << LINE_BITS) | rejected[1])
    bounds = np.searchsorted(keys, np.arange(tables + 1) << LINE_BITS)
    first, last = bounds[:-1], bounds[1:]
    for rounds in games:
        last_line, last_count = np.zeros(tables, np.int64), np.zeros(tables, np.int64)
        for table, line in rounds:
            standing = np.searchsorted(keys, (table << LINE_BITS) | line)
            mark_near_rejected(table, line, standing, marks, last_line, last_count, first, last)
        met = np.flatnonzero(last_line)
        ended = met[last_count[met] < last[met]]
        marks[last_line[ended]] |= AFTER


EARLIEST = -(2**63)


@jit
def mark_earlier(table, line, at, day, last_at, last_day, marks):  # type: ignore[no-untyped-def]
    """Mark rounds of a game that ended before their table's previous round, on another day.

    Rounds are in log order.
    """
    for row in range(line.size):
        code = table[row]
        if at[row] < last_at[code] and day[row] != last_day[code]:
            marks[line[row]] |= FELL_BACK
        last_at[code], last_day[code] = at[row], day[row]


def mark_fallen_back(
    chunks: Iterable[tuple[NDArray[np.int64], ...]], tables: int, marks: NDArray[np.uint8]
) -> None:
    """Mark one game's rounds by line, given tables, lines, times and days in order."""
    last_at, last_day = np.full(tables, EARLIEST, np.int64), np.zeros(tables, np.int64)
    for table, line, at, day in chunks:
        mark_earlier(table, line, at, day, last_at, last_day, marks)
