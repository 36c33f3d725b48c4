"""Games with published odds: which of them are exact, and which are only hints."""

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from games.definition import read_definition
from games.statistics.by_odds import (
    HIGHER_HAND,
    chances_by_odds,
    net_of_family,
    two_point_bound,
)
from games.statistics.chances import LEVELS
from games.statistics.evidence import TILTS, UPWARD

FLAT = LEVELS
"""The weight of a whole wager, from that of -8 eighths on."""


def definition_of(game):
    folder = Path(__file__).parents[3] / "games" / game
    return read_definition((folder / "definition.toml").read_text())


def counted(wager, **figures):
    usual = {"wager": wager, "edge": "0.0106", "exact": "1/94", "error": 0, "variance": 0.86,
             "strategy": "none"}  # fmt: skip
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


def test_only_odds_of_a_deck_shuffled_each_round_are_no_hint():
    # one round of baccarat changes what the next one may be, and players may count
    for game, wager, strategy, is_hint in (
        ("mini_baccarat", "banker", "none", True),
        ("mini_baccarat", "tie", "none", True),
        ("blackjack", "insurance", "none", True),
        ("blackjack", "lucky_ladies", "none", True),
        ("pai_gow_poker", "fortune", "none", False),
        ("pai_gow_poker", "fortune", "optimal", True),
    ):
        odds = counted(wager, hit=0.3, strategy=strategy)
        chance = chances_by_odds(definition_of(game), [odds])[wager]
        assert (chance.is_hint, chance.is_exact) == (is_hint, not is_hint), (game, wager)
        exact = log_mgf([0, 1], [0.7, 0.3])
        np.testing.assert_allclose(chance.log_mgf[2 * FLAT], exact, atol=1e-12)


def test_first_two_cards_of_baccarat_are_a_fair_coin_from_any_shoe():
    chance = chances_by_odds(definition_of("mini_baccarat"), [])[HIGHER_HAND]
    assert (chance.is_exact, chance.is_hint, chance.mean) == (True, False, 0)
    np.testing.assert_allclose(chance.log_mgf[2 * FLAT], np.log(np.cosh(TILTS)), atol=1e-12)
    # every deal of four cards from a shoe that has few left, by hand
    left = [0, 0, 0, 1, 1, 5, 8, 9]
    higher = sum(
        np.sign((one + two) % 10 - (three + four) % 10)
        for one, three, two, four in permutations(left, 4)
    )
    assert higher == 0


def test_net_result_of_blackjack_is_a_hint():
    game = definition_of("blackjack")
    net = net_of_family(game)
    assert [net.level(won, 100) for won in (-800, -200, -50, 0, 100, 150, 250)] == [
        -8, -4, -1, 0, 2, 3, 5,
    ]  # fmt: skip
    odds = counted("main", hit=0.4347, edge="0.0040", exact=None, error="0.0001", variance=1.29)
    chance = chances_by_odds(game, [odds])["main"]
    assert chance.is_hint
    # a quarter of the most that a hand may stake
    assert (chance.mean, chance.variance) == (-0.001, pytest.approx(1.29 / 16))


def test_wager_that_one_choice_leaves_uncounted_is_not_weighed():
    game = definition_of("mini_baccarat")
    known = counted("tie", hit=0.0952)
    assert chances_by_odds(game, [known, counted("tie", hit=0.1, exact=None)]).keys() == {
        HIGHER_HAND
    }
    both = chances_by_odds(game, [known, counted("tie", hit=0.2)])["tie"]
    assert (both.log_mgf[2 * FLAT] >= log_mgf([0, 1], [0.8, 0.2]) - 1e-12).all()
