"""Cards over columns: hands side by side, and whether a set is part of a hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from games.cards import JOKER, NAMED
from games.kernel import jit, kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from games.log.columns import Level


def side_by_side(level: Level, family: str, count: int) -> NDArray[np.uint8]:
    """Return the columns `family_1` to `family_count`, hand after hand."""
    rows = [level.cards[f"{family}_{place + 1}"] for place in range(count)]
    return np.stack(rows, axis=1).reshape(-1)


@jit
def is_part(part, at, size, whole, first, dealt, left):  # type: ignore[no-untyped-def]
    """Return whether `size` cards from `at` are among `dealt` cards from `first`, with copies.

    All arguments are memory (`memory_of`). A named joker counts as a joker. `left` is room for 64
    counts, all 0 before and after.
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


@kernel
def bits_set(word: int) -> int:
    """Return how many of the lower 62 bits are set."""
    word -= (word >> 1) & 0x5555555555555555
    word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333)
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F
    word += word >> 8
    word += word >> 16
    word += word >> 32
    return word & 127
