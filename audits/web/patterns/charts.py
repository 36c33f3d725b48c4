"""Bars beside a table that says the same: drawn here, so that a page needs no script for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH: Final = 340
HALF: Final = 70
"""How high the highest bar stands, above the line and below it."""
WIDEST: Final = 40
TOP: Final = 16


@dataclass(frozen=True)
class Drawn:
    """One bar above the line and one below it, in units of the drawing."""

    name: str
    x: float
    width: float
    above: float
    below: float

    @property
    def y(self) -> float:
        """Where the upper bar begins."""
        return round(TOP + HALF - self.above, 1)


@dataclass(frozen=True)
class Chart:
    """What a template draws; `says` is the whole of it for those who do not see it."""

    says: str
    bars: list[Drawn]
    most: str
    """What the highest bar stands for, in words."""
    two_ways: bool
    line: float = TOP + HALF
    width: int = WIDTH

    @property
    def height(self) -> int:
        """With room for the names under it."""
        return TOP + HALF * (2 if self.two_ways else 1) + 20

    @property
    def foot(self) -> int:
        """Where the names stand."""
        return self.height - 5


def chart_of(rows: Sequence[tuple[str, int, int]], *, says: str, most: str) -> Chart | None:
    """Bars by name, above the line and below it; nothing where there is nothing to draw."""
    highest = max((max(above, below) for _, above, below in rows), default=0)
    if not highest:
        return None
    step = WIDTH / len(rows)
    width = round(min(WIDEST, step * 0.8), 1)
    bars = [
        Drawn(
            name,
            round(number * step + (step - width) / 2, 1),
            width,
            round(HALF * above / highest, 1),
            round(HALF * below / highest, 1),
        )
        for number, (name, above, below) in enumerate(rows)
    ]
    return Chart(says, bars, most, any(below for _, _, below in rows))
