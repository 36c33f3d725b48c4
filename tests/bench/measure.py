"""Measuring: the same work several times, best and median, in CPU seconds.

CPU seconds are used rather than wall-clock time because other load on the machine doesn't count.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Speed:
    """Things per second, best and median."""

    best: float
    median: float

    def __str__(self) -> str:
        return f"{shown(self.best)} ({shown(self.median)})"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the report: the target and the result."""

    what: str
    ours: str
    theirs: str
    ratio: float
    asked: float
    goal: float
    unit: str = "x"
    less: bool = False
    """Whether less is better."""

    @property
    def met(self) -> bool:
        """Return whether the target is met."""
        return self.ratio <= self.asked if self.less else self.ratio >= self.asked

    def __str__(self) -> str:
        sign = "<=" if self.less else ">="
        met = "met" if self.met else "**not met**"
        if self.ratio <= self.goal if self.less else self.ratio >= self.goal:
            met += ", goal too"
        return (
            f"| {self.what} | {self.ours} | {self.theirs} | {self.ratio:.2f} {self.unit} | "
            f"{sign} {self.asked:g} | {sign} {self.goal:g} | {met} |"
        )


def speed(work: Callable[[], object], things: float, times: int = 5) -> Speed:
    """Measure how many things per second the work does, after one unmeasured run."""
    work()
    durations = []
    for _ in range(times):
        begin = time.process_time()
        work()
        durations.append(time.process_time() - begin)
    return Speed(things / min(durations), things / statistics.median(durations))


def shown(number: float) -> str:
    """Format a number of things per second, with three figures."""
    for size, name in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:.3g}{name}"
    return f"{number:.3g}"
