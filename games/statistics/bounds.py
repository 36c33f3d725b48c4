"""Confidence sequences: intervals that are right at all times at once."""

from __future__ import annotations

from math import lgamma, log
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

STEPS = 60
"""Halvings of an interval of rates: more than a float has digits."""


def rate_bounds(hits: int, trials: int, error: float = 0.05) -> tuple[float, float]:
    """Return bounds of a rate that contain it at all times, except with a chance of `error`.

    A rate is outside when the evidence against it, mixed over all other rates, reaches 1 / error.
    """
    if not trials:
        return 0.0, 1.0
    mixed = lgamma(hits + 1) + lgamma(trials - hits + 1) - lgamma(trials + 2)

    def refuted(rate: float) -> bool:
        likely = _times_log(hits, rate) + _times_log(trials - hits, 1 - rate)
        return mixed - likely >= -log(error)

    seen = hits / trials
    return _edge(refuted, 0.0, seen), _edge(refuted, 1.0, seen)


def hold_bounds(outcomes: Sequence[tuple[float, int]], error: float = 0.05) -> tuple[float, float]:
    """Return bounds of the house's share of what is wagered, at all times at once.

    `outcomes` are what one unit won, and how often; their rates are bounded jointly, so the bounds
    are wide rather than wrong.
    """
    trials = sum(count for _, count in outcomes)
    rates = [(to, rate_bounds(count, trials, error / len(outcomes))) for to, count in outcomes]
    return -_extreme(rates, most=True), -_extreme(rates, most=False)


def _extreme(rates: list[tuple[float, tuple[float, float]]], *, most: bool) -> float:
    """Return the largest or smallest mean win by rates that are within bounds and sum to one."""
    total = sum(to * low for to, (low, _) in rates)
    left = 1 - sum(low for _, (low, _) in rates)
    for to, (low, high) in sorted(rates, reverse=most):
        part = min(left, high - low)
        total += to * part
        left -= part
    return total


def _times_log(count: int, rate: float) -> float:
    if not count:
        return 0.0
    return count * log(rate) if rate > 0 else float("-inf")


def _edge(refuted: Callable[[float], bool], outside: float, inside: float) -> float:
    """Return where rates stop being refuted, between one that may be and one that is not."""
    if not refuted(outside):
        return outside
    for _ in range(STEPS):
        middle = (outside + inside) / 2
        outside, inside = (middle, inside) if refuted(middle) else (outside, middle)
    return outside
