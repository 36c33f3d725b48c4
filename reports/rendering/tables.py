"""Tables of any length: laid out once, split at pages in one step, with repeated headers.

ReportLab's own long tables take time quadratic in their rows. This one does not, and it marks rows
and cells for the structure tree.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate
from math import ceil
from typing import TYPE_CHECKING

from reportlab.lib.colors import white
from reportlab.platypus import Flowable

from reports.rendering.blocks import Align
from reports.rendering.typography import (
    BLUE,
    INK,
    LINE,
    STRIPE,
    TABLE_SIZE,
    WIDTH,
    lines_of,
    width_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reports.rendering.blocks import Column
    from reports.rendering.tagging import Element, TaggedCanvas
    from reports.rendering.typography import Faces


LEADING = TABLE_SIZE * 1.26
PAD = 4.0
PAD_OVER = 1.7
LONGEST_ROW = 40
"""Lines per row; more continue in a row below, so that no row is higher than a page."""
FIRST_ROWS, FIRST = 3, 120.0
"""This many rows stay on the page with the header, unless they are higher than this."""
NARROWEST = 46.0
MOST_OF_A_WORD = 120.0
"""A word that is wider than this is split, so that it does not take the room of others."""
MOST_OF_NAMES = 0.4
STRONGER = 1.13
"""How much wider the bold font is, as the first cells may be bold."""


@dataclass
class _Row:
    cells: list[list[str]]
    height: float
    stripe: bool


@dataclass
class Layout:
    """A table ready to typeset: column widths, lines of cells, and the end of each row."""

    faces: Faces
    columns: Sequence[Column]
    widths: list[float]
    head: _Row | None
    rows: list[_Row]
    ends: list[float]
    named: bool
    links: Mapping[str, str] = field(default_factory=dict)
    """Addresses by the text of a cell on one line."""
    element: Element | None = None

    @classmethod
    def of(
        cls,
        columns: Sequence[Column],
        rows: Sequence[Sequence[str]],
        faces: Faces,
        *,
        head: bool = True,
        named: bool = False,
        links: Mapping[str, str] | None = None,
    ) -> Layout:
        """Lay out a table; a `named` one has two columns, and the first one heads each row."""
        natural = _natural(columns, rows, faces, head=head)
        # names keep their own width, and values get the rest
        widths = _widths(columns, rows, natural, faces) if not named else _named(natural)
        fonts = [_face(column, faces) for column in columns]
        laid: list[_Row] = []
        for number, row in enumerate(rows):
            cells = [
                # a column with all the room it needs has nothing to split
                text.splitlines() or [""]
                if width >= wanted - 0.001
                else lines_of(text, font, TABLE_SIZE, width - 2 * PAD)
                for text, font, width, wanted in zip(row, fonts, widths, natural, strict=True)
            ]
            laid += _pieces(cells, stripe=bool(number % 2))
        top = None
        if head:
            titles = [
                lines_of(column.title, faces.strong, TABLE_SIZE, width - 2 * PAD)
                for column, width in zip(columns, widths, strict=True)
            ]
            top = _pieces(titles, stripe=False)[0]
        ends = list(accumulate(row.height for row in laid))
        return cls(faces, columns, widths, top, laid, ends, named, links or {})

    @property
    def beginning(self) -> float:
        """Return the height of the header and the first rows, which a page must fit."""
        first = next((end for end in reversed(self.ends[:FIRST_ROWS]) if end <= FIRST), 0.0)
        first = first or (self.ends[0] if self.ends else 0.0)
        return (self.head.height if self.head else 0.0) + first


class Grid(Flowable):  # type: ignore[misc]
    """Rows `begin` to `end` of a table that was laid out."""

    def __init__(self, layout: Layout, begin: int = 0, end: int | None = None) -> None:
        super().__init__()
        self.layout = layout
        self.begin = begin
        self.end = len(layout.rows) if end is None else end
        self.canv: TaggedCanvas

    @property
    def _over(self) -> float:
        """Return the table's height before this piece."""
        return self.layout.ends[self.begin - 1] if self.begin else 0.0

    @property
    def _head(self) -> float:
        return self.layout.head.height if self.layout.head else 0.0

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Return the size it takes."""
        below = self.layout.ends[self.end - 1] if self.end else 0.0
        return WIDTH, self._head + below - self._over

    def split(self, _width: float, height: float) -> list[Flowable]:
        """Split it where the page ends."""
        room = self._over + height - self._head
        cut = bisect_right(self.layout.ends, room + 0.001, self.begin, self.end)
        if self.end - cut == 1 and cut - self.begin > FIRST_ROWS:
            cut -= 1  # the last row must not be alone on the next page
        if cut == self.begin:
            return []
        return [Grid(self.layout, self.begin, cut), Grid(self.layout, cut, self.end)]

    def draw(self) -> None:
        """Draw backgrounds and lines as artifacts, then the cells with their structure."""
        _, height = self.wrap(0, 0)
        layout, canvas = self.layout, self.canv
        if layout.element is None:
            layout.element = canvas.element("Table")
        rows = layout.rows[self.begin : self.end]
        with canvas.artifact():
            self._grounds(rows, height)
        y = height
        if layout.head is not None:
            if self.begin:
                with canvas.artifact():
                    self._cells(layout.head, y, None)
            else:
                with canvas.inside(layout.element):
                    self._cells(layout.head, y, "Column")
            y -= layout.head.height
        with canvas.inside(layout.element):
            for row in rows:
                self._cells(row, y, "Row" if layout.named else "")
                y -= row.height

    def _grounds(self, rows: list[_Row], height: float) -> None:
        canvas = self.canv
        y = height
        canvas.setLineWidth(0.5)
        canvas.setStrokeColor(LINE)
        if self.layout.head is not None:
            y -= self.layout.head.height
            canvas.setFillColor(BLUE)
            canvas.rect(0, y, WIDTH, self.layout.head.height, stroke=0, fill=1)
        canvas.setFillColor(STRIPE)
        for row in rows:
            y -= row.height
            if row.stripe:
                canvas.rect(0, y, WIDTH, row.height, stroke=0, fill=1)
        canvas.line(0, y, WIDTH, y)

    def _cells(self, row: _Row, top: float, scope: str | None) -> None:
        """Draw the cells of a row; `scope` says what they head, None if that was tagged before."""
        layout, canvas = self.layout, self.canv
        heading = scope == "Column" or scope is None
        line_of_row = canvas.element("TR") if scope is not None else None
        text = canvas.beginText()
        text.setFillColor(white if heading else INK)
        x = 0.0
        for number, (column, lines, width) in enumerate(
            zip(layout.columns, row.cells, layout.widths, strict=True)
        ):
            strong = heading or (scope == "Row" and number == 0)
            face = layout.faces.strong if strong else _face(column, layout.faces)
            if text._fontname != face or text._fontsize != TABLE_SIZE:
                text.setFont(face, TABLE_SIZE)
            if line_of_row is not None:
                tag = "TH" if strong else "TD"
                cell = canvas.element(tag, line_of_row, scope=scope or "" if strong else "")
                to = layout.links.get(lines[0], "") if len(lines) == 1 else ""
                if to:
                    cell = canvas.element("Link", cell)
                    self._link(cell, (x + PAD, top - PAD_OVER), lines[0], to, face)
                text.setFillColor(white if heading else BLUE if to else INK)
                text._code.append(canvas.mark(cell))
            y = top - PAD_OVER - TABLE_SIZE
            for line in lines:
                indent = PAD
                if column.align is Align.NUMBERS:
                    indent = width - PAD - width_of(line, face, TABLE_SIZE)
                text._code.append(f"1 0 0 1 {x + indent:.2f} {y:.2f} Tm")
                text.textOut(line)
                y -= LEADING
            if line_of_row is not None:
                text._code.append("EMC")
            x += width
        canvas.drawText(text)

    def _link(
        self, element: Element, corner: tuple[float, float], text: str, to: str, face: str
    ) -> None:
        x, y = corner
        width = width_of(text, face, TABLE_SIZE)
        self.canv.link(element, (x, y - LEADING, x + width, y), to, f"{text}: {to}")


def _face(column: Column, faces: Faces) -> str:
    return faces.code if column.align is Align.CODES else faces.text


def _pieces(cells: list[list[str]], *, stripe: bool) -> list[_Row]:
    longest = max(map(len, cells))
    if longest <= LONGEST_ROW:
        return [_Row(cells, longest * LEADING + 2 * PAD_OVER, stripe)]
    return [
        piece
        for begin in range(0, longest, LONGEST_ROW)
        for piece in _pieces([c[begin : begin + LONGEST_ROW] for c in cells], stripe=stripe)
    ]


def _natural(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], faces: Faces, *, head: bool
) -> list[float]:
    """Return the width of each column if nothing but its title is split."""
    natural = []
    for number, column in enumerate(columns):
        face = _face(column, faces)
        texts = {line for row in rows for line in row[number].splitlines()}
        wanted = max((width_of(text, face, TABLE_SIZE) for text in texts), default=0.0)
        if head:
            wanted = max(wanted, *_words(column.title, faces))
        natural.append(wanted * STRONGER + 2 * PAD)
    return natural


def _widths(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], natural: list[float], faces: Faces
) -> list[float]:
    """Give numbers the room they need, and share the rest among words and codes."""
    titles = [width_of(column.title, faces.strong, TABLE_SIZE) + 2 * PAD for column in columns]
    for wanted in ([*map(max, natural, titles)], natural):  # titles in one line if possible
        if sum(wanted) <= WIDTH:
            return _stretched(columns, wanted, WIDTH - sum(wanted))
    fixed = {n for n, column in enumerate(columns) if column.align is Align.NUMBERS}
    left = WIDTH - sum(natural[n] for n in fixed)
    shared = [n for n in range(len(columns)) if n not in fixed]
    if not shared or left < NARROWEST * len(shared):
        return [width * WIDTH / sum(natural) for width in natural]
    floors = _floors(columns, rows, natural, faces)
    widths = _shared(natural, floors, shared, left)
    codes = {n for n in shared if columns[n].align is Align.CODES}
    words = [n for n in shared if n not in codes]
    even = {n: _even(natural[n], widths[n], faces) for n in codes}
    settled = [even.get(n, width) for n, width in enumerate(natural)]
    evened = _shared(settled, floors, words, left - sum(even.values()))
    return evened if sum(evened) > WIDTH - 1 else widths


def _even(natural: float, width: float, faces: Faces) -> float:
    """Return a width at which a split code has lines of equal length."""
    if width >= natural:
        return width
    one = width_of("0", faces.code, TABLE_SIZE)
    characters = round((natural - 2 * PAD) / STRONGER / one)
    lines = ceil(characters / max(int((width - 2 * PAD) / one), 1))
    return min(width, ceil(characters / lines) * one + 2 * PAD + 0.1)


def _named(natural: list[float]) -> list[float]:
    first = min(natural[0], WIDTH * MOST_OF_NAMES)
    return [first, WIDTH - first]


def _words(title: str, faces: Faces) -> list[float]:
    return [width_of(word, faces.strong, TABLE_SIZE) for word in title.split()] or [0.0]


def _stretched(columns: Sequence[Column], natural: list[float], room: float) -> list[float]:
    wide = [n for n, column in enumerate(columns) if column.align is Align.WORDS]
    wide = wide or list(range(len(columns)))
    even_width = room / sum(natural[n] for n in wide)
    return [width * (1 + even_width if n in wide else 1) for n, width in enumerate(natural)]


def _shared(
    natural: list[float], floors: list[float], shared: list[int], left: float
) -> list[float]:
    """Keep the width of short columns, and divide the rest evenly among long ones."""
    widths = list(natural)
    waiting = sorted(shared, key=lambda n: natural[n])
    if sum(floors[n] for n in shared) > left:
        floors = [min(width, NARROWEST) for width in natural]
    while waiting:
        even_width = left / len(waiting)
        needy = next((n for n in waiting if floors[n] > even_width), None)
        column = waiting[0] if needy is None else needy
        widths[column] = min(natural[column], even_width) if needy is None else floors[column]
        waiting.remove(column)
        left -= widths[column]
    return widths


def _floors(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], natural: list[float], faces: Faces
) -> list[float]:
    """Return the width below which a column would split words; codes can be split anywhere."""
    floors = []
    for number, column in enumerate(columns):
        words = {word for row in rows for word in row[number].split()}
        longest = max(words, key=len, default="") if column.align is Align.WORDS else ""
        wanted = width_of(longest, faces.text, TABLE_SIZE) * STRONGER + 2 * PAD
        floors.append(min(natural[number], max(min(wanted, MOST_OF_A_WORD), NARROWEST)))
    return floors
