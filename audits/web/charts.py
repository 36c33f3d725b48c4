"""Charts drawn on the server as SVG: shapes only, since each figure stands in a table beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 480, 140
WIDEST = 56
"""So that one night alone is a column, and no wall."""
ROW, FIGURE = 44, 90
"""A row of bars has its name above its bar, and the figure behind it."""
LONGEST_NAME = 60


MONEY = ("over", "under")
"""What players got too much goes up, what they got too little goes down."""
COUNT = ("count", "lack")
"""What was goes up, what was to be and was not goes down."""


@dataclass(frozen=True)
class Column:
    """One place on the axis: what goes up from the line, and what goes down."""

    name: str
    up: int
    down: int = 0


@dataclass(frozen=True)
class Shape:
    """A rectangle, in the units of its chart; `kind` is one of the two of its chart."""

    x: float
    y: float
    width: float
    height: float
    kind: str


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Figures side by side: up, and where they have two directions down from the line."""

    caption: str
    says: str
    """The whole of it for those who do not see it."""
    shapes: list[Shape]
    """None where every figure is 0: then there is nothing to draw."""
    line: float
    """Where the line lies from which columns go up and down."""
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
        """Scale them to the highest in both directions; `kinds` is MONEY or COUNT."""
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
