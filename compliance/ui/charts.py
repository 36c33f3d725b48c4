"""Charts as data, for pages and PDFs: what they say, and where their shapes are.

A page draws them as SVG, a report as a drawing. A table beside each has all the figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from games.cents import in_dollars

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


WIDTH, HEIGHT = 480, 160
LEFT: Final = 66
"""Room for the figures of the axis."""
WIDEST: Final = 56
"""Keeps a single night a column instead of a wall."""
MOST_NAMES: Final = 6
"""Names below the axis, so that they do not run into each other."""
MOST_FIGURES: Final = 8
"""With more columns, their own figures would run into each other."""
HALF_A_NAME: Final = 24
NAMES_BELOW, NAMES_BELOW_FIGURES = 18, 32
TICKS: Final = 4
ROW, FIGURE = 44, 90
"""Height of a row of bars, with the name above each bar, and width of the figure after it."""
LONGEST_NAME: Final = 60
FEWEST_OF_A_BAND: Final = 8
DOLLAR: Final = 100


MONEY = ("over", "under")
"""Overpaid amounts go up, underpaid amounts go down."""
COUNT = ("count", "lack")
"""What exists goes up, what should exist but is missing goes down."""


def whole(value: int) -> str:
    """Write a count on an axis."""
    return f"{value:,}"


def whole_dollars(value: int) -> str:
    """Write cents on an axis: in dollars, and in cents only below a dollar."""
    return f"${value // DOLLAR:,}" if value % DOLLAR == 0 else in_dollars(value)


@dataclass(frozen=True)
class Column:
    """One position on the axis: the amount above the line, and the amount below it."""

    name: str
    up: int
    down: int = 0
    url: str = ""
    """Where the figures behind it are shown."""


@dataclass(frozen=True)
class Shape:
    """A rectangle in chart units; `kind` is one of the chart's two kinds."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    says: str = ""
    url: str = ""


