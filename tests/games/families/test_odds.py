"""Odds of filed games against published figures, and estimates against exact ones."""

from fractions import Fraction

import pytest

from games.definition import read_definition
from games.families.set.odds import find_odds as set_odds
from games.families.stud.odds import find_odds
from games.families.stud.program import Terms
from tests.games.families.filed_games import definition_of


def odds_of(slug, only=None, **terms):
    odds = find_odds(definition_of(slug), Terms(**terms), only=only)
    return {each.wager: each for each in odds}


def test_three_card_poker_has_its_published_edges():
    odds = odds_of("three-card-poker", "ante") | odds_of("three-card-poker", "pair_plus")
    assert round(odds["ante"].edge, 6) == 0.033730  # 3.3730 % of the ante
    assert odds["ante"].per == "ante"
    assert odds["pair_plus"].exact == Fraction(128, 5525)  # 2.3167 %


def test_six_cards_are_counted_as_one_hand():
    # of 20,358,520 hands of six cards: royal 188, straight flush 1,656, four of a kind 14,664, full
    # house 165,984, flush 205,792, straight 361,620, three of a kind 732,160 (published counts)
    odds = odds_of("three-card-poker", "six_card")
    assert odds["six_card"].exact == Fraction(3_110_576, 20_358_520)  # 15.28 %


def test_flush_at_three_raises_the_edge_of_pair_plus():
    odds = odds_of("three-card-poker", "pair_plus", pay_tables={"pair_plus": "flush_3"})
    assert round(odds["pair_plus"].edge, 4) == 0.0728


def test_let_it_ride_has_its_published_edges():
    odds = odds_of("let-it-ride")
    assert round(odds["bet_1"].edge, 6) == 0.035057
    assert round(odds["three_card"].edge, 4) == 0.0710


@pytest.mark.deep
def test_mississippi_stud_has_its_published_edge():
    assert round(odds_of("mississippi-stud")["ante"].edge, 6) == 0.049149


def test_casino_war_has_its_published_edges():
    odds = odds_of("casino-war")
    assert round(odds["ante"].edge, 4) == 0.0288
    assert round(odds["tie"].edge, 4) == 0.1865
    assert odds["tie"].exact == 1 - 11 * Fraction(23, 311)  # 23 of 311 cards equal the first


@pytest.mark.deep
@pytest.mark.parametrize(
    ("slug", "published", "strategy"),
    [
        ("caribbean-stud", 0.05316, "ace_king_jack"),
        ("crazy-4-poker", 0.0342, "king_queen"),
        ("high-card-flush", 0.0271, "ten_eight_six"),
    ],
)
def test_strategy_comes_near_its_published_edge(slug, published, strategy):
    base = next(iter(find_odds(definition_of(slug), only="ante")))
    assert base.strategy == strategy
    assert base.exact is None
    assert base.error <= 0.0003  # 0.03 points
    assert abs(base.edge - published) < 4 * base.error


@pytest.mark.deep
@pytest.mark.parametrize(
    ("slug", "published"), [("ultimate-texas-holdem", 0.02185), ("texas-holdem-bonus", 0.02037)]
)
def test_hold_em_against_the_dealer_has_its_published_edge(slug, published):
    base = next(iter(find_odds(definition_of(slug), only="ante")))
    assert base.exact is not None
    assert abs(base.edge - published) < 0.00001


DRAW = """
[game]
slug = "draw-one"
name = "Draw One"
family = "stud"
deck = { decks = 1 }
clause = "D-1"

[source.rules]
title = "Rules"
digest = "sha256:%s"

[[clause]]
id = "D-1"
says = "All of it."
source = { of = "rules" }

[deal]
player = 1
after = [{ choice = { draw = "yes" }, player = 1 }]
clause = "D-1"

[hand.both]
from = "player 1-2"
ranking = "two_card"

[[decision]]
id = "draw"
says = "The player may draw a second card."
clause = "D-1"
choices = [{ id = "yes" }, { id = "no", ends = true }]

[[decision]]
id = "bet"
says = "After seeing it, the player may bet."
clause = "D-1"
choices = [{ id = "bet", wager = "bet", of = "ante" }, { id = "pass" }]

[wager.ante]
says = "Always returned."
mandatory = true
clause = "D-1"
outcomes = [{ result = "push", clause = "D-1" }]

[wager.bet]
says = "Pays 10 to 1 on a pair."
clause = "D-1"
hand = "both"
outcomes = [{ result = "table", clause = "D-1" }]

[pay_table.bet.standard]
clause = "D-1"
lines = { pair = 10 }
"""


def test_card_drawn_earlier_is_seen_at_the_next_decision():
    # the player bets on pairs only: 3 of the 51 cards left pair the first, and pay 10
    odds = {each.wager: each for each in find_odds(read_definition(DRAW % ("0" * 64)))}
    assert odds["ante"].exact == Fraction(-10 * 3, 51)


@pytest.mark.deep
def test_fortune_has_its_published_edge():
    # wizardofodds.com: 7.77 % with 8,000 to 1 for a straight flush of seven cards
    for table, published in (("eight_thousand", 0.0777), ("standard", 0.0783)):
        odds = odds_of_sets("pai-gow-poker", pay_tables={"fortune": table})
        assert odds["fortune"].exact is not None
        assert round(odds["fortune"].edge, 4) == published
        assert abs(odds["main"].edge - 0.0272) < 3 * odds["main"].error  # 2.72 % the house way


def odds_of_sets(slug, **terms):
    return {each.wager: each for each in set_odds(definition_of(slug), Terms(**terms))}
