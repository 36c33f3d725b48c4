"""Hands of a shoe are counted without listing them; here small shoes are listed."""

from collections import Counter
from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest

from games.odds.hands import census, every_hand, hand_classes, ways_to_hold


@pytest.mark.parametrize("size", [1, 2, 3, 5, 6])
@pytest.mark.parametrize("decks", [1, 2, 6, 8])
def test_classes_contain_every_hand_of_the_shoe_once(size, decks):
    hands = every_hand(size)
    counted = sum(
        int(hands.alike[hands.repeats == repeats].sum()) * ways_to_hold(int(repeats), size, decks)
        for repeats in np.unique(hands.repeats)
    )
    assert counted == comb(52 * decks, size)


@pytest.mark.parametrize(("ranks", "decks", "size"), [(3, 1, 3), (3, 2, 3), (2, 3, 5), (3, 2, 5)])
def test_hand_classes_match_a_small_shoe_listed_out(ranks, decks, size):
    listed = Counter(
        _without_names_of_suits(hand)
        for hand in combinations([c for c in range(4 * ranks) for _ in range(decks)], size)
    )
    hands = hand_classes(size, ranks)
    counted = {
        _without_names_of_suits(tuple(map(int, row))): int(alike)
        * ways_to_hold(int(repeats), size, decks)
        for row, alike, repeats in zip(hands.cards, hands.alike, hands.repeats, strict=True)
    }
    assert {hand: ways for hand, ways in counted.items() if ways} == listed
    assert len(counted) == len(hands.cards), "two rows stand for one class"


def test_a_census_answers_for_shoes_of_any_number_of_decks():
    hands = hand_classes(2)
    paired = (hands.cards[:, 0] // 4 == hands.cards[:, 1] // 4).astype(np.int64)
    counted = census(hands, paired)
    for decks in (1, 2, 6, 100):
        of_a_rank = 4 * decks  # the second card pairs the first: one of the others of its rank
        assert counted.counts(decks)[1] == 13 * comb(of_a_rank, 2)
        assert sum(counted.probabilities(decks).values()) == 1


def _without_names_of_suits(hand: tuple[int, ...]) -> tuple[int, ...]:
    return min(
        tuple(sorted(card // 4 * 4 + names[card % 4] for card in hand))
        for names in permutations(range(4))
    )
