"""Where rejected lines stand among the rounds of their table.

After a rejected line nobody knows what was dealt there: what looks back at the round before (the
bank's turn, the deck's) is not judged for the next round of the table, in whatever game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from audits.segments.segment_file import AFTER, BEFORE
from games.kernel import jit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

LINE_BITS = 40


@jit
def mark(table, line, standing, marks, last_line, last_count, first, last):  # type: ignore[no-untyped-def]
    """Marks the rounds of a game behind and before which rejected lines of their table stand.

    `standing` counts those before each round, among all tables; `first` and `last` bound a table's
    own. `last_line` is 0 until a table's first round.
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
    """Mark a log's rounds, by line: for each game, tables and lines of its rounds in order.

    `rejected` are tables and lines of the rejected ones. A rejected line marks no line of its own.
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
            mark(table, line, standing, marks, last_line, last_count, first, last)
        met = np.flatnonzero(last_line)
        ended = met[last_count[met] < last[met]]
        marks[last_line[ended]] |= AFTER
