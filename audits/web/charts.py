"""Charts drawn on the server as SVG: shapes only, since each figure stands in a table beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 480, 140
ROW, FIGURE = 44, 90
"""A row of bars has its name above its bar, and the figure behind it."""
LONGEST_NAME = 60


@dataclass(frozen=True)
class Column:
    """One place on the time axis: what goes up from the line, and what goes down."""

    name: str
    up: int
    down: int = 0


@dataclass(frozen=True)
class Shape:
    """A rectangle, in the units of its chart."""

    x: float
    y: float
    width: float
    height: float
    kind: str = "up"


@dataclass(frozen=True)
class Columns:
    """Figures over time: up, and where they have two directions down from the line."""

    says: str
    """What the chart shows, for those who do not see it."""
    shapes: list[Shape]
    line: float
    """Where the line lies from which columns go up and down."""
    first: str
    last: str
    width: int = WIDTH
    height: int = HEIGHT

    @classmethod
    def of(cls, says: str, columns: Sequence[Column]) -> Columns:
        """Scale them to the highest in both directions."""
        top, bottom = max(each.up for each in columns), max(each.down for each in columns)
        scale = HEIGHT / max(top + bottom, 1)
        line = top * scale if top + bottom else HEIGHT
        step = WIDTH / len(columns)
        shapes = []
        for number, each in enumerate(columns):
            x, width = round(number * step + step * 0.1, 2), round(step * 0.8, 2)
            up, down = round(each.up * scale, 2), round(each.down * scale, 2)
            if up:
                shapes.append(Shape(x, round(line - up, 2), width, up))
            if down:
                shapes.append(Shape(x, round(line, 2), width, down, "down"))
        return cls(says, shapes, round(line, 2), columns[0].name, columns[-1].name)


@dataclass(frozen=True)
class Bar:
    """One row of bars: its name, its length, and the figure in words."""

    name: str
    y: int
    length: float
    says: str

    @property
    def end(self) -> float:
        """Where the figure in words begins, behind the bar."""
        return round(self.length + 6, 2)


@dataclass(frozen=True)
class Bars:
    """Figures by name, one bar under the other."""

    says: str
    bars: list[Bar]
    width: int = WIDTH

    @property
    def height(self) -> int:
        """As high as its rows."""
        return ROW * len(self.bars)

    @classmethod
    def of(cls, says: str, rows: Sequence[tuple[str, int, str]]) -> Bars:
        """Scale them to the longest; each row is a name, a number and the number in words."""
        most = max((number for _, number, _ in rows), default=0) or 1
        room = WIDTH - FIGURE
        return cls(
            says,
            [
                Bar(_short(name), y * ROW, round(number * room / most, 2), told)
                for y, (name, number, told) in enumerate(rows)
            ],
        )


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
