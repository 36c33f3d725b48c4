"""Casino Version over columns: the game's own kernels, compiled, over every round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from games.casino_version.play import terms_of
from games.casino_version.settle import fouls, net_points, settle_fold, settle_points, strengths
from games.kernel import compiled, jit
from games.log.scan import NO_CARD, memory_of
from games.screens.cards import is_part, side_by_side

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from games.log.columns import Columns
    from games.setup import Setup


GAME = "casino-version"
CARDS, FOLDED = 9, 7
FOLD = 1
"""Code of `play`, in the order of the layout's choices."""
KEYS = ("ante", "buy_in")
RESULTS = ("points", "ante", "buy_in")
NO_MOST = 2**62

_fouls: Any = compiled(fouls)
_strengths: Any = compiled(strengths)
_net_points: Any = compiled(net_points)
_settle_points: Any = compiled(settle_points)
_settle_fold: Any = compiled(settle_fold)


@jit
def dealt_to(cards, at):  # type: ignore[no-untyped-def]
    """Return how many cards a hand was dealt."""
    count = 0
    while count < CARDS and cards[at + count] != NO_CARD:
        count += 1
    return count


@jit
def is_set(cards, sets, row, left):  # type: ignore[no-untyped-def]
    """Return whether nine cards were dealt and exactly these are set (CV-4)."""
    at = CARDS * row
    return dealt_to(cards, at) == CARDS and is_part(sets, at, CARDS, cards, at, CARDS, left)


@jit
def within_aggregate(results, first, last, most):  # type: ignore[no-untyped-def]
    """Return whether no maximum over all hands of the deal can apply to the logged results."""
    for key in range(3):
        won = 0
        for seat in range(first, last):
            won += max(results[key][seat], 0)
        if won > most[key]:
            return False
    return True


@jit
def sift(  # type: ignore[no-untyped-def]
    house, house_set, cards, sets, play, wagers, results, first_seat, all_terms, most, certain
):
    """Keep certain only the rounds that have no findings, whatever came before them."""
    counts = np.zeros(64, np.int64)
    left, terms = memory_of(counts), memory_of(all_terms)
    dealers, dealers_set = memory_of(house), memory_of(house_set)
    hands, laid = memory_of(cards), memory_of(sets)
    antes, buy_ins = wagers
    on_points, on_ante, on_buy_in = results
    for row in range(certain.size):
        first, last = first_seat[row], first_seat[row + 1]
        right = certain[row] != 0 and is_set(dealers, dealers_set, row, left)
        others = _strengths(dealers_set, CARDS * row)
        if not right or _fouls(others[0], others[1], others[2]):
            certain[row] = 0
            continue
        for seat in range(first, last):
            ante = antes[seat]
            right &= ante > 0 and buy_ins[seat] == ante
            if play[seat] == FOLD:
                right &= dealt_to(hands, CARDS * seat) == FOLDED
                points, won, won_back, _ = _settle_fold(ante, buy_ins[seat])
            else:
                right &= is_set(hands, laid, seat, left)
                mine = _strengths(laid, CARDS * seat)
                net = _net_points(mine, others, laid, CARDS * seat, dealers_set, CARDS * row, terms)
                points, won, won_back, _ = _settle_points(net, ante, buy_ins[seat])
            right &= on_points[seat] == points and on_ante[seat] == won
            right &= on_buy_in[seat] == won_back
        certain[row] = right and within_aggregate(results, first, last, most)


class Screen:
    """The screen under one set-up."""

    def __init__(self, setup: Setup) -> None:
        self._terms = np.array(terms_of(setup), np.int64)
        per_deal = setup.max_per_deal.get(GAME, {})
        self._most = np.array([per_deal.get(key, NO_MOST) for key in RESULTS], np.int64)

    def sift(self, columns: Columns, certain: NDArray[np.uint8]) -> None:
        """Keep certain only the rounds that have no findings."""
        rounds, seats = columns.rounds, columns.seats
        house, cards = side_by_side(rounds, "house", CARDS), side_by_side(seats, "card", CARDS)
        sift(
            house,
            side_by_side(rounds, "house_set", CARDS),
            cards,
            side_by_side(seats, "set", CARDS),
            seats.numbers["play"],
            tuple(seats.numbers[f"wager_{key}"] for key in KEYS),
            tuple(seats.numbers[f"result_{key}"] for key in RESULTS),
            columns.first_seat,
            self._terms,
            self._most,
            certain,
        )
