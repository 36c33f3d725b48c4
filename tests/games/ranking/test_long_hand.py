"""Showdown's hands of one to ten cards: power hands, best five of six, suits, mixed sizes."""

from itertools import permutations
from random import Random

import numpy as np
import pytest

from games.kernel import compiled
from games.ranking import names
from games.ranking.long_hand import NO_HAND, compare_strengths, hand_of_showdown, suits_in_order
from games.ranking.names import name_of
from tests.games.ranking.hands import cards


def strength(text):
    hand = cards(text)
    return hand_of_showdown(hand, 0, len(hand))


def compare(mine, theirs):
    return compare_strengths(
        strength(mine), len(mine.split()), strength(theirs), len(theirs.split())
    )


def run(size, suit="s", low=0):
    return " ".join("23456789TJQKA"[low + i] + suit for i in range(size))


def kind(size, rank="9"):
    return " ".join(rank + "cdhs"[i % 4] for i in range(size))


# SD-17, hand 6: what each is worth; SD-I3 uses this order, with a kind over a run of equal worth.
BY_WORTH = [
    (4, kind(4) + " 2s"),
    (5, run(5)),
    (6, kind(5)),
    (8, run(6)),
    (10, kind(6)),
    (11, run(7)),
    (14, run(8)),
    (14, kind(7)),
    (17, run(9)),
    (18, kind(8)),
    (20, run(10)),
    (22, kind(9)),
    (26, kind(10)),
]


def test_power_hands_rank_by_value_as_hand_6_sd_i3():
    strengths = [strength(hand) for _, hand in BY_WORTH]
    assert strengths == sorted(strengths)
    assert len({name_of(s) for s in strengths}) == len(BY_WORTH)


@pytest.mark.parametrize("size", [6, 7, 8, 9, 10])
def test_runs_and_kinds_of_equal_length_compare_top_cards(size):
    assert compare(run(size, low=1), run(size)) > 0
    assert compare(kind(size, "A"), kind(size, "K")) > 0
    low_ace = "As " + run(size - 1)
    assert name_of(strength(low_ace)) == name_of(strength(run(size)))
    assert compare(run(size), low_ace) > 0


@pytest.mark.parametrize(
    "hand",
    [
        "9s 9h",
        "9s 9h 9d 9c",
        kind(11),
        kind(6) + " 2s",
        "Qs Ks As 2s 3s 4s 5s",
        "2s 3s 4s 5s 6s 7s 7s",
        "2s 3s 4s 5s 6s 7s 8h",
    ],
)
def test_other_sizes_without_power_name_are_no_hand_sd_i10(hand):
    assert strength(hand) == NO_HAND


@pytest.mark.parametrize(
    ("hand", "name"),
    [
        ("9s 9h 9d 9c 9s 2h", names.FIVE_OF_A_KIND),
        ("9s 9h 9d 9c 2s 2h", names.FOUR_OF_A_KIND),
        ("5s 6s 7s 8s 9s 2h", names.STRAIGHT_FLUSH),
        ("5s 6s 7s 8s 9s 9h", names.STRAIGHT_FLUSH),
        ("9s 9h 9d 8s 8h 8d", names.FULL_HOUSE),
        ("9s 9h 9d 8s 8h 7d", names.FULL_HOUSE),
        ("9s 9h 8d 8s 7h 7d", names.TWO_PAIRS),
        ("9s 9h 9d 8s 7h 6d", names.THREE_OF_A_KIND),
    ],
)
def test_six_cards_are_named_by_their_best_five_sd_i11(hand, name):
    for order in permutations(hand.split()):
        assert name_of(strength(" ".join(order))) == name


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("9s 9h 9d 8s 8h 8d", "9s 9h 9d 8s 8h 7d"),
        ("9s 9h 9d 8s 8h 2d", "9s 9h 9d 8s 8h"),
        ("9s 9h 9d 9c Ks Qh", "9s 9h 9d 9c Ks Jh"),
        ("5s 6s 7s 8s 9s 3h", "5s 6s 7s 8s 9s 2h"),
        ("5s 6s 7s 8s 9s 2h", "5s 6s 7s 8s 9s"),
    ],
)
def test_sixth_card_is_last_kicker_and_longer_hand_higher(higher, lower):
    assert compare(higher, lower) > 0
    assert compare(lower, higher) < 0


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("9s 9h 9d", "Ks Qs 2s"),  # two threes: SD-9
        ("Ks Qs 2s", "Qs Kh Ad"),
        ("Ks Qs 2s 3s 4s", "9s 9h 9d"),  # a five against a three: the five-card names
        ("9s 8s 2s", "Ts 9h 8d 7c 6s"),
        ("2s 3s 4h 5s 6h", "9s 9h 9d"),
        ("9s 9h 9d", "As Ah Kd Kc Qs"),
        ("Ts 9h 8d 7c 6s", "Ts 9h 8d"),  # equal tops: the longer hand
        ("As Ks Qs 5s 4s", "As Ks Qs"),
        ("As Kh Qd", "As"),
        ("As", "Ks Qh 9d"),
        ("9s 9h Kd 3s 2s", "9s 9h Kd"),
        ("9s 9h Kd", "9s 9h Qd 3s 2s"),
    ],
)
def test_hands_of_different_sizes_compare_by_name_sd_i2(higher, lower):
    assert compare(higher, lower) > 0
    assert compare(lower, higher) < 0


