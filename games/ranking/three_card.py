"""Three cards as Pyramid Poker and Pick 2 Poker rank them (PP-28, P2-12).

A straight outranks a flush here, and ace-king-queen suited is a name of its own.
"""

from typing import Final

from games.cards import ACE
from games.cards import rank as rank_of
from games.kernel import kernel
from games.ranking.names import NAME_SHIFT
from games.ranking.weight import RANK_MASK, sorted_three, three_weights, times_of

THREE_HIGH_CARD: Final = 0
THREE_ONE_PAIR: Final = 1
THREE_FLUSH: Final = 2
THREE_STRAIGHT: Final = 3
THREE_OF_A_KIND: Final = 4
THREE_STRAIGHT_FLUSH: Final = 5
ACE_KING_QUEEN_SUITED: Final = 6

# Lines of a pay table, one bit each: a hand may fit several (PP-I5, P2-I2).
LINE_ONE_PAIR: Final = 1
LINE_FLUSH: Final = 2
LINE_STRAIGHT: Final = 4
LINE_THREE_OF_A_KIND: Final = 8
LINE_STRAIGHT_FLUSH: Final = 16
LINE_ACE_KING_QUEEN_SUITED: Final = 32


@kernel
def suited_three(a: int, b: int, c: int) -> bool:
    """Whether three cards are of one suit."""
    return (((a ^ b) | (a ^ c)) & 3) == 0


@kernel
def straight_of_three(x: int, y: int, z: int) -> int:
    """Rank + 1 of a straight's top card, 0 if the three weights are none (X-I1)."""
    high, low = x & RANK_MASK, z & RANK_MASK
    if (times_of(x) == 1) & (high - low == 2):
        return high
    if (times_of(x) == 1) & (high == ACE + 1) & ((y & RANK_MASK) == 2):
        return 2  # A-2-3: its top card is the three
    return 0


@kernel
def ranks_of_three(x: int, y: int, z: int) -> int:
    """Three weights' ranks as a strength holds them."""
    return ((x & RANK_MASK) << 20) | ((y & RANK_MASK) << 16) | ((z & RANK_MASK) << 12)


@kernel
def three_card(a: int, b: int, c: int) -> int:
    """Strength of three cards; its name is one of the `THREE_...` above."""
    x, y, z = three_weights(a, b, c)
    ranks = ranks_of_three(x, y, z)
    if times_of(x) == 3:
        return (THREE_OF_A_KIND << NAME_SHIFT) | ranks
    if times_of(x) == 2 and not suited_three(a, b, c):
        return (THREE_ONE_PAIR << NAME_SHIFT) | ranks
    straight = straight_of_three(x, y, z)
    if straight and suited_three(a, b, c):
        name = ACE_KING_QUEEN_SUITED if straight == ACE + 1 else THREE_STRAIGHT_FLUSH
        return (name << NAME_SHIFT) | (straight << 20)
    if straight:
        return (THREE_STRAIGHT << NAME_SHIFT) | (straight << 20)
    if suited_three(a, b, c):
        return flush_of_three(a, b, c)
    return (THREE_HIGH_CARD << NAME_SHIFT) | ranks


@kernel
def flush_of_three(a: int, b: int, c: int) -> int:
    """Strength of a flush: ranks from the highest down, equal cards singly (X-I2)."""
    x, y, z = sorted_three(rank_of(a), rank_of(b), rank_of(c))
    return (THREE_FLUSH << NAME_SHIFT) | ranks_of_three(x + 1, y + 1, z + 1)


@kernel
def three_card_lines(a: int, b: int, c: int) -> int:
    """Every pay table line that three cards fit, as `LINE_...` bits."""
    x, y, z = three_weights(a, b, c)
    lines = 0
    if times_of(x) == 3:
        lines |= LINE_THREE_OF_A_KIND
    if times_of(x) >= 2:
        lines |= LINE_ONE_PAIR  # three of a kind holds a pair, as six cards' larger groups do
    straight = straight_of_three(x, y, z)
    if straight:
        lines |= LINE_STRAIGHT
    if suited_three(a, b, c):
        lines |= LINE_FLUSH
        if straight:
            lines |= LINE_STRAIGHT_FLUSH
        if straight == ACE + 1:
            lines |= LINE_ACE_KING_QUEEN_SUITED
    return lines
