"""E-values: bets against chance, mixed over how far chance may be off, valid at any time.

A stream's sufficient statistic gives the logarithm of one likelihood ratio for each tilt of
`TILTS`. These add up over segments, and their equally weighted mixture is the e-value.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

Floats = NDArray[np.float64]

ALARM: Final = 9.0
"""The evidence (log10 of the e-value) of an alarm: of 10^8 fair streams, 0.1 ever reach it."""
LEAD: Final = 0.05
"""The rate of false discoveries by which leads are listed."""

_STEPS: Final = 0.0225 * 2.0 ** np.arange(9)
TILTS: Final[Floats] = np.concatenate([-_STEPS[::-1], _STEPS])
"""Alternatives: an outcome is e^tilt times as likely as in a fair game.

They double from 2 percent to three hundred times. One copy in six missing is a tilt of -0.18, one
ace in twenty-four of -0.04, and an edge of 5 percent in an even bet of 0.05, so that no alternative
is far from a tilt.
"""
UPWARD: Final = TILTS > 0
"""Tilts toward more; they are a mixture of their own where only too many is evidence."""


def evidence_of(logs: Any) -> Floats:
    """Return log10 of the mixture of likelihood ratios, given their natural logarithms.

    The tilts are on the last axis.
    """
    ratios = np.asarray(logs, np.float64)
    largest = ratios.max(axis=-1, keepdims=True)
    mean = np.exp(ratios - largest).mean(axis=-1)
    mixed: Floats = (largest[..., 0] + np.log(mean)) / log(10)
    return mixed


def leads(evidence: Sequence[float], rate: float = LEAD) -> list[int]:
    """Return the streams to look at first, the strongest first, by e-BH at this rate.

    Among the leads, the expected share of fair streams is at most `rate`, under any dependence. It
    only orders a list and is no alarm.
    """
    order = sorted(range(len(evidence)), key=lambda each: -evidence[each])
    kept = 0
    for place, each in enumerate(order, 1):
        if evidence[each] >= np.log10(len(evidence) / (rate * place)):
            kept = place
    return order[:kept]


def odds_against(evidence: float) -> str:
    """Say how many fair streams one like this is expected among, as `40 million` or `10^74`."""
    if evidence >= 15:
        return f"10^{int(evidence)}"
    number = 10.0 ** max(evidence, 0.0)
    for size, word in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if number >= size:
            return f"{number / size:,.3g} {word}"
    return f"{number:,.0f}"
