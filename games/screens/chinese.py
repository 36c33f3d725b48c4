"""Chinese Poker over columns: the game's own kernels, compiled, over every round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from games.checks.approval_controls import is_approved_scoring
from games.chinese_poker.naturals import makes_natural
from games.chinese_poker.play import terms_of
from games.chinese_poker.settle import (
    FIRST_NATURAL,
    NOT_APPROVED,
    SURRENDERED,
    TERMS,
    settle_table,
    take_seat,
)
from games.kernel import compiled, jit
from games.log.field_types import MOST_SEATS
from games.log.scan import memory_of
from games.log.schema import V1_SCORINGS
from games.screens.cards import side_by_side

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from games.log.columns import Columns
    from games.setup import Setup


GAME = "chinese-poker"
CARDS = 13

_take_seat: Any = compiled(take_seat)
_settle_table: Any = compiled(settle_table)
_makes_natural: Any = compiled(makes_natural)


@jit
def seat_down(table, place, cards, at, play, natural, terms, may_surrender):  # type: ignore[no-untyped-def]
    """Write the seat into the table; return whether it can do without scalar settlement.

    A natural that the cards don't make, or that isn't approved, needs scalar settlement.
    """
    if play != 0:
        table[place + 3] = SURRENDERED
        return may_surrender
    if natural != 0 and (
        terms[FIRST_NATURAL + natural - 1] == NOT_APPROVED
        or not _makes_natural(natural - 1, cards, at)
    ):
        return False
    _take_seat(table, place, cards, at, natural - 1, terms)
    return True


@jit
def sift(  # type: ignore[no-untyped-def]
    cards, play, natural, total, unit, scoring, first_seat, all_terms, approved, may_surrender,
    certain,
):  # fmt: skip
    """Keep certain only the rounds that have no findings, whatever came before them."""
    numbers, won = np.zeros(4 * MOST_SEATS, np.int64), np.zeros(MOST_SEATS, np.int64)
    table, units, hands, terms = (
        memory_of(numbers), memory_of(won), memory_of(cards), memory_of(all_terms)
    )  # fmt: skip
    own_terms = np.empty(TERMS, np.int64)
    own = memory_of(own_terms)
    for row in range(certain.size):
        first, last = first_seat[row], first_seat[row + 1]
        seats = last - first
        method = scoring[row] - 1
        right = approved[method] != 0
        if certain[row] == 0 or not right:
            certain[row] = 0
            continue
        for place in range(TERMS):
            own[place] = terms[TERMS * method + place]
        for place in range(seats):
            seat = first + place
            units[place] = 0
            right &= seat_down(
                table, 4 * place, hands, CARDS * seat, play[seat], natural[seat], own,
                may_surrender,
            )  # fmt: skip
        if right:
            _settle_table(table, seats, own, units)
            for place in range(seats):
                right &= total[first + place] == units[place] * unit[row]
        certain[row] = right


class Screen:
    """The screen under one set-up."""

    def __init__(self, setup: Setup) -> None:
        approved = [is_approved_scoring(name, setup) for name in V1_SCORINGS]
        none = (0,) * TERMS
        self._terms = np.array(
            [
                terms_of(name, setup) if is_known else none
                for name, is_known in zip(V1_SCORINGS, approved, strict=True)
            ],
            np.int64,
        ).ravel()
        self._approved = np.array(approved, np.uint8)
        self._may_surrender = setup.chinese.surrender is not None

    def sift(self, columns: Columns, certain: NDArray[np.uint8]) -> None:
        """Keep certain only the rounds that have no findings."""
        rounds, seats = columns.rounds, columns.seats
        cards = side_by_side(seats, "card", CARDS)
        sift(
            cards,
            seats.numbers["play"],
            seats.numbers["natural"],
            seats.numbers["result_total"],
            rounds.numbers["unit"],
            rounds.numbers["scoring"],
            columns.first_seat,
            self._terms,
            self._approved,
            self._may_surrender,
            certain,
        )
