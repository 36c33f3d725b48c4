"""Where a log falls back in time over the border of two gambling days.

Such a round lies in another segment than the one before it, so its judge cannot see that the
table's rounds ran backwards (`log.sequence`): it is marked at hand-in. Within a day the order of
lines is kept, and several logs of a table are put in order by time: there is nothing to mark.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from audits.segments.segment_file import FELL_BACK
from games.kernel import jit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

EARLIEST = -(2**63)


@jit
def mark(table, line, at, day, last_at, last_day, marks):  # type: ignore[no-untyped-def]
    """Marks the rounds of a game that ended before the one before at their table, on a day before.

    Rounds stand in the order of the log.
    """
    for row in range(line.size):
        code = table[row]
        if at[row] < last_at[code] and day[row] != last_day[code]:
            marks[line[row]] |= FELL_BACK
        last_at[code], last_day[code] = at[row], day[row]


def mark_fallen_back(
    chunks: Iterable[tuple[NDArray[np.int64], ...]], tables: int, marks: NDArray[np.uint8]
) -> None:
    """Mark a log's rounds of one game, by line: tables, lines, times and days, in order."""
    last_at, last_day = np.full(tables, EARLIEST, np.int64), np.zeros(tables, np.int64)
    for table, line, at, day in chunks:
        mark(table, line, at, day, last_at, last_day, marks)