def test_strength_across_sizes_is_not_transitive_sd_i15():
    trips, straight, three_straight = "9s 9h 9d", "2s 3h 4d 5c 6s", "Qs Kh Ad"
    assert compare(trips, three_straight) > 0
    assert compare(three_straight, straight) > 0
    assert compare(straight, trips) > 0


def suits(text):
    hand = cards(text)
    return suits_in_order(hand, 0, len(hand), strength(text))


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("As", "Ah"),
        ("Ah", "Ad"),
        ("Ad", "Ac"),
        ("9s 8h 7c 6c 5c", "9h 8s 7s 6s 5s"),  # a straight from its top card
        ("5s 4h 3c 2c Ac", "5h 4s 3s 2s As"),  # a low ace last
        ("5s 4s 3s 2h As", "5s 4s 3s 2h Ah"),
        ("9s 9c 9c Kh Kh", "9h 9h 9h Ks Ks"),  # the trips count more than the higher pair
        ("2c 2c 2c Ks Kh", "2c 2c 2c Ks Kd"),
        ("Ks 9c 8c", "Kh 9s 8s"),
        ("9s 9c 4c", "9h 9d 4s"),  # within a rank the higher suits first
        ("5s 6s 7s 8s 9s 9h", "5h 6h 7h 8h 9h 9s"),  # the run before the sixth card
        ("5s 6s 7s 8s 9s 9h", "5s 6s 7s 8s 9s 9d"),
        ("As Jo=Kd Qd", "Ah Ks Qs"),
        ("Jo=As Kd Qc", "Ah Ks Qs"),  # a joker has the suit that it was named with
        (run(7, "h"), run(7, "d")),
        ("9s 9s 9s 9s 9s 9s 9h", "9s 9s 9s 9s 9s 9s 9d"),
    ],
)
def test_suits_decide_card_by_card_in_order_of_weight_sd_i9(higher, lower):
    assert compare(higher, lower) == 0
    assert suits(higher) > suits(lower)


def test_identical_hands_are_level_even_by_suits_sd_20():
    assert suits("Jo=9s Tc Jd") == suits("Jd 9s Tc")
    assert compare("Jo=9s Tc Jd", "Jd 9s Tc") == 0


def rich_hands(random, number):
    for _ in range(number):
        size = random.choice((1, 3, 5, 5, 6, 6, 7, 8, 9, 10))
        suit_set = random.sample(range(4), random.choice((1, 1, 2, 4)))
        low, spread = random.randrange(13), random.choice((1, 2, size, size))
        ranks = [(low + step) % 13 for step in range(spread)]
        if random.random() < 0.5 and len(ranks) >= size:
            yield [4 * r + random.choice(suit_set) for r in ranks[:size]]
        else:
            yield [4 * random.choice(ranks) + random.choice(suit_set) for _ in range(size)]


def test_card_order_and_named_jokers_change_nothing():
    twin, suits_twin = compiled(hand_of_showdown), compiled(suits_in_order)
    random = Random(17)
    seen = set()
    for hand in rich_hands(random, 6_000):
        plain = hand_of_showdown(hand, 0, len(hand))
        other = [card + random.choice((0, 64)) for card in hand]
        random.shuffle(other)
        assert hand_of_showdown(other, 0, len(hand)) == plain
        padded = np.array([0, *hand, 0], np.int8)
        assert twin(padded, 1, len(hand)) == plain
        if plain != NO_HAND:
            order = suits_in_order(hand, 0, len(hand), plain)
            assert suits_in_order(other, 0, len(hand), plain) == order
            assert suits_twin(padded, 1, len(hand), plain) == order
        seen.add(name_of(plain) if plain != NO_HAND else NO_HAND)
    assert seen == {NO_HAND, *range(names.NAMES)}
