"""Three-card orders over a whole deck: Pyramid Poker and Pick 2, Showdown, Chinese fronts."""

from collections import Counter
from itertools import combinations, pairwise
from random import Random

import pytest
from pokerkit import Card, RhodeIslandHoldemLookup

from games.cards import SPELLING
from games.kernel import compiled
from games.ranking import names, three_card
from games.ranking.names import name_of
from games.ranking.three_card import among_threes, front, one_card, three_of_showdown
from tests.games.ranking.hands import cards

DECK = range(52)
ALL = list(combinations(DECK, 3))

# Counted by hand: 4 suits x 12 sequences (A-K-Q among them) suited, 12 x 64 - 48 unsuited, 13 x 4
# trips, 4 x 286 - 48 flushes, 13 x 6 x 48 pairs.
PYRAMID = {
    three_card.ACE_KING_QUEEN_SUITED: 4,
    three_card.THREE_STRAIGHT_FLUSH: 44,
    three_card.THREE_TRIPS: 52,
    three_card.THREE_STRAIGHT: 720,
    three_card.THREE_FLUSH: 1_096,
    three_card.THREE_ONE_PAIR: 3_744,
    three_card.THREE_HIGH_CARD: 16_440,
}
SHOWDOWN = {
    names.THREE_OF_A_KIND: 52,
    names.FLUSH: 1_096 + 48,
    names.STRAIGHT: 720,
    names.ONE_PAIR: 3_744,
    names.HIGH_CARD: 16_440,
}
CHINESE_FRONT = {
    names.THREE_OF_A_KIND: 52,
    names.ONE_PAIR: 3_744,
    names.HIGH_CARD: 16_440 + 1_096 + 720 + 48,
}


@pytest.mark.parametrize(
    ("rank", "counts"),
    [
        (three_card.three_card, PYRAMID),
        (three_of_showdown, SHOWDOWN),
        (front, CHINESE_FRONT),
    ],
)
def test_one_deck_22100_hands_have_known_counts(rank, counts):
    assert Counter(name_of(rank(*hand)) for hand in ALL) == counts


def test_three_card_order_matches_pokerkit():
    """Rhode Island hold'em ranks three cards as PP-28 and P2-12 do; its best is A-K-Q suited."""
    lookup = RhodeIslandHoldemLookup()
    known = {card: next(iter(Card.parse(SPELLING[card]))) for card in DECK}
    pairs = sorted(
        {
            (three_card.three_card(*hand), lookup.get_entry([known[c] for c in hand]).index)
            for hand in ALL
        }
    )
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(pairs))


@pytest.mark.parametrize(
    ("hand", "name"),
    [
        ("Ts Ts Th", three_card.THREE_TRIPS),
        ("Ts Ts Ts", three_card.THREE_TRIPS),
        ("Ts Ts 9s", three_card.THREE_FLUSH),
        ("Ts Ts 9h", three_card.THREE_ONE_PAIR),
        ("As 2s 3s", three_card.THREE_STRAIGHT_FLUSH),
        ("As 2s 3h", three_card.THREE_STRAIGHT),
        ("Ks As 2h", three_card.THREE_HIGH_CARD),
        ("As Ks Qs", three_card.ACE_KING_QUEEN_SUITED),
        ("As Ks Qh", three_card.THREE_STRAIGHT),
    ],
)
def test_shoe_hand_has_highest_name_that_fits_x_i2(hand, name):
    assert name_of(three_card.three_card(*cards(hand))) == name


def test_suited_pair_fits_flush_and_pair_line_pp_i5():
    both = three_card.LINE_FLUSH | three_card.LINE_ONE_PAIR
    assert three_card.three_card_lines(*cards("9s 9s 8s")) == both


def test_three_of_a_kind_fits_the_pair_line_too_pp_i5():
    both = three_card.LINE_THREE_OF_A_KIND | three_card.LINE_ONE_PAIR
    assert three_card.three_card_lines(*cards("Ts Th Td")) == both


def test_ace_king_queen_suited_fits_four_lines():
    assert three_card.three_card_lines(*cards("Ks As Qs")) == (
        three_card.LINE_ACE_KING_QUEEN_SUITED
        | three_card.LINE_STRAIGHT_FLUSH
        | three_card.LINE_STRAIGHT
        | three_card.LINE_FLUSH
    )


