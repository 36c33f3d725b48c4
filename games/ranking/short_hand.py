"""Hands of one card and of three under the five-card names, so that they compare with five.

Chinese Poker's front knows no straights and flushes (CP-5). Showdown and Casino Version rank
three cards in an order of their own (SD-9, CV-I5), in which there is no straight flush: between
two hands of three that order holds, against longer hands the five-card names do (SD-I2).
"""

from typing import Final

from games.cards import rank as rank_of
from games.kernel import kernel
from games.ranking.names import (
    FLUSH,
    HIGH_CARD,
    NAME_SHIFT,
    ONE_PAIR,
    STRAIGHT,
    THREE_OF_A_KIND,
    name_of,
)
from games.ranking.three_card import ranks_of_three, straight_of_three, suited_three
from games.ranking.weight import sorted_three, three_weights, times_of

NAMES_BY_TIMES: Final = HIGH_CARD << 4 | ONE_PAIR << 8 | THREE_OF_A_KIND << 12


@kernel
def one_card(card: int) -> int:
    """Strength of a single card."""
    return (HIGH_CARD << NAME_SHIFT) | ((rank_of(card) + 1) << 20)


@kernel
def front(a: int, b: int, c: int) -> int:
    """Strength of Chinese Poker's front: three of a kind, a pair or high cards (CP-5)."""
    x, y, z = three_weights(a, b, c)
    return (name_of_group(x) << NAME_SHIFT) | ranks_of_three(x, y, z)


@kernel
def name_of_group(x: int) -> int:
    """The name that equal ranks alone give to three cards, by the heaviest weight."""
    return (NAMES_BY_TIMES >> 4 * times_of(x)) & 15


@kernel
def three_of_showdown(a: int, b: int, c: int) -> int:
    """Strength of three cards of Showdown or Casino Version, for use against any size (SD-I2).

    The name is the highest that fits by SD-9: three suited tens are three of a kind, three
    suited cards in sequence or with a pair are a flush.
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
    """The same strength where both hands have three cards: trips, flush, straight (SD-9)."""
    trips = int(name_of(strength) == THREE_OF_A_KIND)
    return strength + trips * ((FLUSH + 1 - THREE_OF_A_KIND) << NAME_SHIFT)
