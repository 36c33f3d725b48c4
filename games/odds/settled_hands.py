"""Odds of a wager that looks at one hand of cards: the game's own settlement, over every hand."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from games.kernel import compiled
from games.odds.census import census
from games.odds.hand_classes import hand_classes
from games.odds.wager_odds import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.odds.hand_classes import Cards, Numbers

every_hand = cache(hand_classes)


def settled_hands(
    settle: Callable[..., None],
    size: int,
    decks: int,
    called: Callable[[int], str],
    *terms: object,
) -> tuple[Outcome, ...]:
    """What one unit wagered on hands of this size comes to, out of so many decks.

    `settle` is a kernel `(hands, to, why, *terms)` that fills in each hand's result and reason;
    `called` gives a reason's name.
    """
    hands = every_hand(size)
    to, why = settle_rows(settle, hands.cards, *terms)
    known = dict(zip(why.tolist(), to.tolist(), strict=True))
    return tuple(
        Outcome(called(reason), known[reason], probability)
        for reason, probability in sorted(census(hands, why).probabilities(decks).items())
    )


def settle_rows(
    settle: Callable[..., None], hands: Cards, *terms: object
) -> tuple[Numbers, Numbers]:
    """Each hand's result and reason, by the compiled kernel."""
    to, why = np.zeros(len(hands), np.int64), np.zeros(len(hands), np.int64)
    compiled(settle)(hands, to, why, *terms)
    return to, why
