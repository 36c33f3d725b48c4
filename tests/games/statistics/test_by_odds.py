"""Bounds of games with published odds: no play, and no shoe that counting finds, exceeds them."""

from pathlib import Path

import numpy as np
import pytest

from games.definition import read_definition
from games.statistics.by_odds import MOVED, chances_by_odds, net_of_family, two_point_bound
from games.statistics.chances import LEVELS
from games.statistics.evidence import TILTS, UPWARD

FLAT = LEVELS
"""The weight of a whole wager, from that of -8 eighths on."""


def definition_of(game):
    folder = Path(__file__).parents[3] / "games" / game
    return read_definition((folder / "definition.toml").read_text())


def counted(wager, **figures):
    usual = {"wager": wager, "edge": "0.0106", "exact": "1/94", "error": 0, "variance": 0.86}
    return {"tables": {}, "readings": {}, "odds": [{**usual, **figures}], "problem": ""}


def log_mgf(values, chances):
    return np.log(np.exp(np.outer(TILTS, values)) @ np.array(chances))


def test_two_point_bound_exceeds_what_has_its_mean_and_variance():
    for values, chances in (
        ([-1, 0, 1], [0.5, 0.1, 0.4]),
        ([-1, 0.95], [0.51, 0.49]),
        ([-1, -0.5, 0, 1], [0.3, 0.2, 0.3, 0.2]),
    ):
        mean = np.dot(values, chances)
        variance = np.dot(np.square(values), chances) - mean**2
        exact, bound = log_mgf(values, chances), two_point_bound(mean, variance)
        assert (bound >= exact - 1e-12).all()
        # and it is no looser than the square of the tilt for small ones
        assert bound[UPWARD][0] == pytest.approx(exact[UPWARD][0], abs=2e-5)


def test_wager_dealt_through_a_shoe_may_hit_a_little_more_often():
    # the banker wins 45.86 percent of rounds (8 decks); a shoe may move that by 3 % of 0.4983
    hit, moved = 0.45859742, MOVED * 0.49828
    chance = chances_by_odds(definition_of("mini_baccarat"), [counted("banker", hit=hit)])["banker"]
    assert (chance.by_table, chance.is_exact) == (True, False)
    assert chance.mean == hit
    for rate in (hit - moved, hit, hit + moved):
        exact = log_mgf([0, 1], [1 - rate, rate])
        assert (chance.log_mgf[2 * FLAT] >= exact - 1e-6).all()


def test_blackjack_is_bounded_by_its_best_play():
    game = definition_of("blackjack")
    net = net_of_family(game)
    assert [net.level(won, 100) for won in (-800, -200, -50, 0, 100, 150, 250)] == [
        -8, -4, -1, 0, 2, 3, 5,
    ]  # fmt: skip
    odds = counted("main", hit=0.4347, edge="0.0040", exact=None, error="0.0001", variance=1.29)
    chance = chances_by_odds(game, [odds])["main"]
    # doubles, blackjacks, wins, pushes, a surrendered half, losses and lost doubles, in quarters
    values = np.array([2, 1.5, 1, 0, -0.5, -1, -2]) / 4
    play = [0.055, 0.045, 0.325, 0.085, 0.045, 0.4, 0.045]
    assert 4 * np.dot(values, play) == pytest.approx(-0.0100)
    assert (chance.log_mgf[2 * FLAT] >= log_mgf(values, play)).all()


def test_wager_that_one_choice_leaves_uncounted_is_not_weighed():
    game = definition_of("mini_baccarat")
    known = counted("tie", hit=0.0952)
    assert chances_by_odds(game, [known, counted("tie", hit=0.1, exact=None)]) == {}
    assert chances_by_odds(game, []) == {}
    both = chances_by_odds(game, [known, counted("tie", hit=0.2)])["tie"]
    assert (both.log_mgf[2 * FLAT] >= log_mgf([0, 1], [0.8, 0.2]) - 1e-12).all()
