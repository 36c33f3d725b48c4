"""A sheet set in type: the same sheet in the same faces gives the same bytes."""

from __future__ import annotations

import io
import re
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
from reports.paper.cards import CardsInLine, DrawnCards
from reports.paper.chart import MOST_BARS, Chart
from reports.paper.contents import Entry
from reports.paper.furniture import draw_furniture, number_pages
from reports.paper.grid import Grid, Layout
from reports.paper.said import Place, said
from reports.paper.style import MARGIN, PAGE_HEIGHT, PAGE_WIDTH, WIDTH, Styles
from reports.paper.unknown_signs import with_numbers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reports.paper.blocks import Block, Sheet
    from reports.paper.faces import Faces

rl_config.useA85 = 0  # streams as bytes: a fifth smaller, and in half the time

CAPTION = 28.0
"""Room that a caption of one line takes."""
WITH_HEADING, WITH_CAPTION = 96.0, 64.0
"""Room below which a heading or a caption goes to the next page with what it heads."""

HEADED = 5
"""Blocks behind a heading that may begin on its page: a note, headings, and what they head."""

A_FEW_LINES = 400
"""Characters of a paragraph that lets what stands behind it begin on the page of its heading."""

MOST_TOGETHER = 220.0
"""Facts of this height at most are not cut at the end of a page."""
FEWEST = 2
"""Headings of which contents are made."""
SAMPLE = 40
"""Rows by which it is told how high a table begins; widths of columns may differ by the others."""

DATE, UNCUT = (
    re.compile(r"(\w) (\d{1,2}), (\d{4})\b"),
    "\\1\N{NO-BREAK SPACE}\\2,\N{NO-BREAK SPACE}\\3",
)
"""A title is not cut in a date."""

MARKS = {Change.SAME: "", Change.ADDED: "Added", Change.REMOVED: "Removed"}


@dataclass(frozen=True)
class Body:
    """A report's body: its bytes, and how many pages they are."""

    content: bytes
    pages: int


def build(sheet: Sheet, faces: Faces) -> Body:
    """Set a sheet in type."""
    sheet = with_numbers(sheet, faces)
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
    yield said(DATE.sub(UNCUT, sheet.title), styles.title, "H1")
    numbers, depth = count(), -1
    hands: list[DrawnCards] = []
    for place, (block, following) in enumerate(zip_longest(sheet.blocks, sheet.blocks[1:])):
        if place == sheet.front:
            yield from _contents(sheet, styles)
        if isinstance(block, Heading):
            style = styles.headings[block.level - 1]
            depth = min(block.level - 1, depth + 1)  # an outline leaves no level out
            mark = (_key(next(numbers)), block.says, depth)
            behind = sheet.blocks[place + 1 : place + HEADED]
            yield CondPageBreak(WITH_HEADING + _first_of(behind, styles))
            yield said(block.says, style, f"H{block.level + 1}", bookmark=mark)
        elif isinstance(block, Hand):
            hands.append(DrawnCards(block.label, block.cards, styles.faces))
            if not isinstance(following, Hand):
                yield from CardsInLine.all_of(hands)
                hands = []
        else:
            if isinstance(block, Words) and block.says.endswith(":"):
                yield CondPageBreak(
                    CAPTION + _first_of(sheet.blocks[place + 1 : place + 2], styles)
                )
            yield from _set(block, styles)


def _contents(sheet: Sheet, styles: Styles) -> Iterator[Flowable]:
    """The contents of what stands behind them."""
    before = sum(isinstance(block, Heading) for block in sheet.blocks[: sheet.front])
    headings = [block for block in sheet.blocks[sheet.front :] if isinstance(block, Heading)]
    if not sheet.contents or len(headings) < FEWEST:
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
    yield CondPageBreak(_together(layout))
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


def _together(facts: Layout) -> float:
    """How high facts are that stay on one page; 0 where they are too many for that."""
    height = facts.ends[-1] if facts.ends else 0.0
    return height if height <= MOST_TOGETHER else 0.0


def _first_of(blocks: Sequence[Block], styles: Styles) -> float:
    """How much of what follows stands on one page with the heading before, beside a few lines."""
    block, *behind = blocks or (None,)
    if isinstance(block, Words) and len(block.says) <= A_FEW_LINES and behind:
        block, *behind = behind
    if isinstance(block, Heading):
        return WITH_HEADING + _first_of(behind, styles)
    if isinstance(block, Bars):
        return _height_of(block, styles)
    if isinstance(block, Facts):
        columns = (Column(""), Column("", block.align))
        layout = Layout.of(columns, block.rows, styles.faces, head=False, named=True)
        return _together(layout) or layout.beginning
    if isinstance(block, Rows):
        return Layout.of(block.columns, block.rows[:SAMPLE], styles.faces).beginning
    return 0.0


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
