"""The four naturals (CP-11): what thirteen cards, set as front, middle and back, make together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.cards import rank as rank_of
from games.kernel import kernel
from games.ranking.five_card import straight_of_five, suited_five
from games.ranking.names import five_weights, three_weights
from games.ranking.three_card import straight_of_three, suited_three

if TYPE_CHECKING:
    from collections.abc import Sequence

THREE_STRAIGHTS: Final = 0
THREE_FLUSHES: Final = 1
SIX_PAIRS: Final = 2
DRAGON: Final = 3

ALL_RANKS: Final = (1 << 13) - 1


@kernel
def is_straight_of_three(a: int, b: int, c: int) -> bool:
    """Return whether a front is in sequence, suited or not (CP-I10, CP-I11)."""
    x, y, z = three_weights(a, b, c)
    return straight_of_three(x, y, z) != 0


@kernel
def is_straight_of_five(a: int, b: int, c: int, d: int, e: int) -> bool:
    """Return whether a middle or back is in sequence, suited or not (CP-I11)."""
    v, w, x, y, z = five_weights(a, b, c, d, e)
    return straight_of_five(v, w, x, y, z) != 0


@kernel
def three_straights(cards: Sequence[int], first: int) -> bool:
    """Return whether front, middle and back are each a straight."""
    f, m, b = first, first + 3, first + 8
    return (
        is_straight_of_three(cards[f], cards[f + 1], cards[f + 2])
        and is_straight_of_five(cards[m], cards[m + 1], cards[m + 2], cards[m + 3], cards[m + 4])
        and is_straight_of_five(cards[b], cards[b + 1], cards[b + 2], cards[b + 3], cards[b + 4])
    )


@kernel
def three_flushes(cards: Sequence[int], first: int) -> bool:
    """Return whether front, middle and back are each of one suit."""
    f, m, b = first, first + 3, first + 8
    return (
        suited_three(cards[f], cards[f + 1], cards[f + 2])
        and suited_five(cards[m], cards[m + 1], cards[m + 2], cards[m + 3], cards[m + 4])
        and suited_five(cards[b], cards[b + 1], cards[b + 2], cards[b + 3], cards[b + 4])
    )


@kernel
def six_pairs(cards: Sequence[int], first: int) -> bool:
    """Return whether twelve of the cards pair off; four of a kind is two pairs (CP-I9)."""
    odd = 0
    for i in range(first, first + 13):
        odd ^= 1 << rank_of(cards[i])
    return odd & (odd - 1) == 0


@kernel
def dragon(cards: Sequence[int], first: int) -> bool:
    """Return whether there is one card of each rank."""
    ranks = 0
    for i in range(first, first + 13):
        ranks |= 1 << rank_of(cards[i])
    return ranks == ALL_RANKS


@kernel
def makes_natural(natural: int, cards: Sequence[int], first: int) -> bool:
    """Return whether thirteen cards as set make the natural declared."""
    if natural == THREE_STRAIGHTS:
        return three_straights(cards, first)
    if natural == THREE_FLUSHES:
        return three_flushes(cards, first)
    if natural == SIX_PAIRS:
        return six_pairs(cards, first)
    return natural == DRAGON and dragon(cards, first)
