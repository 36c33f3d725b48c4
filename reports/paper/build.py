"""A sheet set in type: the same sheet in the same faces gives the same bytes."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import singledispatch
from itertools import count, zip_longest
from typing import TYPE_CHECKING, Any

from reportlab import rl_config
from reportlab.platypus import BaseDocTemplate, CondPageBreak, Flowable, Frame, PageTemplate, Spacer

from reports.paper.blocks import (
    Bars,
    Callout,
    Change,
    Changed,
    Column,
    Facts,
    Hand,
    Heading,
    Points,
    Rows,
    Words,
)
from reports.paper.callout import DrawnCallout
from reports.paper.canvas import TaggedCanvas
from reports.paper.cards import DrawnCards
from reports.paper.chart import MOST_BARS, Chart
from reports.paper.contents import Entry
from reports.paper.furniture import draw_furniture, number_pages
from reports.paper.grid import Grid, Layout
from reports.paper.said import Place, said
from reports.paper.style import MARGIN, PAGE_HEIGHT, PAGE_WIDTH, WIDTH, Styles

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reports.paper.blocks import Sheet
    from reports.paper.faces import Faces

rl_config.useA85 = 0  # streams as bytes: a fifth smaller, and in half the time

CAPTION = 28.0
"""Room that a caption of one line takes."""
WITH_HEADING, WITH_CAPTION = 96.0, 64.0
"""Room below which a heading or a caption goes to the next page with what it heads."""

MARKS = {Change.SAME: "", Change.ADDED: "Added", Change.REMOVED: "Removed"}


@dataclass(frozen=True)
class Body:
    """A report's body: its bytes, and how many pages they are."""

    content: bytes
    pages: int


def build(sheet: Sheet, faces: Faces) -> Body:
    """Set a sheet in type."""
    written = io.BytesIO()
    document = BaseDocTemplate(
        written,
        pagesize=(PAGE_WIDTH, PAGE_HEIGHT),
        invariant=1,
        pageCompression=1,
        lang=sheet.language,
        title=sheet.title,
        author=sheet.agency,
        subject=sheet.subject or sheet.title,
        keywords=", ".join([sheet.reference, *sheet.keywords]),
        creator="Card game compliance",
    )
    frame = Frame(
        MARGIN, MARGIN, WIDTH, PAGE_HEIGHT - 2 * MARGIN,
        leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0,
    )  # fmt: skip
    document.addPageTemplates(
        PageTemplate(frames=[frame], onPage=lambda page, _: draw_furniture(page, sheet, faces))
    )
    end = _End()

    def canvas(*arguments: Any, **named: Any) -> TaggedCanvas:
        made = TaggedCanvas(*arguments, **named)
        made.made_at(sheet.made)
        made.setViewerPreference("DisplayDocTitle", "true")
        if sheet.contents:
            made.showOutline()
        return made

    document.build([*_flow(sheet, Styles.of(faces)), end], canvasmaker=canvas)
    return Body(written.getvalue(), end.page)


class _End(Flowable):  # type: ignore[misc]
    """The end of the last page, where the number of pages is known."""

    page = 0
    canv: TaggedCanvas

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        return 0, 0

    def draw(self) -> None:
        self.page = self.canv.getPageNumber()
        number_pages(self.canv, self.page)


def _flow(sheet: Sheet, styles: Styles) -> Iterator[Flowable]:
    """Yield the title, whom it is addressed to, the contents, and the blocks."""
    if sheet.addressed:
        yield said("\n".join(sheet.addressed), styles.words)
        yield Spacer(0, 8)
    yield said(sheet.title, styles.title, "H1")
    numbers, depth = count(), -1
    for place, (block, following) in enumerate(zip_longest(sheet.blocks, sheet.blocks[1:])):
        if place == sheet.front:
            yield from _contents(sheet, styles)
        if isinstance(block, Heading):
            style = styles.headings[block.level - 1]
            depth = min(block.level - 1, depth + 1)  # an outline leaves no level out
            mark = (_key(next(numbers)), block.says, depth)
            drawn = _height_of(following, styles) if isinstance(following, Bars) else 0.0
            yield CondPageBreak(WITH_HEADING + drawn)
            yield said(block.says, style, f"H{block.level + 1}", bookmark=mark)
        else:
            yield from _set(block, styles)


