"""Every hand that a shoe of any size can deal, once per class, ordered like the second reading.

Hands that differ only in the names of suits are one class; a class has as many copies of a card as
the hand has cards, so five of a kind and suited pairs are included.
"""

from __future__ import annotations

from itertools import combinations_with_replacement, pairwise

import pytest

from games.cards import RANKS, SUITS
from games.odds.hands import hand_classes
from games.ranking import names
from games.ranking.five_card import five_card
from games.ranking.long_hand import hand_of_showdown, suits_in_order
from games.ranking.names import in_one_deck, name_of
from games.ranking.three_card import among_threes, front, three_card, three_of_showdown
from tests.games.second_reading import ranking
from tests.games.second_reading.cards import as_set


def one_deck(*hand):
    return in_one_deck(five_card(*hand))


def among_three(*hand):
    return among_threes(three_of_showdown(*hand))


def in_one_order(evaluate, hands, scale):
    """Return whether both rankings order the same hands alike, equal ones together."""
    pairs = sorted({(evaluate(*hand), ranking.strength(read(hand), scale)) for hand in hands})
    return all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(pairs))


def read(hand):
    return as_set(" ".join(RANKS[card >> 2] + SUITS[card & 3] for card in hand))


@pytest.mark.parametrize(
    ("evaluate", "scale"),
    [
        (three_card, ranking.PICK_THREE),
        (among_three, ranking.PYRAMID_THREE),
        (front, ranking.FRONT),
    ],
)
def test_three_card_order_matches_second_reading(evaluate, scale):
    hands = hand_classes(3).cards.tolist()
    assert len(hands) == 2_093
    assert in_one_order(evaluate, hands, scale)


@pytest.mark.parametrize("ranks", [6, pytest.param(13, marks=pytest.mark.deep)])
@pytest.mark.parametrize(
    ("evaluate", "scale"), [(five_card, ranking.PYRAMID_FIVE), (one_deck, ranking.POKER)]
)
def test_five_card_order_matches_second_reading(evaluate, scale, ranks):
    assert in_one_order(evaluate, hand_classes(5, ranks).cards.tolist(), scale)


@pytest.mark.parametrize(("size", "cards"), [(1, 52), (3, 24), (5, 13)])
def test_only_identical_hands_are_equal_after_suits_sd_20(size, cards):
    """Over every hand of a small shoe, strength and suits together distinguish any two hands."""
    # low cards and aces, so that straights from the ace down and up are included
    deck = [*range(cards - 4), *range(48, 52)]
    hands = [list(hand) for hand in combinations_with_replacement(deck, size)]
    named = set()
    for hand in hands:
        strength = hand_of_showdown(hand, 0, size)
        named.add((strength, suits_in_order(hand, 0, size, strength)))
    assert len(named) == len(hands)


def test_only_identical_full_houses_are_equal_by_suits_sd_i11():
    deck = [*range(7), *range(48, 52)]
    named, number = set(), 0
    for hand in map(list, combinations_with_replacement(deck, 6)):
        strength = hand_of_showdown(hand, 0, 6)
        if name_of(strength) >= names.FULL_HOUSE:
            named.add((strength, suits_in_order(hand, 0, 6, strength)))
            number += 1
    assert number > 1_500
    assert len(named) == number
