"""How hands of a definition rank, against counts of all hands and another program."""

from collections import Counter
from itertools import combinations, pairwise
from random import Random

from phevaluator import evaluate_cards

from games.cards import SPELLING
from games.definition.build import BUILT_IN
from games.families.stud.strength import PLACE_SHIFT, codes_of, hand_strength


def strength(cards, ranking):
    return hand_strength(
        bytes(cards), range(len(cards)), BUILT_IN[ranking].cards, codes_of(BUILT_IN[ranking])
    )


def test_three_cards_have_the_known_counts():
    order = BUILT_IN["three_card"].order
    counts = Counter(
        order[len(order) - (strength(cards, "three_card") >> PLACE_SHIFT)]
        for cards in combinations(range(52), 3)
    )
    assert counts == {
        "straight_flush": 48, "three_of_a_kind": 52, "straight": 720, "flush": 1096, "pair": 3744,
        "high_card": 16440,
    }  # fmt: skip


def test_best_five_of_seven_compare_as_elsewhere():
    random = Random(7)
    hands = [random.sample(range(52), 7) for _ in range(1_500)]
    mine = [strength(cards, "five_card") for cards in hands]
    theirs = [-evaluate_cards(*(SPELLING[card] for card in cards)) for cards in hands]
    pairs = list(zip(mine, theirs, strict=True))
    for (a, b), (c, d) in pairwise(pairs):
        assert (a > c) - (a < c) == (b > d) - (b < d)


def test_longest_flush_counts_then_its_ranks():
    long = strength([0, 4, 8, 12, 17, 21, 25], "flush_length")
    high = strength([0, 4, 48, 13, 17, 21, 26], "flush_length")
    assert long >> PLACE_SHIFT == 4
    assert high >> PLACE_SHIFT == 3
    assert long > high


def test_low_ace_makes_the_lowest_straight():
    wheel = strength([48, 1, 6], "three_card")
    next_up = strength([1, 6, 11], "three_card")
    assert wheel < next_up
