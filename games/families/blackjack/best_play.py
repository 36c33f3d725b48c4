"""The best play of every hand against every upcard, by what the cards are worth.

Each decision is the best for the very cards of the hand, from the shoe without them and the upcard.
Two things are approximate: hands from a split are played as if only the first pair were gone, and
their results as if they were independent.
"""

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
def barred_by(upcard):  # type: ignore[no-untyped-def]
    """Return the card that would make a blackjack with an upcard, or -1."""
    if upcard == ACES:
        return TENS
    return ACES if upcard == TENS else -1


@partial(jit, allocates=False)
def lay(stack, chances, depth, hard, aces, chance):  # type: ignore[no-untyped-def]
    """Put a dealer's cards on the stack: the next class to try, their total and their aces."""
    stack[depth, 0] = 0
    stack[depth, 1] = hard
    stack[depth, 2] = aces
    chances[depth] = chance


@partial(jit, allocates=False)
def draw_dealer(shoe, left, upcard, rules, stack, chances, results):  # type: ignore[no-untyped-def]
    """Add the chance of each result of a dealer to the results, card by card.

    Numba keeps no compiled code of a function that calls itself, so the cards drawn are on a stack.
    """
    barred = barred_by(upcard)
    depth = 0
    lay(stack, chances, 0, upcard + 1, upcard == ACES, 1.0)
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
        is_barred = depth == 0 and one == barred
        number = left
        if depth == 0 and barred >= 0 and rules[LOOKS]:
            number -= shoe[barred]
        chance = chances[depth] * shoe[one] / number
        hard = stack[depth, 1] + one + 1
        aces = stack[depth, 2] + (one == ACES)
        result = BLACKJACK if is_barred else ends(hard, aces, rules)
        if result >= 0:
            results[result] += 0.0 if is_barred and rules[LOOKS] else chance
            continue
        shoe[one] -= 1
        left -= 1
        depth += 1
        lay(stack, chances, depth, hard, aces, chance)


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
    barred = barred_by(upcard)
    for one in range(CLASSES):
        if barred < 0 or not rules[LOOKS]:
            chances[one] = shoe[one] / left
        elif one == barred:
            chances[one] = shoe[one] / (left - 1)
        else:
            others = left - shoe[barred]
            chances[one] = shoe[one] / (left - 1) * (others - 1) / others


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
def double(more, pays, chances, hand, above, times, doubled, other):  # type: ignore[no-untyped-def]
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
def draw(more, pays, best, chances, hand, above, other):  # type: ignore[no-untyped-def]
    """Find the figures of a hand that receives a card and then plays on."""
    other[:] = 0
    for one in range(CLASSES):
        after = more[hand, one]
        if after < 0:
            pay = pays[PLAIN, above, BUST]
            other[MEAN] += chances[one] * pay
            other[SQUARE] += chances[one] * pay * pay
            continue
        for figure in range(FIGURES):
            other[figure] += chances[one] * best[after, figure]


@partial(jit, allocates=False)
def can_be_dealt(counts, base, hand, extra, upcard):  # type: ignore[no-untyped-def]
    """Return whether the shoe has a hand beside the other cards, and it has the card it keeps."""
    for one in range(CLASSES):
        if counts[hand, one] + (one == extra) + (one == upcard) > base[one]:
            return False
    return extra < 0 or counts[hand, extra] > 0


@partial(jit, allocates=False)
def play_doubled(more, pays, rules, chances, hand, total, split, doubled, results, other):  # type: ignore[no-untyped-def]
    """Find the best of a hand that was doubled so many times: stand, be given up, or double."""
    above = len(more)
    for times in range(rules[AGAIN] + 1, 0, -1):
        stand(pays, SPLIT_DOUBLED if split else DOUBLED, hand, results, other)
        copy(doubled[times], hand, other)
        if total >= TWENTY_ONE:
            continue
        pay = pays[RESCUED, hand, BUST]
        if rules[RESCUE] and pay > doubled[times, hand, MEAN]:
            doubled[times, hand, MEAN] = pay
            doubled[times, hand, SQUARE] = pay * pay
            doubled[times, hand, HIT] = 0
        if times <= rules[AGAIN]:
            double(more, pays, chances, hand, above, times, doubled, other)
            if other[MEAN] > doubled[times, hand, MEAN]:
                copy(doubled[times], hand, other)


@partial(jit, allocates=False)
def play(  # type: ignore[no-untyped-def]
    counts,
    totals,
    more,
    pays,
    base,
    rules,
    upcard,
    extra,
    best,
    doubled,
    shoe,
    stack,
    drawn,
    results,
    chances,
    other,
):
    """Find the best play of every hand against an upcard, from the highest total down.

    With `extra`, hands come from a split, and one card of this class is with another hand. `best`
    are the figures by hand; `doubled` those of hands doubled so many times, for each unit of the
    wager they then have.
    """
    split = extra >= 0
    above = len(totals)
    for hand in range(len(totals)):
        size = counts[hand].sum()
        if size == 0 or not can_be_dealt(counts, base, hand, extra, upcard):
            continue
        left = find_results(counts, hand, extra, upcard, base, rules, shoe, stack, drawn, results)
        find_chances(shoe, left, upcard, rules, chances)
        play_doubled(more, pays, rules, chances, hand, totals[hand], split, doubled, results, other)
        stand(pays, SPLIT if split else PLAIN, hand, results, other)
        copy(best, hand, other)
        if totals[hand] >= TWENTY_ONE:
            continue
        can_draw = size > 1 and not (split and extra == ACES and not rules[ACES_DRAW])
        draw(more, pays, best, chances, hand, above, other)
        if size == 1 or (can_draw and other[MEAN] > best[hand, MEAN]):
            copy(best, hand, other)
        fits = rules[TOTALS] >> totals[hand] & 1 and (size == 2 or rules[ANY_CARDS])
        if can_draw and fits and (rules[AFTER_SPLIT] or not split):
            double(more, pays, chances, hand, above, 0, doubled, other)
            if other[MEAN] > best[hand, MEAN]:
                copy(best, hand, other)