def _contents(sheet: Sheet, styles: Styles) -> Iterator[Flowable]:
    """The contents of what stands behind them."""
    before = sum(isinstance(block, Heading) for block in sheet.blocks[: sheet.front])
    headings = [block for block in sheet.blocks[sheet.front :] if isinstance(block, Heading)]
    if not sheet.contents or not headings:
        return
    yield CondPageBreak(WITH_CAPTION)
    yield said("Contents", styles.caption)
    whole = Place("TOC")
    for number, heading in enumerate(headings, start=before):
        entry = Place("TOCI", whole)
        yield Entry(_key(number), heading.says, heading.level - 1, styles.faces, entry)
    yield Spacer(0, 8)


def _key(heading: int) -> str:
    return f"section-{heading}"


@singledispatch
def _set(block: object, styles: Styles) -> Iterator[Flowable]:
    message = f"{type(block).__name__} cannot be set in type."
    raise TypeError(message)


@_set.register(Words)
def _words(block: Words, styles: Styles) -> Iterator[Flowable]:
    yield said(block.says, styles.quiet if block.quiet else styles.words)


@_set.register(Points)
def _points(block: Points, styles: Styles) -> Iterator[Flowable]:
    whole = Place("L")
    for number, text in enumerate(block.says, start=1):
        bullet = f"{number}." if block.numbered else "•"
        place = Place("LBody", Place("LI", whole))
        yield said(text, styles.point, place, bullet=bullet)
    yield Spacer(0, 4)


@_set.register(Facts)
def _facts(block: Facts, styles: Styles) -> Iterator[Flowable]:
    columns = (Column(""), Column("", block.align))
    layout = Layout.of(columns, block.rows, styles.faces, head=False, named=True)
    yield Grid(layout)
    yield Spacer(0, 10)


@_set.register(Rows)
def _rows(block: Rows, styles: Styles) -> Iterator[Flowable]:
    if block.rows:
        layout = Layout.of(block.columns, block.rows, styles.faces)
        yield CondPageBreak(max(WITH_CAPTION, CAPTION + layout.beginning))
        yield said(block.caption, styles.caption)
        yield Grid(layout)
        yield Spacer(0, 10)
    else:
        yield CondPageBreak(WITH_CAPTION)
        yield said(block.caption, styles.caption)
        yield said(block.empty, styles.quiet)


@_set.register(Callout)
def _callout(block: Callout, styles: Styles) -> Iterator[Flowable]:
    yield from DrawnCallout.all_of(block, styles.faces)


@_set.register(Bars)
def _bars(block: Bars, styles: Styles) -> Iterator[Flowable]:
    parts = [Chart(block, styles.faces, begin) for begin in range(0, len(block.bars), MOST_BARS)]
    yield CondPageBreak(WITH_CAPTION + _height_of(block, styles))
    yield said(block.caption, styles.caption)
    yield from parts or [said("Nothing.", styles.quiet)]
    yield Spacer(0, 8)


def _height_of(block: Bars, styles: Styles) -> float:
    """How high the first part of a chart is."""
    height: float = Chart(block, styles.faces).wrap(0, 0)[1] if block.bars else 0.0
    return height


@_set.register(Hand)
def _hand(block: Hand, styles: Styles) -> Iterator[Flowable]:
    yield DrawnCards(block.label, block.cards, styles.faces)


@_set.register(Changed)
def _changed(block: Changed, styles: Styles) -> Iterator[Flowable]:
    """Set a text line by line; only where something changed does a word say so in the margin."""
    if all(change is Change.SAME for change, _ in block.lines):
        for _, text in block.lines:
            yield said(text, styles.words)
        return
    columns = (Column("Change"), Column("Text"))
    rows = [(MARKS[change], text) for change, text in block.lines]
    yield Grid(Layout.of(columns, rows, styles.faces))
    yield Spacer(0, 8)
