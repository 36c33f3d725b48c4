"""Odds of Pick 2's main game: ante and play, decided as well as can be with the 3-5 bonus at stake.

Every hand meets every hand that the dealer can then have. How many of these are lower follows from
how many hands below a strength contain each subset of the player's cards (inclusion and exclusion),
so all hands are gone through once, from the lowest to the highest.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Final

import numpy as np

from games.kernel import compiled, jit
from games.odds.hands import Cards, Numbers, settle_rows
from games.odds.pick_2_poker import BOTH_TABLES, GAME, settle_bonuses_3_5
from games.odds.wagers import Outcome, WagerOdds
from games.pick_2_poker.settle import ACE_KING_HIGH, best_three, five
from games.rounding import in_short

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.rounding import Odds
    from games.setup import Setup

CARDS: Final = 5
ONE_DECK: Final = tuple(range(52))
STRATEGY: Final = "optimal"
BEST: Final = "The player folds, plays three cards or plays five, whichever is worth most."
NOT_QUALIFIED: Final = {"ante_wins": 1, "both_win": 2, "both_push": 0}
"""What ante and play win, in antes, if the dealer does not qualify (P2-I1)."""
FOLD, THREE, FIVE = range(3)
OUTCOMES: Final = (
    (FOLD, 0, -1, "folded"),
    (THREE, 0, -3, "three cards, lower"),
    (THREE, 1, 0, "three cards, equal"),
    (THREE, 2, 3, "three cards, higher"),
    (FIVE, 0, -2, "five cards, lower"),
    (FIVE, 1, 0, "five cards, equal"),
    (FIVE, 2, 2, "five cards, higher"),
)
"""The choice, how the hands compare, and what ante and play win."""

_five = compiled(five)
_best_three = compiled(best_three)


@jit
def fill_hands(deck, hands, fives, threes):  # type: ignore[no-untyped-def]
    """Fill in every hand of a deck, by the places of its cards, and its two strengths."""
    row = 0
    for e in range(4, len(deck)):
        for d in range(3, e):
            for c in range(2, d):
                for b in range(1, c):
                    for a in range(b):
                        hands[row, 0], hands[row, 1], hands[row, 2] = a, b, c
                        hands[row, 3], hands[row, 4] = d, e
                        fives[row] = _five(deck[a], deck[b], deck[c], deck[d], deck[e])
                        threes[row] = _best_three(deck[a], deck[b], deck[c], deck[d], deck[e])
                        row += 1


@jit
def subset_of(hand, mask, ways, first):  # type: ignore[no-untyped-def]
    """Return the number of a subset of a hand: those of one size are numbered in order."""
    place, size = 0, 0
    for card in range(CARDS):
        if mask >> card & 1:
            size += 1
            place += ways[hand[card], size]
    return first[size] + place


@jit
def count_disjoint(hand, counts, ways, first):  # type: ignore[no-untyped-def]
    """Return how many of the hands counted so far have no card of a hand."""
    disjoint = 0
    for mask in range(1 << CARDS):
        size = 0
        for card in range(CARDS):
            size += mask >> card & 1
        number = counts[subset_of(hand, mask, ways, first)]
        disjoint += -number if size & 1 else number
    return disjoint


@jit
def compare_all(hands, strengths, order, bound, ways, first, lower, equal, below):  # type: ignore[no-untyped-def]
    """Count for each hand the dealer's hands that are lower, equal, and below the bound."""
    counts = np.zeros(first[CARDS + 1], np.int64)
    at, has_bound = 0, False
    while at < len(order):
        end = at
        strength = strengths[order[at]]
        if strength >= bound and not has_bound:
            has_bound = True
            for row in range(len(hands)):
                below[row] = count_disjoint(hands[row], counts, ways, first)
        while end < len(order) and strengths[order[end]] == strength:
            lower[order[end]] = count_disjoint(hands[order[end]], counts, ways, first)
            end += 1
        for place in range(at, end):
            for mask in range(1 << CARDS):
                counts[subset_of(hands[order[place]], mask, ways, first)] += 1
        for place in range(at, end):
            row = order[place]
            equal[row] = count_disjoint(hands[row], counts, ways, first) - lower[row]
        at = end


