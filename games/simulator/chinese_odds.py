"""Odds of Chinese Poker, by dealing at random: what a player wins from another, per unit wagered.

The players play each other, so two who set alike are even in the long run. What a definition
decides is how much is at stake: the variance of each scoring. Without controls, there are no
bonuses, naturals or surrenders.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from games.chinese_poker.play import GAME, terms_of
from games.chinese_poker.settle import settle_table, take_seat
from games.kernel import compiled, jit
from games.odds.estimated import EstimatedOdds, estimated
from games.simulator.chinese import declare, set_thirteen
from games.simulator.hands import chance_of, deal_hand, shoe_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.setup import Setup

HANDS: Final = 1_000_000
MAY_SURRENDER: Final = False
STRATEGY: Final = "best_back_then_middle"
BEST_BACK: Final = (
    "Two players. Both make the back of their best five cards, and the middle of the best five that"
    " are left. They declare every natural that the controls name, and never surrender."
)

_take_seat: Any = compiled(take_seat)
_settle_table: Any = compiled(settle_table)


@jit
def play_hands(shoe, chance, terms, hands, sums):  # type: ignore[no-untyped-def]
    """Deal two hands; add up what the first wins in units, its square, and how often."""
    cards = np.empty(13, np.uint8)
    table, units = np.zeros(8, np.int64), np.zeros(2, np.int64)
    for _ in range(hands):
        at = 0
        for seat in range(2):
            at = deal_hand(shoe, at, chance, cards, 13)
            back = set_thirteen(cards)
            natural = declare(cards, back, terms, MAY_SURRENDER, MAY_SURRENDER, chance)
            _take_seat(table, 4 * seat, cards, 0, natural, terms)
            units[seat] = 0
        _settle_table(table, 2, terms, units)
        sums[0] += units[0]
        sums[1] += units[0] * units[0]
        sums[2] += units[0] > 0


def odds(setup: Setup, decks: int) -> Iterator[EstimatedOdds]:
    """Yield what a player wins from one other, in units, under each scoring."""
    for scoring in setup.rules(GAME).scorings.values():
        terms = np.array(terms_of(scoring.name, setup), np.int64)
        sums = np.zeros(3, np.int64)
        play_hands(shoe_of(decks), chance_of(GAME, scoring.name), terms, HANDS, sums)
        says = f"Scored by “{scoring.name}” ({scoring.clause})."
        strategy = f"{STRATEGY}_{scoring.name}"
        yield estimated("unit", "wager", strategy, (BEST_BACK, says), HANDS, sums)
