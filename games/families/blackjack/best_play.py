"""The best play of every hand against every upcard, by what the cards are worth.

Each decision is the best for the very cards of the hand, from the shoe without them and the upcard.
Two things are approximate: hands from a split are played as if only the first pair were gone, and
their results as if they were independent.
"""

# ruff: noqa: PLR0913, PLR0917, C901, PLR0912

from __future__ import annotations

from functools import partial
from typing import Final

from games.families.blackjack.hands import (
    ACES,
    BLACKJACK,
    BUST,
    CLASSES,
    DOUBLED,
    PLAIN,
    RESCUED,
    RESULTS,
    SPLIT,
    SPLIT_DOUBLED,
    TENS,
)
from games.kernel import jit

MEAN, SQUARE, HIT = range(3)
FIGURES: Final = 3
"""Of the result of a hand: its mean, the mean of its square, and how often it wins."""

LOOKS, SOFT_17, TOTALS, ANY_CARDS, AFTER_SPLIT, AGAIN, RESCUE, ACES_DRAW = range(8)
"""The rules as numbers: does the dealer look and draw to soft 17; the totals that may be doubled,
whether with any number of cards and after a split, how often again, and rescued; and whether split
aces draw."""
DEEPEST: Final = 24
"""Cards that a dealer may draw."""
STANDS: Final = 17
TWENTY_ONE: Final = 21


@partial(jit, allocates=False)
def ends(hard, aces, rules):  # type: ignore[no-untyped-def]
    """Return the result of a dealer's total, aces counted one, or -1 if a card is drawn."""
    is_soft = aces > 0 and hard <= TWENTY_ONE - 10
    best = hard + 10 if is_soft else hard
    if best > TWENTY_ONE:
        return BUST
    if best > STANDS or (best == STANDS and not (is_soft and rules[SOFT_17])):
        return best - STANDS + 1
    return -1


@partial(jit, allocates=False)
def draw_dealer(shoe, left, upcard, rules, stack, chances, results):  # type: ignore[no-untyped-def]
    """Add the chance of each result of a dealer to the results, card by card.

    Numba keeps no compiled code of a function that calls itself, so the cards drawn are on a stack:
    for each, the next class to try, and the total and aces before it.
    """
    barred = -1
    if upcard == ACES:
        barred = TENS
    elif upcard == TENS:
        barred = ACES
    depth = 0
    stack[0, 0] = 0
    stack[0, 1] = upcard + 1
    stack[0, 2] = upcard == ACES
    chances[0] = 1.0
    while depth >= 0:
        one = stack[depth, 0]
        stack[depth, 0] += 1
        if one == CLASSES:
            depth -= 1
            if depth >= 0:
                shoe[stack[depth, 0] - 1] += 1
                left += 1
            continue
        if shoe[one] == 0:
            continue
        number = left
        if depth == 0 and barred >= 0 and rules[LOOKS]:
            number -= shoe[barred]
        chance = chances[depth] * shoe[one] / number
        if depth == 0 and one == barred:
            if not rules[LOOKS]:
                results[BLACKJACK] += chance
            continue
        hard = stack[depth, 1] + one + 1
        aces = stack[depth, 2] + (one == ACES)
        result = ends(hard, aces, rules)
        if result >= 0:
            results[result] += chance
            continue
        shoe[one] -= 1
        left -= 1
        depth += 1
        stack[depth, 0] = 0
        stack[depth, 1] = hard
        stack[depth, 2] = aces
        chances[depth] = chance


@partial(jit, allocates=False)
def find_results(counts, hand, extra, upcard, base, rules, shoe, stack, drawn, results):  # type: ignore[no-untyped-def]
    """Find the chances of the dealer's results beside a hand; `extra` is a further card gone."""
    left = 0
    for one in range(CLASSES):
        shoe[one] = base[one] - counts[hand, one]
    if extra >= 0:
        shoe[extra] -= 1
    shoe[upcard] -= 1
    for one in range(CLASSES):
        left += shoe[one]
    results[:] = 0
    draw_dealer(shoe, left, upcard, rules, stack, drawn, results)
    return left


@partial(jit, allocates=False)
def find_chances(shoe, left, upcard, rules, chances):  # type: ignore[no-untyped-def]
    """Find the chance of each card that is drawn next, the dealer having looked."""
    barred = -1
    if rules[LOOKS] and upcard == ACES:
        barred = TENS
    elif rules[LOOKS] and upcard == TENS:
        barred = ACES
    for one in range(CLASSES):
        chance = shoe[one] / left
        if barred >= 0:
            others = left - shoe[barred]
            if one == barred:
                chance = shoe[one] / (left - 1)
            else:
                chance = shoe[one] / (left - 1) * (others - 1) / others
        chances[one] = chance


