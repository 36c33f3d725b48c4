"""At which tables of a log two decks take turns, and which rounds used a third (P2-1, P2-I8).

It is a matter of the whole log, which may lie in segments of several days: the rounds are marked at
hand-in. The rounds of a correction stand in the place of rounds of the log that it corrects, and
are bound with it; its own names come behind those that this log still has on file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from audits.segments.segment_file import THIRD_DECK, TWO_DECKS, read_rows
from games.judge.sequence import ALTERNATING
from games.kernel import jit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from audits.segments.place import OldSegment
    from games.columns.words import Ids
    from games.round_log.columns import Columns
    from games.round_log.columns_texts import Texts

SHUFFLED = b'"shuffler":true'
"""Stands in the canonical line of a round from a shuffling machine, and in no text."""


class Dealt(NamedTuple):
    """Rounds from a shuffling machine whose deck is named, in the order of their log."""

    table: NDArray[np.int64]
    line: NDArray[np.int64]
    deck: NDArray[np.uint64]
    """Hashes of the names."""


@jit
def note(table, line, deck, decks, used, marks):  # type: ignore[no-untyped-def]
    """Notes the first two decks of each table; marks the rounds of any other."""
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
    """Mark a log's rounds, by line; with `corrected` begins what the log names.

    `two` says of these that two decks took turns at their tables.
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
    """The rows from a shuffling machine whose deck is named, and the hashes of the names."""
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
    """Of the log that is corrected each deck's first round at each table, as far as it is on file.

    In the order of that log, and whether two decks take turns there; `codes` numbers tables.
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
