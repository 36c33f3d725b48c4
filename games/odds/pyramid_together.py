"""Odds of Pyramid Poker's three mandatory wagers together (PP-2), at equal amounts.

Their results depend on each other, because one hand of three cards and one of the dealer decide all
of them. So every hand of the player, one of each kind that differs only in suits, meets every hand
of the dealer.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from games.kernel import compiled, jit
from games.odds.hands import every_hand
from games.odds.pyramid_poker import GAME, Table, as_set, gain
from games.odds.wagers import Outcome, WagerOdds, unrounded
from games.pyramid_poker.settle import settle_main, settle_six_card, settle_three_card
from games.rounding import in_short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.setup import Setup

TOGETHER: Final = "The three mandatory wagers together, at equal amounts."
SETS: Final = {
    "house_way": "The player sets the House Way.",
    "optimal": "The player sets each hand the best way.",
}
AT_ONCE: Final = True
REASONS: Final = 64
"""More than any reason code."""

_main: Any = compiled(settle_main)
_three: Any = compiled(settle_three_card)
_six: Any = compiled(settle_six_card)


@jit
def meet_dealers(  # type: ignore[no-untyped-def]
    own, own_ways, own_set, dealers, dealers_set, ways_left, both_equal, unit, three_pays, six_pays,
    deals, won,
):  # fmt: skip
    """Count deals by what all wagers win: `deals` and `won` by main's, then six-card's reason."""
    left = np.empty(52, np.int64)
    left[:] = ways_left.shape[0] - 1
    for card in own:
        left[card] -= 1
    three, _ = _three(own[0], own[1], own[2], unit, three_pays)
    for row in range(len(dealers)):
        x, y, z = dealers[row]
        ways = own_ways
        if x == z:
            ways *= ways_left[left[x], 3]
        elif x == y:
            ways *= ways_left[left[x], 2] * ways_left[left[z], 1]
        elif y == z:
            ways *= ways_left[left[x], 1] * ways_left[left[y], 2]
        else:
            ways *= ways_left[left[x], 1] * ways_left[left[y], 1] * ways_left[left[z], 1]
        main, why = _main(
            own_set[0], own_set[1], own_set[2],
            dealers_set[row, 0], dealers_set[row, 1], dealers_set[row, 2],
            unit, both_equal, AT_ONCE,
        )  # fmt: skip
        six, six_why = _six(own[0], own[1], own[2], x, y, z, unit, six_pays)
        deals[why, six_why] += ways
        won[why, six_why] = main + three + six


def odds(setup: Setup, decks: int) -> Iterator[WagerOdds]:
    """Yield the odds of the three wagers, of all that is wagered."""
    table = Table(setup, decks, range(13))
    best = {cards: max(of, key=lambda low: gain(of[low])) for cards, of in table.by_setting()}
    (three_pays, unit), (six_pays, _) = (
        unrounded(setup.pays(GAME, wager)) for wager in ("three_card", "six_card")
    )
    hands = every_hand(3)
    dealers = np.array(list(combinations_with_replacement(range(52), 3)), np.uint8)
    dealers_set = np.array(
        [as_set(ranks, table.house_low(ranks)) for ranks in map(_ranks, dealers.tolist())]
    )
    ways_left = np.array([[comb(copies, k) for k in range(4)] for copies in range(decks + 1)])
    for strategy, says in SETS.items():
        totals: dict[int, int] = {}
        for own, alike in zip(hands.cards, hands.alike.tolist(), strict=True):
            ranks = _ranks(own.tolist())
            low = best[ranks] if strategy == "optimal" else table.house_low(ranks)
            ways = alike
            for card in set(own.tolist()):
                ways *= comb(decks, own.tolist().count(card))
            deals, won = np.zeros((2, REASONS, REASONS), np.int64)
            meet_dealers(
                own, ways, np.array(as_set(ranks, low)), dealers, dealers_set, ways_left,
                table.both_equal, unit, three_pays, six_pays, deals, won,
            )  # fmt: skip
            for place in zip(*np.nonzero(deals), strict=True):
                amount = int(won[place])
                totals[amount] = totals.get(amount, 0) + int(deals[place])
        every = sum(totals.values())
        yield WagerOdds(
            "main+three_card+six_card",
            (TOGETHER, says),
            tuple(
                Outcome("all wagers", in_short(Fraction(amount, 3 * unit)), Fraction(number, every))
                for amount, number in sorted(totals.items(), reverse=True)
            ),
            strategy,
        )


def _ranks(cards: list[int]) -> tuple[int, int, int]:
    a, b, c = sorted(card >> 2 for card in cards)
    return a, b, c
