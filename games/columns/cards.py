"""Cards of rows of columns side by side, and whether one hand is made of another's cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from games.cards import JOKER, NAMED
from games.kernel import jit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from games.round_log.columns import Level


def side_by_side(level: Level, family: str, count: int) -> NDArray[np.uint8]:
    """The columns `family_1` to `family_count`, hand after hand."""
    rows = [level.cards[f"{family}_{place + 1}"] for place in range(count)]
    return np.stack(rows, axis=1).reshape(-1)


@jit
def is_part(part, at, size, whole, first, dealt, left):  # type: ignore[no-untyped-def]
    """Whether `size` cards from `at` on are among `dealt` cards from `first` on, copies counted.

    All are memory (`memory_of`). A named joker counts as a joker. `left` is room for 64 counts,
    all 0, and is left so.
    """
    for place in range(first, first + dealt):
        left[whole[place] & 63] += 1
    holds = True
    for place in range(at, at + size):
        kind = JOKER if part[place] >= NAMED else part[place]
        holds &= left[kind & 63] > 0
        left[kind & 63] -= 1
    for place in range(at, at + size):
        left[(JOKER if part[place] >= NAMED else part[place]) & 63] = 0
    for place in range(first, first + dealt):
        left[whole[place] & 63] = 0
    return holds
