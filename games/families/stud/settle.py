"""Settles the wagers of one hand: the first outcome whose condition its facts satisfy.

A wager's result is its amount times the outcome's odds, or the odds of the first line of its pay
table that the hand fits. Odds that aren't whole are rounded as the definition says.
"""

from __future__ import annotations

from typing import Any, Final

from games.families.stud.program import (
    DIRECTION,
    FIT,
    HAND,
    HIGH,
    LOST,
    LOW,
    NO_LINE,
    NO_LINE_OVER,
    ODDS,
    OVER,
    PAYS,
    PAYS_OVER,
    STEP,
    TIED,
    UNKNOWN,
    WON,
)
from games.families.stud.strength import PLACE_SHIFT, RANKS_MASK
from games.kernel import kernel
from games.rounding import rounded

UNDECIDED: Final = -1
"""The row of a payout that depends on cards that weren't dealt."""
NO_FIT: Final = -1
"""The line of a hand that fits none."""


@kernel
def compare_hands(mine: int, dealers: int) -> int:
    """Return whether the player lost, tied or won, or that a hand wasn't dealt."""
    if mine < 0 or dealers < 0:
        return UNKNOWN
    if mine == dealers:
        return TIED
    return WON if mine > dealers else LOST


@kernel
def test_hand(strength: int, low: int, high: int) -> int:
    """Return whether a hand is within bounds, or that it wasn't dealt."""
    if strength < 0:
        return UNKNOWN
    return int(low <= strength <= high)


@kernel
def find_row(conditions: Any, facts: Any, first: int, end: int) -> int:
    """Return the first row whose condition the facts satisfy.

    A condition on a fact that is unknown is undecided, unless another fact already fails it.
    """
    for row in range(first, end):
        fails = False
        undecided = False
        asked = conditions[row]
        for number in range(asked[0]):
            fact = facts[asked[2 * number + 1]]
            if fact == UNKNOWN:
                undecided = True
            elif asked[2 * number + 2] >> fact & 1 == 0:
                fails = True
        if not fails:
            return UNDECIDED if undecided else row
    return UNDECIDED


@kernel
def find_line(lines: Any, strength: int, first: int, end: int) -> int:
    """Return the first line of a pay table that a hand fits, or NO_FIT."""
    place = strength >> PLACE_SHIFT
    ranks = strength & RANKS_MASK
    for line in range(first, end):
        if lines[line][FIT] >> place & 1 and lines[line][LOW] <= ranks <= lines[line][HIGH]:
            return line
    return NO_FIT


@kernel
def settle_row(row: Any, line: int, lines: Any, stake: int) -> int:
    """Return what a stake comes to by a row, and by a line of the pay table if the row reads it."""
    if row[HAND] < 0:
        return rounded(stake, row[ODDS], row[OVER], row[STEP], row[DIRECTION])
    if line == NO_FIT:
        return rounded(stake, row[NO_LINE], row[NO_LINE_OVER], row[STEP], row[DIRECTION])
    pays = lines[line]
    return rounded(stake, pays[PAYS], pays[PAYS_OVER], row[STEP], row[DIRECTION])
