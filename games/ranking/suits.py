"""Suits as the last word between hands alike in name, length and ranks (SD-18 to SD-20, SD-I9)."""

from collections.abc import Sequence

from games.cards import ACE
from games.cards import rank as rank_of
from games.cards import suit as suit_of
from games.kernel import kernel
from games.ranking.names import STRAIGHT, STRAIGHT_FLUSH, name_of, top_of
from games.ranking.short_hand import among_threes
from games.ranking.weight import TIMES_SHIFT


@kernel
def importance(cards: Sequence[int], first: int, size: int, strength: int, card: int) -> int:
    """How early a card of a hand is asked for its suit, and that suit within its rank.

    In a straight the top card comes first, a low ace last. A straight flush among six cards
    stands before the card beside it. Elsewhere what occurs more often comes first.
    """
    rank, suit = rank_of(card), suit_of(card)
    if name_of(strength) == STRAIGHT:
        low_ace = rank == ACE and top_of(strength) != ACE
        return suit if low_ace else ((rank + 1) << 2) | suit
    times = 0
    for i in range(first, first + size):
        if name_of(strength) == STRAIGHT_FLUSH:
            times += int(suit_of(cards[i]) == suit)
        else:
            times += int(rank_of(cards[i]) == rank)
    return (((times << TIMES_SHIFT) | (rank + 1)) << 2) | suit


@kernel
def suits_in_order(cards: Sequence[int], first: int, size: int, strength: int) -> int:
    """The suits of a hand, most important card first, two bits each: the higher number wins."""
    suits = 0
    for i in range(first, first + size):
        own = importance(cards, first, size, strength, cards[i])
        behind = size - 1
        for j in range(first, first + size):
            other = importance(cards, first, size, strength, cards[j])
            behind -= int(other > own or (other == own and j < i))
        suits |= suit_of(cards[i]) << 2 * behind
    return suits


@kernel
def compare_strengths(mine: int, my_size: int, theirs: int, their_size: int) -> int:
    """Above 0 if mine is stronger, 0 if level but for suits, below 0 if theirs is (SD-9, SD-I2)."""
    if my_size == 3 and their_size == 3:
        return among_threes(mine) - among_threes(theirs)
    if mine == theirs:
        return my_size - their_size
    return mine - theirs
