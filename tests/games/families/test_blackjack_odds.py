"""Odds of blackjack, Spanish 21 and their side wagers, against published figures."""

from dataclasses import replace
from fractions import Fraction

import pytest

from games.families.blackjack.odds import find_odds
from games.families.stud.program import Terms
from tests.games.families.filed_games import definition_of

BJ, SP = "blackjack", "spanish-21"


def odds_of(slug, wager, decks=6, **terms):
    definition = definition_of(slug)
    dealt = replace(definition, decks=replace(definition.decks, number=decks))
    (found,) = find_odds(dealt, Terms(**terms), only=wager)
    return found


def test_insurance_loses_by_the_tens_of_the_shoe():
    assert odds_of(BJ, "insurance").exact == 1 - 3 * Fraction(96, 311)
    assert odds_of(SP, "insurance").exact == 1 - 3 * Fraction(72, 287)


def test_21_plus_3_is_counted_as_published():
    # wizardofodds.com/games/blackjack/side-bets/21plus3: combinations with six decks
    won = 10_368 + 26_312 + 155_520 + 236_736 + 56_160
    odds = odds_of(BJ, "twenty_one_plus_three")
    assert odds.exact == 1 - 10 * Fraction(won, 5_013_320)
    assert odds.hit == won / 5_013_320


def test_match_the_dealer_is_counted_card_by_card():
    # of 311 cards, 5 are the upcard's twins and 18 have its rank only
    none = Fraction(288, 311) * Fraction(287, 310)
    each = Fraction(5 * 11 + 18 * 4, 311)
    assert odds_of(BJ, "match_the_dealer").exact == none - 2 * each
    assert round(float(none - 2 * each), 4) == 0.0406  # as published
    assert round(odds_of(SP, "match_the_dealer").edge, 4) == 0.0306
    eight = odds_of(SP, "match_the_dealer", 8, pay_tables={"match_the_dealer": "eight_decks"})
    assert round(eight.edge, 4) == 0.0299


@pytest.mark.parametrize(
    ("decks", "table", "published"),
    [
        (6, "two_hundred", 0.1764),
        (6, "one_twenty_five", 0.2471),
        (8, "one_twenty_five", 0.2405),
        (2, "one_twenty_five", 0.3005),
    ],
)
def test_lucky_ladies_have_their_published_edges(decks, table, published):
    # wizardofodds.com, by way of casinocitytimes.com, John Grochowski, 2015-02-22
    odds = odds_of(BJ, "lucky_ladies", decks, pay_tables={"lucky_ladies": table})
    assert round(odds.edge, 4) == published


@pytest.mark.deep
@pytest.mark.parametrize(
    ("slug", "decks", "readings", "published"),
    [
        # wizardofodds.com: the calculator of the house edge, and the page on Spanish 21
        (BJ, 6, {}, 0.0041),
        (BJ, 6, {"BJ-I1": "hit"}, 0.0063),
        (BJ, 2, {}, 0.0019),
        (SP, 6, {}, 0.0078),
        (SP, 8, {}, 0.0080),
        (SP, 6, {"SP-I1": "stand"}, 0.0037),
        (SP, 8, {"SP-I1": "stand"}, 0.0038),
        (SP, 6, {"SP-I2": "three_times"}, 0.0042),
        (SP, 8, {"SP-I2": "three_times"}, 0.0045),
    ],
)
def test_best_play_comes_near_its_published_edge(slug, decks, readings, published):
    odds = odds_of(slug, "main", decks, readings=readings)
    assert abs(odds.edge - published) < 0.0002


@pytest.mark.deep
def test_6_to_5_costs_what_it_takes_from_blackjacks():
    # 3/10 of a unit on each blackjack that the dealer doesn't have too
    blackjacks = 2 * Fraction(24 * 96, 312 * 311)
    both = 2 * Fraction(23 * 95, 310 * 309)
    usual = odds_of(BJ, "main")
    short = odds_of(BJ, "main", pay_tables={"main": "six_to_five"})
    assert abs(short.edge - usual.edge - float(Fraction(3, 10) * blackjacks * (1 - both))) < 1e-6