@dataclass(frozen=True)
class Text:
    """A text in chart units: a figure of the axis, or a name below it."""

    x: float
    y: float
    says: str
    anchor: str = "middle"


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
    ticks: list[Text]
    """Figures of the axis, each at the height of its line."""
    names: list[Text]
    figures: list[Text]
    """Each column's own figure, if there are few columns."""
    band: Shape | None
    """Where the middle half of the columns end."""
    level: float | None
    """The height of a line that the figures are compared with."""
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT

    @property
    def is_linked(self) -> bool:
        """Return whether any column leads somewhere."""
        return any(each.url for each in self.shapes)

    @classmethod
    def of(
        cls,
        caption: str,
        columns: Sequence[Column],
        *,
        says: str,
        kinds: tuple[str, str] = COUNT,
        written: Callable[[int], str] | None = None,
        level: int | None = None,
        band: bool = False,
    ) -> Columns:
        """Scale the columns to the highest in both directions; `kinds` is MONEY or COUNT.

        `written` formats a figure, `level` is compared with, and `band` marks the middle half.
        """
        if written is None:
            written = whole_dollars if kinds == MONEY else whole
        drawn = any(each.up or each.down for each in columns)
        top = max((each.up for each in columns), default=0)
        bottom = max((each.down for each in columns), default=0)
        step = _tick(max(top, level or 0) + bottom)
        up, down = -(-max(top, level or 0) // step) * step, -(-bottom // step) * step
        scale = HEIGHT / max(up + down, 1)
        line = up * scale if drawn else HEIGHT
        heights = range(-down, up + 1, step) if drawn else ()
        places = _places(columns)
        return cls(
            caption=caption,
            says=says,
            shapes=list(_shapes(columns, places, line, scale, kinds, written)),
            line=round(line, 2),
            ticks=[
                Text(LEFT - 6, round(line - value * scale, 2), written(abs(value)), "end")
                for value in heights
            ],
            names=_names(
                columns, places, HEIGHT + (NAMES_BELOW_FIGURES if bottom else NAMES_BELOW)
            ),
            figures=_figures(columns, places, line, scale, written),
            band=_band([each.up for each in columns], line, scale) if band else None,
            level=round(line - level * scale, 2) if level is not None and drawn else None,
        )


def _tick(most: int) -> int:
    """Return a round distance between the lines of an axis: 1, 2 or 5 times a power of ten."""
    step, factors = 1, (2, 5, 10)
    while step * TICKS < most:
        power = 10 ** (len(str(step)) - 1)
        step = next(each * power for each in factors if each * power > step)
    return step


def _places(columns: Sequence[Column]) -> list[tuple[float, float]]:
    """Return where each column begins, and how wide it is."""
    step = (WIDTH - LEFT) / max(len(columns), 1)
    width = round(min(WIDEST, step * 0.8), 2)
    return [
        (round(LEFT + number * step + (step - width) / 2, 2), width)
        for number in range(len(columns))
    ]


def _shapes(
    columns: Sequence[Column],
    places: Sequence[tuple[float, float]],
    line: float,
    scale: float,
    kinds: tuple[str, str],
    written: Callable[[int], str],
) -> list[Shape]:
    shapes = []
    for each, (x, width) in zip(columns, places, strict=True):
        up, down = round(each.up * scale, 2), round(each.down * scale, 2)
        if up:
            says = f"{each.name}: {written(each.up)}{' overpaid' if kinds == MONEY else ''}"
            shapes.append(Shape(x, round(line - up, 2), width, up, kinds[0], says, each.url))
        if down:
            says = f"{each.name}: {written(each.down)}{' underpaid' if kinds == MONEY else ''}"
            shapes.append(Shape(x, round(line, 2), width, down, kinds[1], says, each.url))
    return shapes


def _names(
    columns: Sequence[Column], places: Sequence[tuple[float, float]], y: float
) -> list[Text]:
    """Return names below the axis: of the last column, and of others at equal distances."""
    every = -(-len(columns) // MOST_NAMES) or 1
    return [
        Text(WIDTH, y, each.name, "end")
        if x + width / 2 > WIDTH - HALF_A_NAME
        else Text(round(x + width / 2, 2), y, each.name)
        for number, (each, (x, width)) in enumerate(zip(columns, places, strict=True))
        if (len(columns) - 1 - number) % every == 0
    ]


def _figures(
    columns: Sequence[Column],
    places: Sequence[tuple[float, float]],
    line: float,
    scale: float,
    written: Callable[[int], str],
) -> list[Text]:
    if len(columns) > MOST_FIGURES:
        return []
    figures = []
    for each, (x, width) in zip(columns, places, strict=True):
        middle = round(x + width / 2, 2)
        if each.up:
            figures.append(Text(middle, round(line - each.up * scale - 4, 2), written(each.up)))
        if each.down:
            below = round(line + each.down * scale + 13, 2)
            figures.append(Text(middle, below, written(each.down)))
    return figures


def _band(values: Sequence[int], line: float, scale: float) -> Shape | None:
    """Return the band between the quartiles; None with few columns, or if they are the same."""
    if len(values) < FEWEST_OF_A_BAND:
        return None
    ordered = sorted(values)
    low, high = ordered[len(values) // 4], ordered[-1 - len(values) // 4]
    if low == high:
        return None
    top = round(line - high * scale, 2)
    return Shape(LEFT, top, WIDTH - LEFT, round((high - low) * scale, 2), "band")


@dataclass(frozen=True)
class Point:
    """One position of a control chart: how far from what is expected, and what is usual."""

    name: str
    away: float
    reach: float


@dataclass(frozen=True, kw_only=True)
class Band:
    """A line of what was seen, in the band of what is usual around what is expected."""

    caption: str
    says: str
    """Text alternative for the whole chart."""
    usual: str
    seen: str
    """Points of the band's outline and of the line, as SVG writes them."""
    first: str
    last: str
    line: float = HEIGHT / 2
    width: int = WIDTH
    height: int = HEIGHT

    @classmethod
    def of(cls, caption: str, points: Sequence[Point], *, says: str) -> Band:
        """Scale to the farthest point or edge; nothing deviates before the first point."""
        most = max((max(abs(each.away), each.reach) for each in points), default=0.0) or 1.0
        step, scale = WIDTH / max(len(points), 1), HEIGHT / 2 / most
        every = [(0.0, Point("", 0.0, 0.0))]
        every += [(number * step, each) for number, each in enumerate(points, 1)]

        def at(x: float, value: float) -> str:
            return f"{x:.2f},{HEIGHT / 2 - value * scale:.2f}"

        top = [at(x, each.reach) for x, each in every]
        bottom = [at(x, -each.reach) for x, each in reversed(every)]
        return cls(
            caption=caption,
            says=says,
            usual=" ".join((*top, *bottom)),
            seen=" ".join(at(x, each.away) for x, each in every),
            first=points[0].name if points else "",
            last=points[-1].name if len(points) > 1 else "",
        )


@dataclass(frozen=True)
class Bar:
    """One row of bars: its name, its value, and the value in words."""

    name: str
    value: int
    says: str
    url: str = ""


@dataclass(frozen=True)
class PlacedBar(Bar):
    """A bar in chart units."""

    y: int = 0
    length: float = 0.0

    @property
    def end(self) -> float:
        """Return where the figure begins, after the bar."""
        return round(self.length + 6, 2)


@dataclass(frozen=True)
class Bars:
    """Figures by name, one bar below another; `alternative` describes them in a sentence."""

    template = "bars"

    caption: str
    bars: tuple[Bar, ...]
    alternative: str
    width: int = WIDTH

    @classmethod
    def of(cls, says: str, rows: Sequence[tuple[str, int, str] | Bar]) -> Bars:
        """Return a chart; each row is a bar, or a name, a number and its text."""
        return cls(says, tuple(row if isinstance(row, Bar) else Bar(*row) for row in rows), says)

    @property
    def longest(self) -> int:
        """Return the largest value; 1 if there is none, so that lengths can be divided by it."""
        return max((bar.value for bar in self.bars), default=0) or 1

    @property
    def height(self) -> int:
        """Return the height of all rows."""
        return ROW * len(self.bars)

    @property
    def is_linked(self) -> bool:
        """Return whether any bar leads somewhere."""
        return any(bar.url for bar in self.bars)

    @property
    def placed(self) -> list[PlacedBar]:
        """Return the bars, scaled to the longest."""
        room = self.width - FIGURE
        return [
            PlacedBar(
                _short(bar.name), bar.value, bar.says, bar.url,
                y * ROW, round(bar.value * room / self.longest, 2),
            )
            for y, bar in enumerate(self.bars)
        ]  # fmt: skip


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
