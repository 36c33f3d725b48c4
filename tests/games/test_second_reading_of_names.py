"""How often each name occurs, compared with counts from combinatorics."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from tests.games.second_reading import ranking
from tests.games.second_reading.cards import RANKS, SUITS, Card, plain_card


def deck(ranks: str) -> list[Card]:
    return [plain_card(rank + suit) for rank in ranks for suit in SUITS]


def counted(ranks: str, size: int, names: tuple[str, ...]) -> dict[str, int]:
    deals = combinations(deck(ranks), size)
    return dict(Counter(ranking.name_of(cards, names) for cards in deals))


def test_three_cards_of_one_deck_fall_into_the_known_counts():
    assert counted("".join(RANKS), 3, ranking.PICK_THREE) == {
        "royal_flush": 4,
        "straight_flush": 44,
        "three_of_a_kind": 52,
        "straight": 720,
        "flush": 1096,
        "one_pair": 3744,
        "high_card": 16440,
    }


def test_five_cards_of_top_ranks_match_hand_counts():
    assert counted("AKQJT", 5, ranking.POKER) == {
        "royal_flush": 4,
        "four_of_a_kind": 5 * 16,
        "full_house": 5 * 4 * 4 * 6,
        "straight": 4**5 - 4,
        "three_of_a_kind": 5 * 4 * 6 * 4 * 4,  # two of the other four ranks, any suits
        "two_pairs": 10 * 6 * 6 * 3 * 4,
        "one_pair": 5 * 6 * 4 * 4**3,
    }


def test_five_cards_of_six_ranks_match_hand_counts():
    """Ace to six: A-2-3-4-5 and 2-3-4-5-6 are the straights, with four more sets of five ranks."""
    assert counted("A23456", 5, ranking.POKER) == {
        "straight_flush": 2 * 4,
        "four_of_a_kind": 6 * 20,
        "full_house": 6 * 4 * 5 * 6,
        "flush": 4 * 4,
        "straight": 2 * (4**5 - 4),
        "three_of_a_kind": 6 * 4 * 10 * 4 * 4,
        "two_pairs": 15 * 6 * 6 * 4 * 4,
        "one_pair": 6 * 6 * 10 * 4**3,
        "high_card": 4 * (4**5 - 4),
    }
