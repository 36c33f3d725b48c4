"""Server-side SVG charts: shapes only, since a table beside each has all the figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


WIDTH, HEIGHT = 480, 140
WIDEST = 56
"""Keeps a single night a column instead of a wall."""
ROW, FIGURE = 44, 90
"""Height of a row of bars, with the name above each bar, and width of the figure after it."""
LONGEST_NAME = 60


MONEY = ("over", "under")
"""Overpaid amounts go up, underpaid amounts go down."""
COUNT = ("count", "lack")
"""What exists goes up, what should exist but is missing goes down."""


@dataclass(frozen=True)
class Column:
    """One position on the axis: the amount above the line, and the amount below it."""

    name: str
    up: int
    down: int = 0


@dataclass(frozen=True)
class Shape:
    """A rectangle in chart units; `kind` is one of the chart's two kinds."""

    x: float
    y: float
    width: float
    height: float
    kind: str


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Columns side by side, going up and, if there are two directions, down from a line."""

    caption: str
    says: str
    """Text alternative for the whole chart."""
    shapes: list[Shape]
    """Empty if every figure is 0, as there is nothing to draw."""
    line: float
    """Position of the line from which columns go up and down."""
    first: str
    last: str
    width: int = WIDTH
    height: int = HEIGHT

    @classmethod
    def of(
        cls,
        caption: str,
        columns: Sequence[Column],
        *,
        says: str,
        kinds: tuple[str, str] = COUNT,
    ) -> Columns:
        """Scale the columns to the highest in both directions; `kinds` is MONEY or COUNT."""
        top = max((each.up for each in columns), default=0)
        bottom = max((each.down for each in columns), default=0)
        scale = HEIGHT / max(top + bottom, 1)
        line = top * scale if top + bottom else HEIGHT
        step = WIDTH / max(len(columns), 1)
        width = round(min(WIDEST, step * 0.8), 2)
        shapes = []
        for number, each in enumerate(columns):
            x = round(number * step + (step - width) / 2, 2)
            up, down = round(each.up * scale, 2), round(each.down * scale, 2)
            if up:
                shapes.append(Shape(x, round(line - up, 2), width, up, kinds[0]))
            if down:
                shapes.append(Shape(x, round(line, 2), width, down, kinds[1]))
        names = [each.name for each in columns] or [""]
        return cls(
            caption=caption,
            says=says,
            shapes=shapes,
            line=round(line, 2),
            first=names[0],
            last=names[-1] if len(names) > 1 else "",
        )


@dataclass(frozen=True)
class Bar:
    """One row of bars: its name, length, and figure in words."""

    name: str
    y: int
    length: float
    says: str

    @property
    def end(self) -> float:
        """Return where the figure begins, after the bar."""
        return round(self.length + 6, 2)


@dataclass(frozen=True)
class Bars:
    """Figures by name, one bar below another."""

    says: str
    bars: list[Bar]
    width: int = WIDTH

    @property
    def height(self) -> int:
        """Return the height of all rows."""
        return ROW * len(self.bars)

    @classmethod
    def of(cls, says: str, rows: Sequence[tuple[str, int, str]]) -> Bars:
        """Scale the bars to the longest; each row is a name, a number and its text."""
        most = max((number for _, number, _ in rows), default=0) or 1
        room = WIDTH - FIGURE
        return cls(
            says,
            [
                Bar(_short(name), y * ROW, round(number * room / most, 2), label)
                for y, (name, number, label) in enumerate(rows)
            ],
        )


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
