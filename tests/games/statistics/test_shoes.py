"""Named shoes, drawn from without replacement: exact given what each round had left."""

from itertools import permutations

import numpy as np
import pytest

from games.statistics.cards import Draw, distribution, log_mgf
from games.statistics.evidence import ALARM, TILTS, evidence_of
from games.statistics.shoes import KINDS, Through, deal_through, moments_of

DECKS = 6
SHOE = np.repeat(np.arange(52), DECKS)
SEEDED = 20251120


def dealt(cards, drawn):
    """Return how often each round of a shoe dealt each card, `drawn` cards a round."""
    rounds = cards[: len(cards) // drawn * drawn].reshape(-1, drawn)
    return np.array([np.bincount(each, minlength=52) for each in rounds])


def counted(shown, drawn, decks=DECKS):
    size = len(shown)
    return deal_through(
        shown, np.full(size, drawn), np.full(size, decks), np.full(size, 52 * decks)
    )


def test_moments_are_those_of_whole_numbers_of_hands():
    draws = np.array([[312, 24, 24], [60, 20, 21], [24, 3, 24], [40, 0, 12]])
    found = moments_of(draws)
    for row, (size, kind, drawn) in zip(found, draws.tolist(), strict=True):
        values, chances = distribution(Draw(size, kind, drawn))
        mean = values @ chances
        assert row[0] == pytest.approx(mean)
        assert row[1] == pytest.approx((values - mean) ** 2 @ chances, abs=1e-9)
        assert row[2:] == pytest.approx(log_mgf(Draw(size, kind, drawn)), abs=1e-9)


def test_no_order_of_a_small_shoe_wins_on_average():
    # all orders of six cards, two of a kind, two cards a round: ending the shoe after a
    # round without one of the kind wins nothing
    ratios = []
    for order in permutations([1, 1, 0, 0, 0, 0]):
        rounds = np.array(order).reshape(3, 2).sum(axis=1)
        ends = next((n for n, seen in enumerate(rounds, 1) if not seen), 3)
        draws = [[6 - 2 * n, 2 - rounds[:n].sum(), 2] for n in range(ends)]
        normal = moments_of(np.array(draws))[:, 2:].sum(axis=0)
        ratios.append(float(10 ** evidence_of(rounds[:ends].sum() * TILTS - normal)))
    assert np.mean(ratios) == pytest.approx(1)


def test_shoe_without_four_aces_is_found_sooner_by_shoe():
    chance = np.random.default_rng(SEEDED)
    total = Through()
    short = np.delete(SHOE, [48 * DECKS, 49 * DECKS, 50 * DECKS, 51 * DECKS])
    shoes = 0
    while shoes < 400:
        shoes += 1
        through, surplus = counted(dealt(chance.permutation(short), 24)[:12], 24)
        assert surplus is None
        total.add(through)
        strongest = max(total.figures(), key=lambda each: each.evidence)
        if strongest.evidence >= ALARM:
            break
    assert strongest.statistic == "aces"
    assert 12 * shoes < 841  # the median of rounds from shoes shuffled before each round


def test_fair_shoes_dealt_through_are_no_evidence():
    chance = np.random.default_rng(SEEDED)
    total = Through()
    for _ in range(100):
        total.add(counted(dealt(chance.permutation(SHOE), 24), 24)[0])
    for each in total.figures():
        assert each.evidence < 3
        assert abs(each.observed - each.expected) < 4 * max(each.deviation, 1)


def test_seventh_copy_of_a_card_ends_the_count_of_its_shoe():
    chance = np.random.default_rng(SEEDED)
    shown = dealt(chance.permutation(SHOE), 24)
    last = int(np.flatnonzero(shown[:, 51])[-1])
    shown[last, 51] += 1
    through, surplus = counted(shown, 24)
    assert (surplus.row, surplus.card, surplus.dealt) == (last, 51, 7)
    assert through.seen[KINDS.index("spades")] == shown[:last, 3::4].sum()


def test_sums_ignore_order_and_subtraction():
    chance = np.random.default_rng(SEEDED)
    one, two = (counted(dealt(chance.permutation(SHOE), 21), 21)[0] for _ in range(2))
    there, back = Through(), Through()
    there.add(one)
    there.add(two)
    back.add(two)
    back.add(one)
    assert (there.sums == back.sums).all()
    there.add(one, -1)
    assert (there.sums == two.sums).all()
    assert (there.seen == two.seen).all()
