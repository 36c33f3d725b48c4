"""Chances of filed games, from their definitions: by hand, and beside published counts."""

import numpy as np
import pytest

from games.families.stud.bounds import net_of
from games.statistics.chances import LEVELS
from games.statistics.evidence import TILTS
from games.statistics.filed import count_game, filed_chances, games_to_count, watched_of
from tests.games.families.filed_games import definition_of


def test_casino_war_is_bounded_by_the_better_answer_to_a_tie():
    # six decks: 23 of 311 cards tie; at war 22 cards of the rank are left, or 24 of each other one
    tie, again = 23 / 311, (22 * 21 + 12 * 24 * 23) / (310 * 309)
    won = again + (1 - again) / 2
    # of the two antes a hand may stake: one won or lost is a half, surrender loses a quarter
    war = won * np.exp(TILTS / 2) + (1 - won) * np.exp(-TILTS)
    mean = (1 - tie) * np.cosh(TILTS / 2) + tie * np.maximum(np.exp(-TILTS / 4), war)
    chance = filed_chances([definition_of("casino-war")])["ante"]
    assert chance.log_mgf[2 * LEVELS] == pytest.approx(np.log(mean), abs=1e-12)
    assert (chance.scale, chance.is_exact) == (LEVELS, False)


def test_pair_plus_hits_with_all_hands_but_high_cards():
    definition = definition_of("three-card-poker")
    games = [each for each in games_to_count(definition) if each[0] == "pair_plus"]
    assert {each.pay_tables["pair_plus"] for _, each in games} == {"standard", "flush_3"}
    chance = count_game(definition, *games[0])["pair_plus"]
    assert chance.mean == pytest.approx(1 - 16_440 / 22_100)  # published: 16,440 high cards
    assert chance.is_exact


def test_six_card_bonus_hits_with_the_published_hands():
    # the best five of six cards: royal and straight flushes, four of a kind, full houses,
    # flushes, straights, three of a kind
    hits = 188 + 1_656 + 14_664 + 165_984 + 205_792 + 361_620 + 732_160
    definition = definition_of("three-card-poker")
    (game,) = (each for each in games_to_count(definition) if each[0] == "six_card")
    assert count_game(definition, *game)["six_card"].mean == pytest.approx(hits / 20_358_520)


def test_net_result_is_a_part_of_the_most_that_a_hand_stakes():
    net = net_of(definition_of("three-card-poker"))
    assert net is not None
    assert (net.base, net.stakes, net.keys) == ("ante", 2, ("ante", "play"))
    # a fold loses half of two antes; ante and play both won are all; a bonus is more, and all
    assert [net.level(won, 500) for won in (-500, 500, 1_000, 3_500, -1_000)] == [-4, 4, 8, 8, -8]


def test_bound_for_a_smaller_wager_is_not_below_that_of_its_tilt():
    # a wager of half the weight at twice the tilt is the same bet
    chance = filed_chances([definition_of("casino-war")])["ante"]
    half, whole = chance.log_mgf[LEVELS + LEVELS // 2], chance.log_mgf[2 * LEVELS]
    same = (TILTS[:-1] == TILTS[1:] * 2) | (TILTS[1:] == TILTS[:-1] * 2)
    assert same.sum() == 16
    up = np.flatnonzero(TILTS > 0)[1:]
    assert half[up] == pytest.approx(whole[up - 1])
    quarter = chance.log_mgf[LEVELS + LEVELS * 3 // 4]
    assert (quarter[up] >= np.minimum(half[up], whole[up]) - 1e-12).all()


def test_hidden_cards_are_those_that_no_player_sees():
    assert watched_of(definition_of("three-card-poker")).hidden == (0, 3)
    assert watched_of(definition_of("caribbean-stud")).hidden == (1, 5)
    assert watched_of(definition_of("casino-war")).hidden == (0, 0)  # more are dealt at war
    assert watched_of(definition_of("let-it-ride")).hidden == (0, 0)  # there is no dealer's hand
