"""The statistics again, in plain Python: card by card, with fractions, and without arrays."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import exp, fsum, log, log10

import numpy as np
import pytest

from games.statistics.cards import CLASSES, MEMBERS, Dealt, Draw, Shoe, distribution, log_mgf
from games.statistics.chances import Chance
from games.statistics.evidence import TILTS, leads
from games.statistics.results import PlayerResults, TableResults, Weighted
from games.statistics.shoes import moments_of

STEPS = [0.0225 * 2**power for power in range(9)]
PLAIN_TILTS = [-step for step in reversed(STEPS)] + STEPS


def drawn(size, of_kind, cards):
    """Return the chance of each count, drawing one card after another."""
    chances = {0: Fraction(1)}
    for before in range(cards):
        after: dict[int, Fraction] = {}
        for count, chance in chances.items():
            hit = Fraction(of_kind - count, size - before)
            after[count + 1] = after.get(count + 1, Fraction(0)) + chance * hit
            after[count] = after.get(count, Fraction(0)) + chance * (1 - hit)
        chances = {count: chance for count, chance in after.items() if chance}
    return chances


def mean_of(chances, value):
    return fsum(float(chance) * value(count) for count, chance in chances.items())


def mixture(logs):
    """Return log10 of the mean of the likelihood ratios."""
    most = max(logs)
    return (most + log(fsum(exp(each - most) for each in logs) / len(logs))) / log(10)


DRAWS = [Draw(312, 24, 24), Draw(52, 4, 35), Draw(106, 40, 9), Draw(160, 12, 120), Draw(53, 1, 7)]


@pytest.mark.parametrize("draw", DRAWS, ids=str)
def test_draws_are_those_of_one_card_after_another(draw):
    plain = drawn(draw.size, draw.of_kind, draw.drawn)
    values, chances = distribution(draw)
    assert dict(zip(values.tolist(), chances.tolist(), strict=True)) == pytest.approx(
        {count: float(chance) for count, chance in plain.items()}
    )
    normal = [log(mean_of(plain, lambda x, t=tilt: exp(t * x))) for tilt in PLAIN_TILTS]
    assert log_mgf(draw).tolist() == pytest.approx(normal)
    mean = float(sum(count * chance for count, chance in plain.items()))
    variance = float(sum(count * count * chance for count, chance in plain.items())) - mean**2
    moments = moments_of(np.array([[draw.size, draw.of_kind, draw.drawn]]))[0]
    assert moments.tolist() == pytest.approx([mean, variance, *normal], abs=1e-9)


def test_evidence_of_cards_is_that_of_a_plain_loop():
    rng = np.random.default_rng(11)
    shoes = Counter({Shoe(6, 312, 24): 40, Shoe(6, 312, 9): 12, Shoe(1, 54, 20): 3})
    counts = rng.integers(5, 40, 52)
    for name, members, found in zip(CLASSES, MEMBERS, Dealt(counts, shoes).figures(), strict=True):
        if name not in {"As", "aces", "hearts", "tens to aces"}:
            continue
        seen = sum(int(count) for count, inside in zip(counts, members, strict=True) if inside)
        kinds = int(members.sum())
        of_shoe = [(drawn(s.size, kinds * s.copies, s.drawn), n) for s, n in shoes.items()]
        logs = [
            tilt * seen - sum(n * log(mean_of(c, lambda x, t=tilt: exp(t * x))) for c, n in of_shoe)
            for tilt in PLAIN_TILTS
        ]
        assert found.evidence == pytest.approx(mixture(logs))
        assert found.expected == pytest.approx(sum(n * mean_of(c, float) for c, n in of_shoe))


def test_evidence_of_results_is_that_of_a_plain_loop():
    lost, pushed, won = 0.36, 0.29, 0.35
    chance = Chance.of([np.array([[[lost, pushed, won]]])], is_exact=True, by_table=False)

    def fair(tilt):
        return lost * exp(-tilt) + pushed + won * exp(tilt)

    rounds = Counter({(2, 1, 3): 9, (0, 0, 1): 4, (6, 0, 0): 2})
    of_table = [
        sum(n * log((a * exp(-t) + b + c * exp(t)) / (a + b + c) / fair(t))
            for (a, b, c), n in rounds.items())
        for t in PLAIN_TILTS
    ]  # fmt: skip
    assert TableResults(rounds).figures(chance).evidence == pytest.approx(mixture(of_table))
    wagers = Counter({Weighted(8, 1): 7, Weighted(3, -1): 5, Weighted(-2, 1): 2})
    of_player = [
        sum(n * (t * w / 8 * x - log(fair(t * w / 8))) for (w, x), n in wagers.items())
        for t in PLAIN_TILTS
    ]
    found = PlayerResults(wagers).figures("results", chance)
    assert found.evidence == pytest.approx(mixture(of_player))
    assert TILTS.tolist() == pytest.approx(PLAIN_TILTS)


def test_leads_are_the_most_that_e_bh_allows():
    rng = np.random.default_rng(12)
    for _ in range(200):
        evidence = rng.exponential(1.2, 30).tolist()
        largest = sorted(evidence, reverse=True)
        allowed = [k for k in range(1, 31) if largest[k - 1] >= log10(30 / (0.05 * k))]
        assert len(leads(evidence)) == max(allowed, default=0)
