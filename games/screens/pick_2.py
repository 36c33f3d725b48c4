"""Pick 2 Poker over columns: the game's own kernels, compiled, over every round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from games.kernel import compiled, jit
from games.log.scan import NO_CARD, memory_of
from games.pick_2_poker.reasons import READINGS
from games.pick_2_poker.settle import (
    best_three,
    five,
    five_card_lines,
    lines_among_five,
    settle_bonus_3_5,
    settle_bonus_5,
    settle_five,
    settle_play,
    three_card_lines,
)
from games.ranking.three_card import three_card
from games.screens.cards import is_part, side_by_side

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from games.log.columns import Columns
    from games.setup import Setup


GAME = "pick-2-poker"
KEYS = ("ante", "bonus_3_5", "bonus_5", "play")
ANTE, BONUS_3_5, BONUS_5, PLAY = 0, 1, 2, 3
THREE, FIVE, FOLD = 1, 2, 3
"""Codes of `play`, in the order of the layout's choices."""
NO_MOST = 2**62

# Places in `terms`.
NOT_QUALIFIED, BONUS_STANDS, SET_THREE, ANY_SUITS, EQUAL_BONUS_3_5, MOST = 0, 1, 2, 3, 4, 5

_three_card: Any = compiled(three_card)
_best_three: Any = compiled(best_three)
_five: Any = compiled(five)
_five_card_lines: Any = compiled(five_card_lines)
_three_card_lines: Any = compiled(three_card_lines)
_lines_among_five: Any = compiled(lines_among_five)
_settle_play: Any = compiled(settle_play)
_settle_five: Any = compiled(settle_five)
_settle_bonus_3_5: Any = compiled(settle_bonus_3_5)
_settle_bonus_5: Any = compiled(settle_bonus_5)


@jit
def dealer_is_right(hand, three, row, best, left):  # type: ignore[no-untyped-def]
    """Return whether the three shown, if any, are a best three (P2-7, P2-I7)."""
    at = 3 * row
    if three[at] == NO_CARD:
        return True
    return (
        is_part(three, at, 3, hand, 5 * row, 5, left)
        and _three_card(three[at], three[at + 1], three[at + 2]) == best
    )


@jit
def wagers_are_right(ante, bonus, extra, on_play, play, terms):  # type: ignore[no-untyped-def]
    """Return whether all mandatory wagers were placed, in the relations of P2-3 and P2-4."""
    times = 2 if play == THREE else (1 if play == FIVE else 0)
    if ante == 0 or bonus == 0 or on_play != times * ante:
        return False
    if terms[EQUAL_BONUS_3_5]:
        return bonus == ante
    return extra in (0, ante)


@jit
def settle_hand(play, shown, strength, dealers_best, dealers_five, ante, on_play, terms):  # type: ignore[no-untyped-def]
    """Return what ante and play win."""
    if play == FOLD:
        return -ante, 0
    if play == THREE:
        won, won_play, _ = _settle_play(shown, dealers_best, ante, on_play)
        return won, won_play
    won, won_play, _ = _settle_five(strength, dealers_five, ante, on_play, terms[NOT_QUALIFIED])
    return won, won_play


@jit
def settle_bonuses(play, shown, a, b, c, d, e, bonus, extra, terms, pays):  # type: ignore[no-untyped-def]
    """Return what bonus_3_5 and bonus_5 win."""
    if play == FOLD and not terms[BONUS_STANDS]:
        return -bonus, -extra
    lines = _five_card_lines(a, b, c, d, e)
    if play == THREE and terms[SET_THREE]:
        of_three = _three_card_lines(shown, terms[ANY_SUITS] != 0)
    else:
        of_three = _lines_among_five(a, b, c, d, e, terms[ANY_SUITS] != 0)
    five_pays, three_pays, bonus_pays = pays
    won, _, _ = _settle_bonus_3_5(lines, of_three, bonus, five_pays, three_pays)
    won_extra, _ = _settle_bonus_5(lines, extra, bonus_pays)
    return won, won_extra


