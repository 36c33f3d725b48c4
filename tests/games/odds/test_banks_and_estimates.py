"""Odds of wagers together, of a player's bank, and of games that are dealt at random."""

from fractions import Fraction

import numpy as np

from games.chinese_poker.play import terms_of
from games.odds import pyramid_bank, pyramid_together
from games.odds.estimated import estimated
from games.setup import Setup
from games.simulator import chinese_odds
from games.simulator.hands import chance_of, shoe_of

MAIN = Fraction(-60314763, 4474529605)
"""The main wager of six decks where everyone sets the House Way and full ties push."""
THREE_CARD = Fraction(18568, 626665)
SIX_CARD = Fraction(21316866446, 305162919061)


def test_mandatory_wagers_together_have_their_mean_edge():
    # the mean of a sum is the sum of the means, however the wagers depend on each other
    house_way, best = pyramid_together.odds(Setup(), 6)
    assert house_way.house_edge == (MAIN + THREE_CARD + SIX_CARD) / 3
    assert best.house_edge < house_way.house_edge
    # two different totals have the same chance as the deals that make them: nothing is lost
    assert sum(each.probability for each in house_way.outcomes) == 1


def test_bank_wins_what_the_hands_against_it_lose():
    by = {(each.wager, each.strategy): each.house_edge for each in pyramid_bank.odds(Setup(), 6)}
    assert by["bank", "house_way"] == -MAIN
    assert by["bank", "optimal"] < by["bank", "house_way"]
    # PP-I11: the house's own three of a kind no longer wins at once, so the bank does better
    chosen = Setup(interpretations={"PP-I11": "no"})
    compared = {
        (each.wager, each.strategy): each.house_edge for each in pyramid_bank.odds(chosen, 6)
    }
    assert compared["bank_house", "house_way"] < by["bank_house", "house_way"]
    assert compared["bank", "house_way"] == by["bank", "house_way"]


def test_players_who_set_alike_are_even_at_chinese_poker():
    sums, hands = np.zeros(3, np.int64), 20_000
    terms = np.array(terms_of("unit", Setup()), np.int64)
    chinese_odds.play_hands(shoe_of(1), chance_of("alike"), terms, hands, sums)
    odds = estimated("unit", "wager", "alike", (), hands, sums)
    assert abs(odds.edge) < 4 * odds.error
    assert 0 < odds.variance <= 9, "at most three units"


def test_estimate_follows_from_its_sums():
    # four hands win 3, -1, -1 and -1: mean 0, mean square 3
    odds = estimated("ante", "ante", "by hand", (), 4, np.array([0, 12, 1]))
    assert (odds.edge, odds.variance, odds.error, odds.hit) == (0, 3, 0.75**0.5, 0.25)
