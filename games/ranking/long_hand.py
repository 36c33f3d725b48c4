"""Hands of five to ten cards as Showdown ranks them: power hands and best five of six.

A hand is `size` cards in a row, from `first` on. A strength of `NO_HAND` means that this many cards
make no hand at all (SD-I10). Suits decide last, between hands that have the same name, length and
ranks (SD-18 to SD-20, SD-I9).
"""

from collections.abc import Sequence
from typing import Final

from games.cards import ACE
from games.cards import rank as rank_of
from games.cards import suit as suit_of
from games.kernel import kernel
from games.ranking.five_card import five_card
from games.ranking.names import (
    KIND_6,
    KIND_7,
    KIND_8,
    KIND_9,
    KIND_10,
    NAME_SHIFT,
    RUN_6,
    RUN_7,
    RUN_8,
    RUN_9,
    RUN_10,
    STRAIGHT,
    STRAIGHT_FLUSH,
    SUIT_MASK,
    TIMES_SHIFT,
    name_of,
    top_of,
)
from games.ranking.three_card import among_threes, one_card, three_of_showdown

NO_HAND: Final = -1
LONGEST: Final = 10
RUNS: Final = (RUN_6, RUN_7, RUN_8, RUN_9, RUN_10)
KINDS: Final = (KIND_6, KIND_7, KIND_8, KIND_9, KIND_10)


@kernel
def kind_of_all(cards: Sequence[int], first: int, size: int) -> int:
    """Return rank + 1 if all cards are of one rank, else 0."""
    rank = rank_of(cards[first])
    for i in range(first + 1, first + size):
        if rank_of(cards[i]) != rank:
            return 0
    return rank + 1


@kernel
def run_of_all(cards: Sequence[int], first: int, size: int) -> int:
    """Return rank + 1 of the top card if all cards are one straight flush, else 0 (X-I1)."""
    suit = cards[first] & SUIT_MASK
    ranks = 0
    for i in range(first, first + size):
        if cards[i] & SUIT_MASK != suit:
            return 0
        ranks |= 1 << rank_of(cards[i])
    both_aces = (ranks << 1) | (ranks >> 12)
    run = (1 << size) - 1
    for low in range(15 - size):
        if (both_aces >> low) & run == run:
            return low + size - 1
    return 0


@kernel
def best_five_of_six(cards: Sequence[int], first: int) -> int:
    """Return the strength of six cards by their best five, the sixth as last kicker (SD-I11)."""
    a, b, c = cards[first], cards[first + 1], cards[first + 2]
    d, e, f = cards[first + 3], cards[first + 4], cards[first + 5]
    best = five_card(a, b, c, d, e) + rank_of(f) + 1
    best = max(best, five_card(a, b, c, d, f) + rank_of(e) + 1)
    best = max(best, five_card(a, b, c, e, f) + rank_of(d) + 1)
    best = max(best, five_card(a, b, d, e, f) + rank_of(c) + 1)
    best = max(best, five_card(a, c, d, e, f) + rank_of(b) + 1)
    return max(best, five_card(b, c, d, e, f) + rank_of(a) + 1)


@kernel
def long_hand(cards: Sequence[int], first: int, size: int) -> int:
    """Return the strength of five to ten cards (SD-8, SD-I3, SD-I11)."""
    if size == 5:
        return five_card(
            cards[first], cards[first + 1], cards[first + 2], cards[first + 3], cards[first + 4]
        )
    kind = kind_of_all(cards, first, size)
    if kind:
        return (KINDS[size - 6] << NAME_SHIFT) | (kind << 20)
    run = run_of_all(cards, first, size)
    if run:
        return (RUNS[size - 6] << NAME_SHIFT) | (run << 20)
    if size == 6:
        return best_five_of_six(cards, first)
    return NO_HAND


@kernel
def hand_of_showdown(cards: Sequence[int], first: int, size: int) -> int:
    """Return the strength of a hand of any size, for use against any other (SD-I2, SD-I3)."""
    if size == 1:
        return one_card(cards[first])
    if size == 3:
        return three_of_showdown(cards[first], cards[first + 1], cards[first + 2])
    if 5 <= size <= LONGEST:
        return long_hand(cards, first, size)
    return NO_HAND


@kernel
def importance(cards: Sequence[int], first: int, size: int, strength: int, card: int) -> int:
    """Return how early a card's suit is compared, and that suit within its rank.

    In a straight the top card comes first, a low ace last. A straight flush among six cards comes
    before the sixth card. Otherwise the cards that occur more often come first.
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
    """Return the suits of a hand, most important first, two bits each: the higher number wins."""
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
    """Return above 0 if mine is stronger, 0 if equal but for suits, else below 0 (SD-9, SD-I2)."""
    if my_size == 3 and their_size == 3:
        return among_threes(mine) - among_threes(theirs)
    if mine == theirs:
        return my_size - their_size
    return mine - theirs