@partial(jit, allocates=False)
def copy(table, hand, figures):  # type: ignore[no-untyped-def]
    """Write figures into a table."""
    for figure in range(FIGURES):
        table[hand, figure] = figures[figure]


@partial(jit, allocates=False)
def stand(pays, kind, hand, results, figures):  # type: ignore[no-untyped-def]
    """Find the figures of a hand that stands."""
    figures[:] = 0
    for result in range(RESULTS):
        pay = pays[kind, hand, result]
        figures[MEAN] += results[result] * pay
        figures[SQUARE] += results[result] * pay * pay
        figures[HIT] += results[result] * (pay > 0)


@partial(jit, allocates=False)
def double(more, pays, chances, hand, above, times, split, doubled, other):  # type: ignore[no-untyped-def]
    """Find the figures of doubling a hand, in units of the wager that it has before."""
    other[:] = 0
    for one in range(CLASSES):
        after = more[hand, one]
        if after < 0:
            pay = pays[DOUBLED, above, BUST]
            other[MEAN] += chances[one] * 2 * pay
            other[SQUARE] += chances[one] * 4 * pay * pay
            continue
        other[MEAN] += chances[one] * 2 * doubled[times + 1, after, MEAN]
        other[SQUARE] += chances[one] * 4 * doubled[times + 1, after, SQUARE]
        other[HIT] += chances[one] * doubled[times + 1, after, HIT]


@partial(jit, allocates=False)
def play(counts, totals, more, pays, base, rules, upcard, extra, best, doubled, shoe, stack,
         drawn, results, chances, figures, other):  # type: ignore[no-untyped-def]  # fmt: skip
    """Find the best play of every hand against an upcard, from the highest total down.

    With `extra`, hands come from a split, and one card of this class is with another hand. `best`
    are the figures by hand; `doubled` those of hands doubled so many times, per cent of the wager
    they then have.
    """
    split = extra >= 0
    above = len(totals)
    for hand in range(len(totals)):
        held = 0
        fits = True
        for one in range(CLASSES):
            gone = counts[hand, one] + (one == extra) + (one == upcard)
            held += counts[hand, one]
            fits = fits and gone <= base[one]
        if not fits or held == 0 or (split and counts[hand, extra] == 0):
            continue
        left = find_results(counts, hand, extra, upcard, base, rules, shoe, stack, drawn, results)
        find_chances(shoe, left, upcard, rules, chances)
        stand(pays, SPLIT if split else PLAIN, hand, results, figures)
        copy(best, hand, figures)
        for times in range(rules[AGAIN] + 1, 0, -1):
            stand(pays, SPLIT_DOUBLED if split else DOUBLED, hand, results, figures)
            copy(doubled[times], hand, figures)
            if totals[hand] >= TWENTY_ONE:
                continue
            if rules[RESCUE] and pays[RESCUED, hand, BUST] > doubled[times, hand, MEAN]:
                pay = pays[RESCUED, hand, BUST]
                doubled[times, hand, MEAN] = pay
                doubled[times, hand, SQUARE] = pay * pay
                doubled[times, hand, HIT] = 0
            if times <= rules[AGAIN]:
                double(more, pays, chances, hand, above, times, split, doubled, other)
                if other[MEAN] > doubled[times, hand, MEAN]:
                    copy(doubled[times], hand, other)
        if totals[hand] >= TWENTY_ONE:
            continue
        other[:] = 0
        for one in range(CLASSES):
            after = more[hand, one]
            for figure in range(FIGURES):
                if after >= 0:
                    other[figure] += chances[one] * best[after, figure]
            if after < 0:
                pay = pays[PLAIN, above, BUST]
                other[MEAN] += chances[one] * pay
                other[SQUARE] += chances[one] * pay * pay
        can_draw = held > 1 and not (split and extra == ACES and rules[ACES_DRAW] == 0)
        if held == 1 or (can_draw and other[MEAN] > best[hand, 0]):
            copy(best, hand, other)
        may = can_draw and rules[TOTALS] >> totals[hand] & 1 and (held == 2 or rules[ANY_CARDS])
        if may and (rules[AFTER_SPLIT] or not split):
            double(more, pays, chances, hand, above, 0, split, doubled, other)
            if other[MEAN] > best[hand, MEAN]:
                copy(best, hand, other)
