"""Measuring: the same work several times, best and median, in seconds of the processor.

Seconds of the processor and not of the clock, because neighbours on the machine do not count there.
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
    """Things a second, at best and in the median."""

    best: float
    median: float

    def __str__(self) -> str:
        return f"{shown(self.best)} ({shown(self.median)})"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the report: what is asked, what was found."""

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
        """Whether what is asked is met."""
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
    """How many things a second the work does; once before, unmeasured."""
    work()
    taken = []
    for _ in range(times):
        begin = time.process_time()
        work()
        taken.append(time.process_time() - begin)
    return Speed(things / min(taken), things / statistics.median(taken))


def shown(number: float) -> str:
    """A number of things a second, with three figures."""
    for size, name in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:.3g}{name}"
    return f"{number:.3g}"