@dataclass(frozen=True)
class _Compared:
    """By hand: how many of the dealer's hands are lower, equal, and below a bound."""

    lower: Numbers
    equal: Numbers
    below: Numbers


def _compare(hands: Cards, strengths: Numbers, cards: int, bound: int) -> _Compared:
    ways = np.array([[comb(card, k) for k in range(CARDS + 1)] for card in range(cards)], np.int64)
    first = np.cumsum([0, *(comb(cards, k) for k in range(CARDS + 1))])
    found = _Compared(*(np.zeros(len(hands), np.int64) for _ in range(3)))
    order = np.argsort(strengths, kind="stable")
    compare_all(hands, strengths, order, bound, ways, first, found.lower, found.equal, found.below)
    return found


def main_odds(setup: Setup, deck: Sequence[int] = ONE_DECK) -> tuple[WagerOdds, WagerOdds]:
    """Return the odds of ante and play, and of these with the 3-5 bonus, per ante."""
    rows, size = comb(len(deck), CARDS), comb(len(deck) - CARDS, CARDS)
    hands = np.zeros((rows, CARDS), np.uint8)
    fives, threes = np.zeros(rows, np.int64), np.zeros(rows, np.int64)
    cards = np.array(deck, np.uint8)
    fill_hands(cards, hands, fives, threes)
    by_five = _compare(hands, fives, len(deck), ACE_KING_HIGH)
    by_three = _compare(hands, threes, len(deck), 0)
    on_five, on_three = (setup.pays(GAME, table)._replace(step=1) for table in BOTH_TABLES)
    unit = on_five.over
    any_suits = setup.reading("P2-I9") == "any_suits"
    bonus, _ = settle_rows(settle_bonuses_3_5, cards[hands], unit, on_five, on_three, any_suits)
    # ahead: a hand below ace-king is ahead of no dealer who qualifies
    ahead = np.maximum(by_five.lower - by_five.below, 0)
    level = np.where(fives >= ACE_KING_HIGH, by_five.equal, 0)
    compared: dict[int, tuple[Numbers, ...]] = {
        THREE: (size - by_three.lower - by_three.equal, by_three.equal, by_three.lower),
        FIVE: (size - by_five.below - ahead - level, level, ahead),
        FOLD: (np.full(rows, size),) * 3,
    }
    unqualified = NOT_QUALIFIED[setup.reading("P2-I1")]
    values = {
        THREE: 3 * unit * (compared[THREE][2] - compared[THREE][0]),
        FIVE: unit * (2 * (ahead - compared[FIVE][0]) + unqualified * by_five.below),
    }
    lost = bonus if setup.reading("P2-I5") == "bonus_stands" else np.full(rows, -unit)
    plays = np.where(values[FIVE] >= values[THREE], FIVE, THREE)
    best = np.maximum(values[FIVE], values[THREE]) + bonus * size
    choice = np.where(best >= (lost - unit) * size, plays, FOLD)
    with_bonus = np.where(choice == FOLD, lost, bonus)
    total = rows * size
    outcomes = [*OUTCOMES, (FIVE, 3, unqualified, "five cards, dealer does not qualify")]
    compared[FIVE] = (*compared[FIVE], by_five.below)
    main: list[Outcome] = []
    together: dict[Odds, int] = {}
    for chosen, place, to, name in outcomes:
        counts = np.where(choice == chosen, compared[chosen][place], 0)
        main.append(Outcome(name, to, Fraction(int(counts.sum()), total)))
        for extra in np.unique(with_bonus):
            number = int(counts[with_bonus == extra].sum())
            if number:
                both = in_short(to + Fraction(int(extra), unit))
                together[both] = together.get(both, 0) + number
    return (
        WagerOdds("ante", (f"Ante and play together. {BEST}",), tuple(main), STRATEGY, "ante"),
        WagerOdds(
            "ante+bonus_3_5",
            (f"The mandatory wagers together: ante, play and 3-5 bonus. {BEST}",),
            tuple(
                Outcome("all wagers", to, Fraction(number, total))
                for to, number in together.items()
            ),
            STRATEGY,
            "ante",
        ),
    )
