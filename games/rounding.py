"""What a stake comes to at odds, which need not be whole, and how a payout is rounded then."""

from __future__ import annotations

from fractions import Fraction
from typing import Final, NamedTuple

from games.kernel import kernel

DOWN, UP, NEAREST = 0, 1, 2
DIRECTIONS: Final = {"down": DOWN, "up": UP, "nearest": NEAREST}

Odds = int | Fraction
"""What is won for each unit staked."""


def in_short(odds: Fraction) -> Odds:
    """Return odds as a whole number if they are one."""
    return int(odds) if odds.denominator == 1 else odds


class Pays(NamedTuple):
    """A pay table as kernels read it: the odds of each line it may have, and the rounding."""

    lines: tuple[int, ...]
    """What is won on `over` cents. A line below 0 is not in the table."""
    over: int = 1
    step: int = 1
    """A payout at odds that aren't whole is a number of these, in cents."""
    direction: int = DOWN


@kernel
def rounded(stake: int, odds: int, over: int, step: int, direction: int) -> int:
    """Return what a stake comes to at odds: whole odds exactly, others in steps of cents.

    Whole steps are multiplied first: the product of a large stake and its odds may not fit 64 bits.
    """
    if odds % over == 0:
        return stake * (odds // over)
    unit = over * step
    steps, rest = stake // unit * odds, stake % unit * odds
    if direction == DOWN:
        return (steps + rest // unit) * step
    if direction == UP:
        return (steps - -rest // unit) * step
    return (steps + (2 * rest + unit) // (2 * unit)) * step


@kernel
def payout(stake: int, odds: int, pays: Pays) -> int:
    """Return what a stake comes to at odds of a pay table, or at several of its odds together."""
    return rounded(stake, odds, pays.over, pays.step, pays.direction)
