"""Chances of wagers by the exact odds, and players who do better than any play explains."""

from collections import Counter
from math import comb

import numpy as np
import pytest

from games.odds.pyramid_poker import main_odds
from games.setup import Setup
from games.statistics.chances import LEVELS, OUTCOMES, Chance, chances
from games.statistics.evidence import ALARM, TILTS, evidence_of
from games.statistics.results import (
    PlayerResults,
    TableResults,
    Weighted,
    learned_weights,
    weights_of,
)

EVEN = Chance.of([np.array([[[0.5, 0.0, 0.5]]])], is_exact=True, by_table=False)


@pytest.fixture(scope="module")
def pyramid():
    return chances("pyramid-poker", 6)


def test_any_play_of_pyramid_poker_is_within_its_bound(pyramid):
    # of the House Way and of the best setting, under either reading of equal hands (PP-I1)
    ratios = np.exp(np.multiply.outer(OUTCOMES, TILTS) - pyramid["main"].log_mgf[2 * LEVELS])
    for reading in ("push", "dealer_wins"):
        for play in main_odds(Setup(interpretations={"PP-I1": reading}), 6):
            likely = Counter()
            for outcome in play.outcomes:
                likely[np.sign(outcome.to)] += float(outcome.probability)
            mean = sum(likely[sign] * ratios[sign + 1] for sign in (-1, 0, 1))
            assert (mean <= 1 + 1e-12).all()
            assert mean[TILTS > 0].min() > 0.5  # and the bound is worth something


def test_wager_paid_by_a_table_hits_as_often_as_its_odds(pyramid):
    # PP-28 pays nothing on three different ranks that are neither a straight nor one suit: of the
    # 286 sets of ranks 12 are straights, and of the 24^3 ways to draw one, 4 * 6^3 are of one suit
    chance = pyramid["three_card"]
    assert chance.is_exact
    assert chance.mean == pytest.approx(1 - (286 - 12) * (24**3 - 4 * 6**3) / comb(312, 3))
    assert chance.log_mgf[2 * LEVELS] == pytest.approx(
        np.log(1 - chance.mean + chance.mean * np.exp(TILTS))
    )


def test_fold_makes_too_few_hits_no_evidence():
    # a player who always folds loses every bonus wager of Pick 2 Poker (P2-5)
    chance = chances("pick-2-poker", 1)["bonus_5"]
    folds = TableResults(Counter({(0, 3, 0): 100_000}))
    assert folds.figures(chance).evidence <= 0
    hits = TableResults(Counter({(0, 1, 1): 5_000}))
    assert hits.figures(chance).evidence > ALARM  # half hit, of 36.9 percent


def test_seats_of_one_shoe_do_not_multiply():
    # all seats win or lose together: the mean of a round's e-value is 1 nevertheless
    win, loss = (TableResults(Counter({seats: 1})).logs(EVEN) for seats in ((0, 0, 7), (7, 0, 0)))
    assert (np.exp(win) + np.exp(loss)) / 2 == pytest.approx(np.ones(len(TILTS)))


@pytest.mark.parametrize(("edge", "wagers"), [(0.05, 20_500), (0.10, 5_300)], ids=str)
def test_edge_of_a_player_is_found(edge, wagers):
    rng = np.random.default_rng(int(1000 * edge))
    signs = np.where(rng.random((101, 30_000)) < (1 + edge) / 2, 1, -1).cumsum(axis=1)[:, 99::100]
    played = np.arange(100, 30_001, 100)
    logs = signs[..., None] * TILTS - played[:, None] * np.log(np.cosh(TILTS))
    over = evidence_of(logs) >= ALARM
    first = np.where(over.any(axis=1), played[over.argmax(axis=1)], 10**9)
    assert np.median(first) <= wagers


def test_raised_wagers_that_win_are_found():
    # one wager in ten is ten times as large, and that one always wins; the others lose a little
    plain = Counter({Weighted(LEVELS, 1): 5_000, Weighted(LEVELS, -1): 5_000})
    raised = Counter({Weighted(7, 1): 1_000, Weighted(-1, 1): 4_000, Weighted(-1, -1): 5_000})
    assert PlayerResults(plain).figures("results", EVEN).evidence < 0
    assert PlayerResults(raised).figures("results", EVEN).evidence > ALARM


def test_weights_depend_on_nothing_later():
    amounts = [100, 100, 800, 100, 400]
    by_amount, by_raise = weights_of(amounts)
    # beside 100, 100, 100, the cube root of 8 million, and the fourth root of 800 million
    assert by_amount == [4, 4, 8, 2, 8]
    assert by_raise == [0, 0, 8, -2, 6]
    assert weights_of(amounts[:3]) == (by_amount[:3], by_raise[:3])


def test_weight_by_amount_depends_on_earlier_wagers_only():
    amounts = [500, 1_000, 500, 1_500, 1_500, 500, 1_500]
    outcomes = [-1, 1, -1, 1, 1, -1, 1]
    weights = learned_weights(amounts, outcomes)
    assert weights[:2] == [0, 0]  # nothing was known of these amounts
    assert weights[2] == 0 < weights[4] < weights[6]
    for changed in range(len(outcomes)):
        other = [-each if place >= changed else each for place, each in enumerate(outcomes)]
        assert learned_weights(amounts, other)[: changed + 1] == weights[: changed + 1]


def test_amounts_that_won_before_win_no_fair_bet():
    # of fair players at most one in ten ever reaches evidence of ten; watched every fifty wagers
    rng = np.random.default_rng(21)
    over = 0
    for _ in range(60):
        amounts = rng.choice([500, 1_000, 2_500], 200).tolist()
        outcomes = rng.choice([-1, 1], 200).tolist()
        weights = learned_weights(amounts, outcomes)
        wagers = [Weighted(*each) for each in zip(weights, outcomes, strict=True)]
        over += any(
            PlayerResults(Counter(wagers[:end])).figures("", EVEN).evidence >= 1
            for end in range(50, 201, 50)
        )
    assert over <= 6
