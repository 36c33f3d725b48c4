"""Five cards by the five-card rank (CP-5, P2-11, SD-8), including shoes and named jokers."""

from typing import Final

from games.cards import ACE
from games.cards import rank as rank_of
from games.kernel import kernel
from games.ranking.names import (
    FIVE_OF_A_KIND,
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    HIGH_CARD,
    NAME_SHIFT,
    ONE_PAIR,
    RANK_MASK,
    STRAIGHT,
    STRAIGHT_FLUSH,
    SUIT_MASK,
    THREE_OF_A_KIND,
    TWO_PAIRS,
    five_weights,
    sorted_five,
    times_of,
)

NAMES_BY_EQUAL_PAIRS: Final = (
    HIGH_CARD
    | ONE_PAIR << 4
    | TWO_PAIRS << 8
    | THREE_OF_A_KIND << 12
    | FULL_HOUSE << 16
    | FOUR_OF_A_KIND << 24
    | FIVE_OF_A_KIND << 40
)


@kernel
def suited_five(a: int, b: int, c: int, d: int, e: int) -> bool:
    """Return whether five cards are of one suit."""
    return (((a ^ b) | (a ^ c) | (a ^ d) | (a ^ e)) & SUIT_MASK) == 0


@kernel
def straight_of_five(v: int, w: int, x: int, y: int, z: int) -> int:
    """Return rank + 1 of a straight's top card, or 0 if the five weights are none (X-I1)."""
    high = v & RANK_MASK
    times = times_of(v) + times_of(w) + times_of(x) + times_of(y) + times_of(z)
    spread = high - (z & RANK_MASK)
    if (times == 5) & (spread == 4):
        return high
    if (times == 5) & (high == ACE + 1) & ((w & RANK_MASK) == 4):
        return 4  # A-2-3-4-5: its top card is the five
    return 0


@kernel
def ranks_of_five(v: int, w: int, x: int, y: int, z: int) -> int:
    """Return five weights' ranks in the format of a strength."""
    return (
        ((v & RANK_MASK) << 20)
        | ((w & RANK_MASK) << 16)
        | ((x & RANK_MASK) << 12)
        | ((y & RANK_MASK) << 8)
        | ((z & RANK_MASK) << 4)
    )


@kernel
def name_of_groups(v: int, w: int, x: int, y: int, z: int) -> int:
    """Return the name that equal ranks alone give to five weights.

    The lookup key is how many of the ten pairs of cards are equal: every card that occurs t times
    is equal to t - 1 others. A lookup is used because a branch on cards is mispredicted.
    """
    times = times_of(v) + times_of(w) + times_of(x) + times_of(y) + times_of(z)
    return (NAMES_BY_EQUAL_PAIRS >> 2 * (times - 5)) & 15


@kernel
def five_card(a: int, b: int, c: int, d: int, e: int) -> int:
    """Return the strength of five cards."""
    v, w, x, y, z = five_weights(a, b, c, d, e)
    strength = (name_of_groups(v, w, x, y, z) << NAME_SHIFT) | ranks_of_five(v, w, x, y, z)
    straight = straight_of_five(v, w, x, y, z)
    suited = suited_five(a, b, c, d, e)
    if straight:
        return ((STRAIGHT_FLUSH if suited else STRAIGHT) << NAME_SHIFT) | (straight << 20)
    if suited:
        return max(strength, flush_of_five(a, b, c, d, e))  # a suited full house is a full house
    return strength


@kernel
def flush_of_five(a: int, b: int, c: int, d: int, e: int) -> int:
    """Return the strength of a flush: ranks from the highest down, equal cards singly (X-I2)."""
    v, w, x, y, z = sorted_five(rank_of(a), rank_of(b), rank_of(c), rank_of(d), rank_of(e))
    return (FLUSH << NAME_SHIFT) | ranks_of_five(v + 1, w + 1, x + 1, y + 1, z + 1)
