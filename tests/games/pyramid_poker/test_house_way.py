"""The House Way over every three ranks, compared with the document's list for each kind."""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations

import pytest

from games.cards import RANKS
from games.kernel import compiled
from games.pyramid_poker.house_way import house_way
from games.pyramid_poker.settle import fouls

EVERY_HAND = list(combinations_with_replacement(range(13), 3))  # 455: ranks low to high

# The document's list a to d: with this third card or a higher one the pair is kept together.
KEPT_FROM = {"J": "7", "Q": "8", "K": "9", "A": "T"}


def by_the_document(hand, *, split_at_four):
    """Return the low card by the document: trips, pairs by the list, the middle of three."""
    low, middle, high = hand
    if low == high:
        return low
    if low != middle != high:
        return middle
    pair, third = (low, high) if low == middle else (high, low)
    if RANKS[pair] not in KEPT_FROM:
        return third
    least = RANKS.index(KEPT_FROM[RANKS[pair]])
    if split_at_four:
        least += 1  # "split if the kicker is not less than 4 units": exactly four below splits too
    return third if third >= least else pair


@pytest.mark.parametrize("split_at_four", [False, True])
def test_every_hand_is_set_as_the_list_and_the_sentences_say(split_at_four):
    # PP-14, PP-15, PP-16, PP-17, PP-I13
    for hand in EVERY_HAND:
        for dealt in permutations(hand):
            assert house_way(*dealt, split_at_four=split_at_four) == by_the_document(
                hand, split_at_four=split_at_four
            ), [RANKS[card] for card in dealt]


@pytest.mark.parametrize("split_at_four", [False, True])
def test_the_house_way_never_fouls(split_at_four):
    # PP-18, proven over every hand
    for hand in EVERY_HAND:
        low = house_way(*hand, split_at_four=split_at_four)
        high = list(hand)
        high.remove(low)
        assert not fouls(low, *high), [RANKS[card] for card in hand]


def test_the_two_readings_differ_on_four_hands_only():
    # PP-I13: J-J-7, Q-Q-8, K-K-9, A-A-T
    differ = [
        "".join(RANKS[card] for card in hand)
        for hand in EVERY_HAND
        if house_way(*hand, split_at_four=True) != house_way(*hand, split_at_four=False)
    ]
    assert differ == ["7JJ", "8QQ", "9KK", "TAA"]


def test_the_documents_example_plays_the_ten_low():
    # PP-17: K-T-8 is played T low, K-8 high
    assert RANKS[house_way(RANKS.index("K"), RANKS.index("T"), RANKS.index("8"),
                           split_at_four=False)] == "T"  # fmt: skip


def test_the_compiled_house_way_is_the_plain_one():
    twin = compiled(house_way)
    for hand in EVERY_HAND:
        for split_at_four in (False, True):
            assert twin(*hand, split_at_four=split_at_four) == house_way(
                *hand, split_at_four=split_at_four
            )
