"""Showdown over columns: the game's own kernels, compiled, over every round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from games.kernel import compiled, jit
from games.log.field_types import MOST_SEATS
from games.log.scan import NO_CARD, memory_of
from games.screens.cards import is_part, side_by_side
from games.showdown.play import FEWEST_SET, values_of
from games.showdown.settle import FOULED_AT, HANDS, PLAYED, SEAT, settle_table, take_seat

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from games.log.columns import Columns
    from games.setup import Setup


GAME = "showdown"
CARDS = 25
RESULTS = ("showdown", "surrender", "pot")
SURRENDER_20, SURRENDER_23, SHOWDOWN, LAST = 1, 2, 3, 4
"""Codes of `play`, in the order of the layout's choices."""

_take_seat: Any = compiled(take_seat)
_settle_table: Any = compiled(settle_table)


@jit
def dealt_to(cards, at):  # type: ignore[no-untyped-def]
    """Return how many cards a seat was dealt."""
    count = 0
    while count < CARDS and cards[at + count] != NO_CARD:
        count += 1
    return count


@jit
def count_is_right(dealt, play):  # type: ignore[no-untyped-def]
    """Return whether a seat has the right number of cards for its declaration (SD-3 to SD-5)."""
    if play == SURRENDER_20:
        return dealt == 20
    if play == SURRENDER_23:
        return dealt == 23
    if play == SHOWDOWN:
        return dealt == 25
    return dealt in (20, 23, 25)


@jit
def lay_down(table, place, cards, sets, sizes, seat, left):  # type: ignore[no-untyped-def]
    """Write a set of six hands into the table; return if it is made of the cards dealt (SD-6)."""
    laid = 0
    for hand in range(HANDS):
        laid += sizes[HANDS * seat + hand]
    if laid < FEWEST_SET or not is_part(sets, CARDS * seat, laid, cards, CARDS * seat, CARDS, left):
        return False
    _take_seat(table, place, sets, CARDS * seat, sizes, HANDS * seat)
    return True


@jit
def any_proper(table, played, seats):  # type: ignore[no-untyped-def]
    """Return whether a showdown has a proper set, or only one player left (SD-I7, SD-I14)."""
    left, proper = 0, 0
    for place in range(seats):
        if played[place] == PLAYED:
            left += 1
            proper += 1 if table[SEAT * place + FOULED_AT] == 0 else 0
    return left == 1 or proper > 0


@jit
def sift(  # type: ignore[no-untyped-def]
    cards, sets, sizes, play, numbers, results, chip, dealer, first_seat, values, certain
):
    """Keep certain only the rounds that have no findings, whatever came before them."""
    counts = np.zeros(64, np.int64)
    room = np.zeros(SEAT * MOST_SEATS, np.int64)
    rows = np.zeros(4 * MOST_SEATS, np.int64)
    left, table, worth = memory_of(counts), memory_of(room), memory_of(values)
    hands, laid, long = memory_of(cards), memory_of(sets), memory_of(sizes)
    shown, given, pot = rows[:MOST_SEATS], rows[MOST_SEATS:], rows[2 * MOST_SEATS :]
    played = rows[3 * MOST_SEATS :]
    shows, gives, pots, stayed = (
        memory_of(shown), memory_of(given), memory_of(pot), memory_of(played)
    )  # fmt: skip
    for row in range(certain.size):
        first, last = first_seat[row], first_seat[row + 1]
        seats = last - first
        if certain[row] == 0:
            continue
        right, remaining, lasts, dealers = True, 0, 0, 0
        for place in range(seats):
            seat = first + place
            choice = play[seat]
            shows[place] = gives[place] = pots[place] = 0
            stayed[place] = min(choice - 1, PLAYED)
            remaining += choice >= SHOWDOWN
            lasts += choice == LAST
            dealers = place if numbers[seat] == dealer[row] else dealers
            right &= count_is_right(dealt_to(hands, CARDS * seat), choice)
            if choice == SHOWDOWN:
                right = right and lay_down(table, SEAT * place, hands, laid, long, seat, left)
            else:
                table[SEAT * place + FOULED_AT] = 0
        right = right and remaining > 0 and not (remaining > 1 and lasts > 0)
        if not right or not any_proper(table, stayed, seats):
            certain[row] = 0
            continue
        _settle_table(laid, table, stayed, seats, dealers, worth, shows, gives, pots)
        for place in range(seats):
            seat = first + place
            right &= results[0][seat] == shows[place] * chip[row]
            right &= results[1][seat] == gives[place] * chip[row]
            right &= results[2][seat] == pots[place] * chip[row]
        certain[row] = right


class Screen:
    """The screen under one set-up."""

    def __init__(self, setup: Setup) -> None:
        rules = setup.rules(GAME)
        self._values = np.array(values_of(rules, setup.reading("SD-I1")), np.int64)

    def sift(self, columns: Columns, certain: NDArray[np.uint8]) -> None:
        """Keep certain only the rounds that have no findings."""
        rounds, seats = columns.rounds, columns.seats
        cards = side_by_side(seats, "card", CARDS)
        sift(
            cards,
            side_by_side(seats, "set", CARDS),
            side_by_side(seats, "set_size", HANDS),
            seats.numbers["play"],
            seats.numbers["seat"],
            tuple(seats.numbers[f"result_{key}"] for key in RESULTS),
            rounds.numbers["chip"],
            rounds.numbers["dealer"],
            columns.first_seat,
            self._values,
            certain,
        )
