"""The five-card rank over whole decks, compared with evaluators written by others."""

from collections import Counter
from itertools import combinations
from random import Random

import numpy as np
import pytest
from phevaluator import evaluate_cards
from pokerkit import Card, StandardLookup

from games.cards import ACE, SPELLING
from games.kernel import compiled, jit
from games.ranking import names
from games.ranking.five_card import five_card
from games.ranking.names import in_one_deck, name_of, top_of
from tests.games.ranking.hands import cards

DECK = range(52)

# Published frequencies of the 2,598,960 hands of one deck.
FIVE_CARD_HANDS = {
    names.STRAIGHT_FLUSH: 36 + 4,
    names.FOUR_OF_A_KIND: 624,
    names.FULL_HOUSE: 3_744,
    names.FLUSH: 5_108,
    names.STRAIGHT: 10_200,
    names.THREE_OF_A_KIND: 54_912,
    names.TWO_PAIRS: 123_552,
    names.ONE_PAIR: 1_098_240,
    names.HIGH_CARD: 1_302_540,
}


def strength(text):
    return five_card(*cards(text))


@pytest.fixture(scope="module")
def all_strengths():
    """Return the strength of every hand of one deck, in the order of `combinations`."""
    evaluate = compiled(five_card)

    def fill(out):
        i = 0
        for a in range(52):
            for b in range(a + 1, 52):
                for c in range(b + 1, 52):
                    for d in range(c + 1, 52):
                        for e in range(d + 1, 52):
                            out[i] = evaluate(a, b, c, d, e)
                            i += 1

    out = np.empty(2_598_960, np.int64)
    jit(fill)(out)
    return out


def test_one_deck_hands_have_the_published_counts(all_strengths):
    kinds, counts = np.unique(all_strengths >> names.NAME_SHIFT, return_counts=True)
    assert dict(zip(kinds.tolist(), counts.tolist(), strict=True)) == FIVE_CARD_HANDS


def test_one_deck_has_7462_strengths_and_four_royal_flushes(all_strengths):
    assert len(np.unique(all_strengths)) == 7_462
    best = int(all_strengths.max())
    assert (name_of(best), top_of(best)) == (names.STRAIGHT_FLUSH, ACE)
    assert (all_strengths == best).sum() == 4


def same_order(mine, theirs, *, lower_wins):
    """Return whether two lists of strengths order the same hands alike, ties included."""
    pairs = np.unique(np.column_stack([mine, theirs]), axis=0)
    steps = np.diff(pairs[:, 1])
    return len(np.unique(pairs[:, 0])) == len(pairs) and bool(
        (steps < 0).all() if lower_wins else (steps > 0).all()
    )


def test_hand_order_matches_phevaluator_and_pokerkit():
    random = Random(20081)
    hands = [random.sample(DECK, 5) for _ in range(20_000)]
    # random deals rarely have the highest names, so their whole families are added
    hands += [h for h in combinations(range(0, 52, 4), 5) if random.random() < 0.5]
    hands += [[*range(4 * r, 4 * r + 4), k] for r in range(13) for k in DECK if k // 4 != r]
    mine = [five_card(*hand) for hand in hands]
    assert same_order(mine, [evaluate_cards(*hand) for hand in hands], lower_wins=True)
    assert same_order(mine, [pokerkit_index(hand) for hand in hands], lower_wins=False)


LOOKUP = StandardLookup()
POKERKIT = {card: next(iter(Card.parse(SPELLING[card]))) for card in DECK}


def pokerkit_index(hand):
    return LOOKUP.get_entry([POKERKIT[card] for card in hand]).index


@pytest.mark.deep
def test_one_deck_order_matches_phevaluator_and_pokerkit(all_strengths):
    hands = list(combinations(DECK, 5))
    for evaluate, lower_wins in ((lambda h: evaluate_cards(*h), True), (pokerkit_index, False)):
        theirs = np.fromiter((evaluate(hand) for hand in hands), np.int64, len(hands))
        assert same_order(all_strengths, theirs, lower_wins=lower_wins)


@pytest.mark.parametrize(
    ("hand", "name"),
    [
        ("Ts Ts Th Td Tc", names.FIVE_OF_A_KIND),
        ("As As As As As", names.FIVE_OF_A_KIND),
        ("9c 9c 9c 9c 2c", names.FOUR_OF_A_KIND),
        ("9c 9c 9c 2c 2c", names.FULL_HOUSE),
        ("9c 9c 9c 3c 2c", names.FLUSH),
        ("9c 9c 3c 3c 2c", names.FLUSH),
        ("9c 9c 5c 3c 2c", names.FLUSH),
        ("As 2s 3s 4s 5s", names.STRAIGHT_FLUSH),
        ("As 2s 3s 4s 5h", names.STRAIGHT),
        ("Ks As 2s 3s 4h", names.HIGH_CARD),
        ("Jo=Ts Ts Th Td Jo=Tc", names.FIVE_OF_A_KIND),
        ("Jo=9h 8h 7h 6h 5h", names.STRAIGHT_FLUSH),
    ],
)
def test_hand_of_several_decks_has_highest_name_x_i2(hand, name):
    assert name_of(strength(hand)) == name


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("2s 2s 2s 2h 2d", "Ks Qs Js Ts 9s"),  # five of a kind over a straight flush (SD-8)
        ("3s 3s 3s 3s 3s", "2s 2s 2s 2s 2s"),
        ("Ks Ks 4s 3s 2s", "Ks Qs Js Ts 8s"),  # a flush's equal cards count singly (X-I2)
        ("2s 3s 4s 5s 6h", "As 2s 3s 4s 5h"),  # ace low is the lowest of its length (X-I1)
        ("2s 3s 4s 5s 6s", "As 2s 3s 4s 5s"),
        ("As Kh Qs Js Ts", "Ks Qh Js Ts 9s"),
    ],
)
def test_shoes_and_low_aces_compare_by_weight(higher, lower):
    assert strength(higher) > strength(lower)


def test_one_deck_has_no_five_of_a_kind():
    hand = in_one_deck(strength("9c 9c 9d 9h 9s"))
    assert name_of(hand) == names.FOUR_OF_A_KIND
    assert hand > strength("9c 9c 9d 9h 8s")
    assert hand < strength("9c 9c 9d 9h Ts")


def test_relabeled_suits_and_card_order_change_nothing():
    random = Random(7)
    for _ in range(3_000):
        hand = [random.choice((random.randrange(52), random.randrange(12))) for _ in range(5)]
        suits = random.sample(range(4), 4)
        other = [card // 4 * 4 + suits[card % 4] + random.choice((0, 64)) for card in hand]
        random.shuffle(other)
        assert five_card(*other) == five_card(*hand)


def test_compiled_twin_agrees_on_hands_rich_in_equal_cards():
    twin = compiled(five_card)
    random = Random(8)
    seen = Counter()
    for _ in range(20_000):
        few = random.sample(DECK, random.randint(1, 6))
        hand = [random.choice(few) + random.choice((0, 64)) for _ in range(5)]
        assert twin(*hand) == five_card(*hand)
        seen[name_of(five_card(*hand))] += 1
    assert seen[names.FIVE_OF_A_KIND] > 100