@jit
def within_aggregate(results, first, last, terms):  # type: ignore[no-untyped-def]
    """Return whether no maximum over all hands of the deal can apply to the logged results."""
    for key in range(4):
        won = 0
        for seat in range(first, last):
            won += max(results[key][seat], 0)
        if won > terms[MOST + key]:
            return False
    return True


@jit
def sift(  # type: ignore[no-untyped-def]
    house, house_three, cards, three, play, wagers, results, first_seat, terms, pays, certain
):
    """Keep certain only the rounds that have no findings, whatever came before them."""
    counts = np.zeros(64, np.int64)
    left, rules = memory_of(counts), memory_of(terms)
    dealers, shown_by_dealers = memory_of(house), memory_of(house_three)
    hands, threes = memory_of(cards), memory_of(three)
    antes, bonuses, extras, plays = wagers
    on_ante, on_bonus, on_extra, on_play = results
    for row in range(certain.size):
        if not certain[row]:
            continue
        at = 5 * row
        a, b, c = dealers[at], dealers[at + 1], dealers[at + 2]
        d, e = dealers[at + 3], dealers[at + 4]
        best, strength = _best_three(a, b, c, d, e), _five(a, b, c, d, e)
        first, last = first_seat[row], first_seat[row + 1]
        right = dealer_is_right(dealers, shown_by_dealers, row, best, left)
        for seat in range(first, last):
            at, third, choice = 5 * seat, 3 * seat, play[seat]
            a, b, c = hands[at], hands[at + 1], hands[at + 2]
            d, e = hands[at + 3], hands[at + 4]
            ante, bonus, extra = antes[seat], bonuses[seat], extras[seat]
            shown = 0
            if choice == THREE:
                right &= is_part(threes, third, 3, hands, at, 5, left)
                shown = _three_card(threes[third], threes[third + 1], threes[third + 2])
            won, won_play = settle_hand(
                choice, shown, _five(a, b, c, d, e), best, strength, ante, plays[seat], rules
            )
            won_bonus, won_extra = settle_bonuses(
                choice, shown, a, b, c, d, e, bonus, extra, rules, pays
            )
            right &= wagers_are_right(ante, bonus, extra, plays[seat], choice, rules)
            right &= on_ante[seat] == won and on_play[seat] == won_play
            right &= on_bonus[seat] == won_bonus and on_extra[seat] == won_extra
        certain[row] = right and within_aggregate(results, first, last, rules)


class Screen:
    """The screen under one set-up."""

    def __init__(self, setup: Setup) -> None:
        self._pays = tuple(
            setup.pays(GAME, table) for table in ("bonus_3_5_five", "bonus_3_5_three", "bonus_5")
        )
        per_deal = setup.max_per_deal.get(GAME, {})
        self._terms = np.array(
            [
                READINGS["P2-I1"].index(setup.reading("P2-I1")),
                int(setup.reading("P2-I5") == "bonus_stands"),
                int(setup.reading("P2-I4") == "set_three"),
                int(setup.reading("P2-I9") == "any_suits"),
                int(setup.reading("P2-I10") == "bonus_3_5"),
                *(per_deal.get(key, NO_MOST) for key in KEYS),
            ],
            np.int64,
        )

    def sift(self, columns: Columns, certain: NDArray[np.uint8]) -> None:
        """Keep certain only the rounds that have no findings."""
        rounds, seats = columns.rounds, columns.seats
        house, cards = side_by_side(rounds, "house", 5), side_by_side(seats, "card", 5)
        sift(
            house,
            side_by_side(rounds, "house_three", 3),
            cards,
            side_by_side(seats, "three", 3),
            seats.numbers["play"],
            tuple(seats.numbers[f"wager_{key}"] for key in KEYS),
            tuple(seats.numbers[f"result_{key}"] for key in KEYS),
            columns.first_seat,
            self._terms,
            self._pays,
            certain,
        )
