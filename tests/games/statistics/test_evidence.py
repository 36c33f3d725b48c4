"""Evidence of streams that are fair, and how leads are ordered."""

import numpy as np
import pytest

from games.statistics.errors import sign_evidence
from games.statistics.evidence import TILTS, evidence_of, leads, odds_against


def test_fair_streams_rarely_reach_a_thousand():
    # Ville: at most one in a thousand ever does; ten thousand fair coins, looked at every night
    rng = np.random.default_rng(20)
    tosses = 2 * rng.binomial(100, 0.5, size=(10_000, 40)).cumsum(axis=1)
    nights = 100 * np.arange(1, 41)
    highest = np.full(10_000, -np.inf)
    for night, wins in zip(nights, tosses.T, strict=True):
        logs = np.outer(wins - night, TILTS) - night * np.log(np.cosh(TILTS))
        highest = np.maximum(highest, evidence_of(logs))
    assert (highest >= 3).mean() <= 0.001


def test_leads_are_those_of_e_bh():
    # of four streams at 5 percent: 80, 40 and 26.7 are needed for the first three
    evidence = np.log10([30.0, 1.0, 100.0, 45.0])
    assert leads(evidence.tolist()) == [2, 3, 0]
    assert leads(np.log10([30.0, 1.0, 10.0, 2.0]).tolist()) == []


@pytest.mark.parametrize(
    ("evidence", "says"),
    [(0.5, "3"), (7.602, "40 million"), (9, "1 billion"), (74.3, "10^74")],
)
def test_odds_are_worded(evidence, says):
    assert odds_against(evidence) == says


def test_signs_are_mixed_over_all_coins():
    # a numeric integral over the coin's weight, beside the closed form
    weights = (np.arange(200_000) + 0.5) / 200_000
    likely = np.mean((2 * weights) ** 18 * (2 * (1 - weights)) ** 4)
    assert sign_evidence(18, 4) == pytest.approx(np.log10(likely), abs=1e-6)
    assert sign_evidence(4, 18) == pytest.approx(sign_evidence(18, 4))
    assert sign_evidence(0, 0) == 0