@pytest.mark.parametrize(
    ("hand", "line", "fits"),
    [
        ("Js Jh 2d", three_card.LINE_PAIR_OF_JACKS_OR_BETTER, True),
        ("Ts Th Ad", three_card.LINE_PAIR_OF_JACKS_OR_BETTER, False),
        ("Qs Qh Qd", three_card.LINE_PAIR_OF_JACKS_OR_BETTER, True),
        ("As Ah Ad", three_card.LINE_THREE_ACES, True),
        ("Ks Kh Kd", three_card.LINE_THREE_ACES, False),
        ("7s 7s 7s", three_card.LINE_SUITED_THREE_OF_A_KIND, True),
        ("7s 7s 7h", three_card.LINE_SUITED_THREE_OF_A_KIND, False),
    ],
)
def test_further_lines_fit_three_cards(hand, line, fits):
    assert bool(three_card.three_card_lines(*cards(hand)) & line) == fits


def test_the_best_line_of_a_hand_of_one_deck_is_its_name():
    line_of = {
        three_card.THREE_HIGH_CARD: 0,
        three_card.THREE_ONE_PAIR: three_card.LINE_ONE_PAIR,
        three_card.THREE_FLUSH: three_card.LINE_FLUSH,
        three_card.THREE_STRAIGHT: three_card.LINE_STRAIGHT,
        three_card.THREE_TRIPS: three_card.LINE_THREE_OF_A_KIND,
        three_card.THREE_STRAIGHT_FLUSH: three_card.LINE_STRAIGHT_FLUSH,
        three_card.ACE_KING_QUEEN_SUITED: three_card.LINE_ACE_KING_QUEEN_SUITED,
    }
    for hand in ALL:
        lines = three_card.three_card_lines(*hand)
        usual = lines & ((1 << 6) - 1)
        best = 1 << usual.bit_length() - 1 if usual else 0
        assert best == line_of[name_of(three_card.three_card(*hand))]


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("2s 3h 4d", "As 2h 3d"),
        ("As Kh Qd", "Ks Qh Jd"),
        ("Ts 8s 2s", "Ts 7s 6s"),
        ("Ts Ts 2s", "Ts 9s 7s"),
    ],
)
def test_low_aces_and_suited_pairs_compare_by_weight(higher, lower):
    assert three_card.three_card(*cards(higher)) > three_card.three_card(*cards(lower))


@pytest.mark.parametrize(
    ("hand", "name"),
    [
        ("9s Ts Js", names.FLUSH),
        ("Ts Ts Ts", names.THREE_OF_A_KIND),
        ("Ts Ts 4s", names.FLUSH),
        ("Jo=Ts Ts 4h", names.ONE_PAIR),
        ("As 2h 3s", names.STRAIGHT),
    ],
)
def test_three_cards_of_showdown_know_no_straight_flush_sd_9(hand, name):
    assert name_of(three_of_showdown(*cards(hand))) == name


def test_trips_beat_flush_beats_straight_in_threes_sd_9():
    trips, flush, straight, pair = (
        among_threes(three_of_showdown(*cards(text)))
        for text in ("2s 2h 2d", "9s Ts Js", "Qs Kh Ad", "As Ah Kd")
    )
    assert trips > flush > straight > pair > among_threes(three_of_showdown(*cards("As Kh Jd")))


def test_single_cards_rank_from_deuce_to_ace():
    strengths = [one_card(card) for card in DECK]
    assert strengths == sorted(strengths)
    assert len(set(strengths)) == 13


@pytest.mark.parametrize("rank", [three_card.three_card, three_of_showdown, front])
def test_relabeled_suits_and_card_order_change_nothing(rank):
    random = Random(3)
    for _ in range(3_000):
        hand = [random.choice((random.randrange(52), random.randrange(12))) for _ in range(3)]
        suits = random.sample(range(4), 4)
        other = [card // 4 * 4 + suits[card % 4] + random.choice((0, 64)) for card in hand]
        random.shuffle(other)
        assert rank(*other) == rank(*hand)


@pytest.mark.parametrize(
    "rank", [three_card.three_card, three_card.three_card_lines, three_of_showdown, front]
)
def test_the_compiled_twin_agrees_on_every_hand_of_a_shoe(rank):
    twin = compiled(rank)
    random = Random(4)
    for hand in random.sample(ALL, 4_000):
        assert twin(*hand) == rank(*hand)
    for _ in range(4_000):
        few = random.sample(DECK, random.randint(1, 3))
        hand = [random.choice(few) + random.choice((0, 64)) for _ in range(3)]
        assert twin(*hand) == rank(*hand)
