"""Pick 2's main game on a deck small enough to deal every pair of hands one by one."""

from fractions import Fraction
from itertools import combinations

import pytest

from games.cards import dealt
from games.odds.pick_2_main import main_odds
from games.odds.pick_2_poker import BOTH_TABLES
from games.pick_2_poker.settle import (
    ANTE_WINS,
    BOTH_PUSH,
    BOTH_WIN,
    best_three,
    five,
    five_card_lines,
    lines_among_five,
    settle_bonus_3_5,
    settle_five,
    settle_play,
)
from games.setup import Setup

DECK = tuple(dealt("2c 3d 4h 5c 7s Tc Th Jh Qd Ks Kd Ah"))
"""Hands below and above ace-king, straights, pairs and ties."""


def edges(setup, unqualified, fold_loses_bonus):
    """Return the edges of ante and play, and of these with the bonus, by dealing every hand."""
    main = together = deals = 0
    pays = [setup.pays("pick-2-poker", table) for table in BOTH_TABLES]
    for mine in combinations(DECK, 5):
        bonus = settle_bonus_3_5(
            five_card_lines(*mine), lines_among_five(*mine, any_suits=False), 1, *pays
        )[0]
        others = list(combinations([card for card in DECK if card not in mine], 5))
        three = sum(
            sum(settle_play(best_three(*mine), best_three(*theirs), 1, 2)[:2]) for theirs in others
        )
        whole = sum(
            sum(settle_five(five(*mine), five(*theirs), 1, 1, unqualified)[:2]) for theirs in others
        )
        fold = -1 if fold_loses_bonus else bonus
        number = len(others)
        main_, together_ = max(
            ((value, value + extra * number) for value, extra in
             ((three, bonus), (whole, bonus), (-number, fold))),
            key=lambda each: each[1],
        )  # fmt: skip
        main, together, deals = main + main_, together + together_, deals + number
    return Fraction(-main, deals), Fraction(-together, deals)


@pytest.mark.parametrize(
    ("readings", "unqualified", "fold_loses_bonus"),
    [
        ({"P2-I1": "ante_wins"}, ANTE_WINS, True),
        ({"P2-I1": "both_win"}, BOTH_WIN, True),
        ({"P2-I1": "both_push", "P2-I5": "bonus_stands"}, BOTH_PUSH, False),
    ],
)
def test_main_game_is_that_of_every_deal(readings, unqualified, fold_loses_bonus):
    setup = Setup(interpretations=readings)
    found = tuple(each.house_edge for each in main_odds(setup, DECK))
    assert found == edges(setup, unqualified, fold_loses_bonus)
