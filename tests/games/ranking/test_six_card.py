"""The six-card table's lines (PP-29, PP-I6), compared with a plain version by sets."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from games.cards import JACK
from games.kernel import compiled
from games.ranking import six_card
from games.ranking.six_card import six_card_lines
from tests.games.ranking.hands import cards

WHEEL = {12, 0, 1, 2, 3}
SEQUENCES = [WHEEL, *({*range(low, low + 5)} for low in range(9))]

SEQUENCES_OF_SIX = [WHEEL | {4}, *({*range(low, low + 6)} for low in range(8))]
USUAL = (1 << 10) - 1
"""The lines of PP-29; a pay table may have others."""


def further_lines(hand, times):
    """Return each line that a pay table may have beside those of PP-29."""
    groups = sorted(times.values(), reverse=True)
    lines = 0
    if any(rank >= JACK for rank, number in times.items() if number >= 2):
        lines |= six_card.LINE_PAIR_OF_JACKS_OR_BETTER
    if sum(number >= 2 for number in groups) == 3:
        lines |= six_card.LINE_THREE_PAIRS
    if groups == [3, 3]:
        lines |= six_card.LINE_TWO_THREES_OF_A_KIND
    one_suit = len({card % 4 for card in hand}) == 1
    if one_suit:
        lines |= six_card.LINE_FLUSH_OF_SIX
    if set(times) in SEQUENCES_OF_SIX:
        lines |= six_card.LINE_STRAIGHT_OF_SIX
        if one_suit:
            lines |= six_card.LINE_STRAIGHT_FLUSH_OF_SIX
    return lines


def lines_by_definition(hand):
    """Return each line, defined by a sentence about some five or all of the six cards."""
    times = Counter(card // 4 for card in hand)
    groups = sorted(times.values(), reverse=True)
    lines = 0
    for needed, line in (
        (3, six_card.LINE_THREE_OF_A_KIND),
        (4, six_card.LINE_FOUR_OF_A_KIND),
        (5, six_card.LINE_FIVE_OF_A_KIND),
        (6, six_card.LINE_SIX_OF_A_KIND),
    ):
        if groups[0] >= needed:
            lines |= line
    if len(groups) > 1 and groups[1] >= 2:
        lines |= six_card.LINE_TWO_PAIRS
        if groups[0] >= 3:
            lines |= six_card.LINE_FULL_HOUSE
    lines |= further_lines(hand, times)
    for five in combinations(hand, 5):
        ranks = {card // 4 for card in five}
        suited = len({card % 4 for card in five}) == 1
        if suited:
            lines |= six_card.LINE_FLUSH
        if ranks in SEQUENCES:
            lines |= six_card.LINE_STRAIGHT
            if suited:
                lines |= six_card.LINE_STRAIGHT_FLUSH
            if suited and ranks == {8, 9, 10, 11, 12}:
                lines |= six_card.LINE_ROYAL_FLUSH
    return lines


def rich_hands(random, number):
    """Return hands of few ranks, few suits or a stretch of one suit, so rare lines are frequent."""
    for _ in range(number):
        suits = random.sample(range(4), random.randint(1, 4))
        low = random.randrange(13)
        ranks = [(low + step) % 13 for step in range(random.randint(1, 8))]
        yield [4 * random.choice(ranks) + random.choice(suits) for _ in range(6)]


def test_definition_lines_match_on_rare_hands():
    seen = Counter()
    for hand in rich_hands(Random(29), 20_000):
        lines = six_card_lines(*hand)
        assert lines == lines_by_definition(hand)
        seen[lines] += 1
    assert all(any(lines & bit for lines in seen) for bit in (1 << i for i in range(16)))


@pytest.mark.parametrize(
    ("hand", "best"),
    [
        ("Ts Ts Th Td Tc Tc", six_card.LINE_SIX_OF_A_KIND),
        ("As Ks Qs Js Ts As", six_card.LINE_ROYAL_FLUSH),
        ("9s Ks Qs Js Ts 2h", six_card.LINE_STRAIGHT_FLUSH),
        ("As 2s 3s 4s 5s Kh", six_card.LINE_STRAIGHT_FLUSH),
        ("Ts Ts Th Td Tc 9c", six_card.LINE_FIVE_OF_A_KIND),
        ("3s 3h 3d 8s 8h 8d", six_card.LINE_FULL_HOUSE),
        ("3s 3h 8s 8h Ks Kd", six_card.LINE_TWO_PAIRS),
        ("3s 3h 8s 7h Ks Kd", six_card.LINE_TWO_PAIRS),
    ],
)
def test_best_line_needs_an_interpretation_pp_i6(hand, best):
    assert 1 << (six_card_lines(*cards(hand)) & USUAL).bit_length() - 1 == best


@pytest.mark.parametrize("hand", ["As Kh Qd Js 9c 8c", "Ks Ah 2d 3s 4c 9c", "3s 3h 8s 7h Ks Qd"])
def test_high_cards_and_one_pair_fit_no_line(hand):
    assert six_card_lines(*cards(hand)) & USUAL == 0


def test_the_compiled_twin_agrees():
    twin = compiled(six_card_lines)
    for hand in rich_hands(Random(30), 5_000):
        assert twin(*hand) == six_card_lines(*hand)
