"""Cards dealt from shuffled shoes: exact distributions, and evidence that no fair shoe can win."""

from collections import Counter
from itertools import combinations, permutations
from math import log10

import numpy as np
import pytest

from games.cards import CARD
from games.statistics.cards import (
    CLASSES,
    MEMBERS,
    Again,
    Dealt,
    Draw,
    Shoe,
    distribution,
    log_mgf,
)
from games.statistics.evidence import ALARM, TILTS, evidence_of

PYRAMID = Shoe(copies=6, size=312, drawn=24)
"""Seven seats and a dealer with three cards each."""


@pytest.mark.parametrize("draw", [Draw(9, 4, 3), Draw(8, 6, 5), Draw(5, 1, 5)], ids=str)
def test_distribution_is_that_of_all_hands(draw):
    deals = list(combinations(range(draw.size), draw.drawn))
    dealt = Counter(sum(card < draw.of_kind for card in each) for each in deals)
    values, chances = distribution(draw)
    assert dict(zip(values.tolist(), chances.tolist(), strict=True)) == pytest.approx(
        {count: often / len(deals) for count, often in dealt.items()}
    )


@pytest.mark.parametrize("draw", [Draw(312, 6, 24), Draw(312, 120, 24), Draw(52, 4, 35)], ids=str)
def test_fair_shoe_wins_nothing_on_average(draw):
    # the mean e-value of one round over all it may deal is 1: what makes it evidence at any time
    values, chances = distribution(draw)
    ratios = 10 ** evidence_of(np.outer(values, TILTS) - log_mgf(draw))
    assert float(ratios @ chances) == pytest.approx(1)


def test_whole_deck_is_no_evidence():
    # four hands of thirteen are every card once, whatever the shuffle
    dealt = Dealt(np.full(52, 1000), Counter({Shoe(1, 52, 52): 1000}))
    assert max(abs(each.evidence) for each in dealt.figures()) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    "wants_more",
    [lambda seen: seen == 0, lambda seen: seen > 0, lambda _: True, lambda _: False],
    ids=["without any", "with some", "always", "never"],
)
def test_no_wish_for_a_third_card_wins_on_average(wants_more):
    # all orders of six cards, two of a kind: two are dealt, and a third to a player who wants it
    normal, ratios = log_mgf(Draw(6, 2, 2, most=3)), []
    for order in set(permutations([1, 1, 0, 0, 0, 0])):
        seen = sum(order[:2])
        seen += order[2] if wants_more(seen) else 0
        ratios.append(np.exp(seen * TILTS - normal))
    assert (np.mean(ratios, axis=0) <= 1 + 1e-12).all()


def test_room_without_aces_is_beyond_doubt():
    # four seats of three cards: 18,220 rounds without an ace of twelve cards each
    without = 1.0
    for place in range(12):
        without *= (288 - place) / (312 - place)
    counts = np.where(np.arange(52) // 4 == 12, 0, 18_220 * 12 // 48)
    dealt = Dealt(counts, Counter({Shoe(6, 312, 12): 18_220}))
    aces = {each.statistic: each for each in dealt.figures()}["aces"]
    assert aces.observed == 0
    assert aces.expected == pytest.approx(18_220 * 12 / 13)
    # no bet wins more than the whole chance, and the largest tilt costs two percent of the digits
    assert -0.98 * 18_220 * log10(without) < aces.evidence < -18_220 * log10(without)


@pytest.mark.parametrize(
    ("copies", "rounds"), [(1, 3_900), (2, 930), (4, 190)], ids=["1", "2", "4"]
)
def test_missing_copies_of_a_card_are_found(copies, rounds):
    # the median over planted runs; the full measure is in tests/deep
    assert median_alarm(Draw(312, 6, 24), copies, seed=copies) <= rounds


def median_alarm(draw, missing, *, seed, runs=101):
    """Return the median round of an alarm, with some cards of the kind missing from the shoe."""
    values, chances = distribution(Draw(draw.size - missing, draw.of_kind - missing, draw.drawn))
    rng = np.random.default_rng(seed)
    seen = rng.choice(values, p=chances, size=(runs, 6_000)).cumsum(axis=1)
    rounds = np.arange(1, 6_001)
    strength = evidence_of(seen[..., None] * TILTS - rounds[:, None] * log_mgf(draw))
    first = np.where((strength >= ALARM).any(axis=1), (strength >= ALARM).argmax(axis=1) + 1, 10**9)
    return float(np.median(first))


def test_classes_are_cards_ranks_suits_and_high_cards():
    by_name = dict(zip(CLASSES, MEMBERS, strict=True))
    assert by_name["As"].nonzero()[0].tolist() == [CARD["As"]]
    assert by_name["aces"].nonzero()[0].tolist() == [CARD[f"A{suit}"] for suit in "cdhs"]
    assert by_name["spades"].sum() == 13
    assert by_name["tens to aces"].sum() == 20
    assert len(CLASSES) == 52 + 13 + 4 + 1


def test_dealt_adds_up_over_segments():
    rng = np.random.default_rng(7)
    nights = [Dealt(rng.integers(50, 150, 52), Counter({PYRAMID: 200 + n})) for n in range(3)]
    total = Dealt()
    for night in nights:
        total.add(night)
    at_once = Dealt(
        np.sum([night.counts for night in nights], axis=0), Counter({PYRAMID: 603})
    ).figures()
    assert total.figures() == at_once


def test_unshuffled_deck_is_found_and_a_dealt_shoe_is_not():
    # 24 cards of one deck each round: on average 24 * 24 / 52 are those of the round before
    draws = Counter({Draw(52, 24, 24): 200})
    assert Again(200 * 18, draws).figures()[0].evidence > ALARM
    assert Again(0, draws).figures()[0].evidence < 0
    assert Again(round(200 * 24 * 24 / 52), draws).figures()[0].evidence < 1
