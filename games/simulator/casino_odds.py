"""Odds of Casino Version, by dealing at random: how nine cards are set is left to the players.

Player and dealer set the same way here: the best five cards are hand 3, with every joker in them,
and the best three of the others that keep the order of the hands are hand 2 (CV-4, CV-I8). Where a
dealer can't set a hand in that order, the cards are dealt anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from games.casino_version.play import GAME, terms_of
from games.casino_version.settle import net_points, settle_fold, settle_points, strengths
from games.kernel import compiled, jit
from games.odds.estimated import EstimatedOdds, estimated
from games.simulator.casino import DECKS, JOKERS, is_weak, set_nine
from games.simulator.hands import chance_of, deal_hand, shoe_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.setup import Setup

HANDS: Final = 2_000_000
BEST_FIVE: Final = (
    "Player and dealer make hand 3 of their best five cards, jokers included, and hand 2 of the"
    " best three that are left."
)
STRATEGIES: Final = (
    ("best_five_never_folds", False, "The player never folds."),
    ("best_five_folds_weak", True, "The player folds seven cards without an ace, joker or pair."),
)

_net_points: Any = compiled(net_points)
_settle_points: Any = compiled(settle_points)
_settle_fold: Any = compiled(settle_fold)
_strengths: Any = compiled(strengths)


@jit
def play_hands(shoe, chance, terms, hands, folds_weak, sums):  # type: ignore[no-untyped-def]
    """Deal hands against a dealer; add up what is won per ante, its square, and how often."""
    own, laid = np.empty(9, np.uint8), np.empty(9, np.uint8)
    dealers, dealers_laid = np.empty(9, np.uint8), np.empty(9, np.uint8)
    for _ in range(hands):
        at = deal_hand(shoe, 0, chance, dealers, 9)
        while not set_nine(dealers, dealers_laid):
            at = deal_hand(shoe, 0, chance, dealers, 9)
        deal_hand(shoe, at, chance, own, 9)
        if folds_weak and is_weak(own):
            won = _settle_fold(1, 1)
        else:
            set_nine(own, laid)
            net = _net_points(
                _strengths(laid, 0), _strengths(dealers_laid, 0), laid, 0, dealers_laid, 0, terms
            )
            won = _settle_points(net, 1, 1)
        total = won[0] + won[1] + won[2]
        sums[0] += total
        sums[1] += total * total
        sums[2] += total > 0


def odds(setup: Setup, decks: int) -> Iterator[EstimatedOdds]:
    """Yield the odds of ante, buy-in and points together, per ante, for each strategy."""
    terms = np.array(terms_of(setup), np.int64)
    for strategy, folds_weak, says in STRATEGIES:
        sums = np.zeros(3, np.int64)
        shoe, chance = shoe_of(decks, JOKERS * decks // DECKS), chance_of(GAME, strategy)
        play_hands(shoe, chance, terms, HANDS, folds_weak, sums)
        yield estimated("ante", "ante", strategy, (BEST_FIVE, says), HANDS, sums)
