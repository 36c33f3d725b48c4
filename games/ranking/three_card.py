"""Hands of three cards and of one, in each of their orders (PP-28, P2-12).

Pyramid Poker and Pick 2 Poker rank a straight above a flush, and ace-king-queen suited is a name of
its own. The other games rank three cards, and one, under the five-card names, so that they compare
with five. Chinese Poker's front has no straights or flushes (CP-5). Showdown and Casino Version
rank three cards in an order of their own (SD-9, CV-I5) that has no straight flush: that order
applies between two hands of three, the five-card names apply against longer hands (SD-I2).
"""

from typing import Final

from games.cards import ACE, JACK
from games.cards import rank as rank_of
from games.kernel import kernel
from games.ranking.names import (
    FLUSH,
    HIGH_CARD,
    NAME_SHIFT,
    ONE_PAIR,
    RANK_MASK,
    STRAIGHT,
    THREE_OF_A_KIND,
    name_of,
    sorted_three,
    three_weights,
    times_of,
)

THREE_HIGH_CARD: Final = 0
THREE_ONE_PAIR: Final = 1
THREE_FLUSH: Final = 2
THREE_STRAIGHT: Final = 3
THREE_TRIPS: Final = 4
THREE_STRAIGHT_FLUSH: Final = 5
ACE_KING_QUEEN_SUITED: Final = 6

# Lines of a pay table, one bit each: a hand may fit several (PP-I5, P2-I2).
LINE_ONE_PAIR: Final = 1
LINE_FLUSH: Final = 2
LINE_STRAIGHT: Final = 4
LINE_THREE_OF_A_KIND: Final = 8
LINE_STRAIGHT_FLUSH: Final = 16
LINE_ACE_KING_QUEEN_SUITED: Final = 32
LINE_PAIR_OF_JACKS_OR_BETTER: Final = 64
LINE_THREE_ACES: Final = 128
LINE_SUITED_THREE_OF_A_KIND: Final = 256


@kernel
def suited_three(a: int, b: int, c: int) -> bool:
    """Return whether three cards are of one suit."""
    return (((a ^ b) | (a ^ c)) & 3) == 0


@kernel
def straight_of_three(x: int, y: int, z: int) -> int:
    """Return rank + 1 of a straight's top card, or 0 if the three weights are none (X-I1)."""
    high, low = x & RANK_MASK, z & RANK_MASK
    if (times_of(x) == 1) & (high - low == 2):
        return high
    if (times_of(x) == 1) & (high == ACE + 1) & ((y & RANK_MASK) == 2):
        return 2  # A-2-3: its top card is the three
    return 0


@kernel
def ranks_of_three(x: int, y: int, z: int) -> int:
    """Return three weights' ranks in the format of a strength."""
    return ((x & RANK_MASK) << 20) | ((y & RANK_MASK) << 16) | ((z & RANK_MASK) << 12)


@kernel
def three_card(a: int, b: int, c: int) -> int:
    """Return the strength of three cards; its name is one of the `THREE_...` above."""
    x, y, z = three_weights(a, b, c)
    ranks = ranks_of_three(x, y, z)
    if times_of(x) == 3:
        return (THREE_TRIPS << NAME_SHIFT) | ranks
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
    """Return the strength of a flush: ranks from the highest down, equal cards singly (X-I2)."""
    x, y, z = sorted_three(rank_of(a), rank_of(b), rank_of(c))
    return (THREE_FLUSH << NAME_SHIFT) | ranks_of_three(x + 1, y + 1, z + 1)


@kernel
def three_card_lines(a: int, b: int, c: int) -> int:
    """Return every pay table line that three cards fit, as `LINE_...` bits."""
    x, y, z = three_weights(a, b, c)
    lines = 0
    if times_of(x) == 3:
        lines |= LINE_THREE_OF_A_KIND
        if suited_three(a, b, c):
            lines |= LINE_SUITED_THREE_OF_A_KIND
        if x & RANK_MASK == ACE + 1:
            lines |= LINE_THREE_ACES
    if times_of(x) >= 2:
        lines |= LINE_ONE_PAIR  # three of a kind includes a pair, as in six cards
        if x & RANK_MASK > JACK:
            lines |= LINE_PAIR_OF_JACKS_OR_BETTER
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


NAMES_BY_TIMES: Final = HIGH_CARD << 4 | ONE_PAIR << 8 | THREE_OF_A_KIND << 12


@kernel
def one_card(card: int) -> int:
    """Return the strength of a single card."""
    return (HIGH_CARD << NAME_SHIFT) | ((rank_of(card) + 1) << 20)


@kernel
def front(a: int, b: int, c: int) -> int:
    """Return the strength of a Chinese Poker front: three of a kind, pair or high cards (CP-5)."""
    x, y, z = three_weights(a, b, c)
    return (name_of_group(x) << NAME_SHIFT) | ranks_of_three(x, y, z)


@kernel
def name_of_group(x: int) -> int:
    """Return the name that equal ranks alone give to three cards, by the heaviest weight."""
    return (NAMES_BY_TIMES >> 4 * times_of(x)) & 15


@kernel
def three_of_showdown(a: int, b: int, c: int) -> int:
    """Return three cards' strength in Showdown or Casino Version, against any size (SD-I2).

    The name is the highest that fits by SD-9: three suited tens are three of a kind, three suited
    cards in sequence or with a pair are a flush.
    """
    x, y, z = three_weights(a, b, c)
    strength = (name_of_group(x) << NAME_SHIFT) | ranks_of_three(x, y, z)
    if suited_three(a, b, c) & (times_of(x) < 3):
        x, y, z = sorted_three(rank_of(a), rank_of(b), rank_of(c))
        return (FLUSH << NAME_SHIFT) | ranks_of_three(x + 1, y + 1, z + 1)
    straight = straight_of_three(x, y, z)
    if straight:
        return (STRAIGHT << NAME_SHIFT) | (straight << 20)
    return strength


@kernel
def among_threes(strength: int) -> int:
    """Return the strength used between hands of three: trips, flush, straight (SD-9)."""
    trips = int(name_of(strength) == THREE_OF_A_KIND)
    return strength + trips * ((FLUSH + 1 - THREE_OF_A_KIND) << NAME_SHIFT)
