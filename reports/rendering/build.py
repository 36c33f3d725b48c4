"""Typesetting of a sheet: the same sheet in the same fonts gives the same bytes."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, replace
from datetime import UTC
from functools import partial, singledispatch
from itertools import count, starmap, zip_longest
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from reportlab import rl_config
from reportlab.platypus import BaseDocTemplate, CondPageBreak, Flowable, Frame, PageTemplate, Spacer

from reports.rendering.archival import declare
from reports.rendering.blocks import (
    Board,
    Callout,
    Change,
    Changed,
    Column,
    Facts,
    Hand,
    Heading,
    Items,
    Passage,
    Points,
    Rows,
    Words,
)
from reports.rendering.board import draw_board
from reports.rendering.drawings import (
    CardsInLine,
    DrawnCallout,
    DrawnCards,
    DrawnItem,
    LinkLine,
)
from reports.rendering.furniture import Entry, draw_furniture, number_pages
from reports.rendering.tables import Grid, Layout
from reports.rendering.tagging import Place, TaggedCanvas, tagged_paragraph
from reports.rendering.typography import (
    MARGIN,
    PAGE_HEIGHT,
    PAGE_WIDTH,
    WIDTH,
    Styles,
    with_numbers,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from reports.rendering.blocks import Block, Sheet
    from reports.rendering.typography import Faces


rl_config.useA85 = 0  # binary streams: a fifth smaller, and in half the time

CREATOR = "Card game compliance"
CAPTION = 28.0
"""Height of a caption of one line."""
WITH_HEADING, WITH_CAPTION = 60.0, 56.0
"""Remaining room below which a heading or a caption moves to the next page with its content."""

HEADED = 5
"""Maximum blocks after a heading that begin on its page: a note, headings, and their content."""

A_FEW_LINES = 400
"""Maximum characters of a paragraph that keeps the block after it on the page of its heading."""

MOST_TOGETHER = 220.0
"""Facts up to this height are not split between pages."""
FEWEST = 2
"""Minimum number of headings for a table of contents."""
SAMPLE = 40
"""Rows used to estimate the height of a table's beginning; later rows may change column widths."""

DATE, UNCUT = (
    re.compile(r"(\w) (\d{1,2}), (\d{4})\b"),
    "\\1\N{NO-BREAK SPACE}\\2,\N{NO-BREAK SPACE}\\3",
)
"""Keeps a date in a title on one line."""

MARKS = {Change.SAME: "", Change.ADDED: "Added", Change.REMOVED: "Removed"}


@dataclass(frozen=True)
class Body:
    """A report's body: its bytes and its number of pages."""

    content: bytes
    pages: int


def build(sheet: Sheet, faces: Faces) -> Body:
    """Typeset a sheet."""
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
        creator=CREATOR,
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
        made = TaggedCanvas(*arguments, **named | {"initialFontName": faces.text})
        made.made_at(sheet.made)
        made.before_save = partial(
            declare,
            made=sheet.made.astimezone(UTC),
            info={
                "title": sheet.title,
                "author": sheet.agency,
                "subject": sheet.subject or sheet.title,
                "keywords": ", ".join([sheet.reference, *sheet.keywords]),
                "creator": CREATOR,
                "producer": made._doc.info.producer,
                "language": sheet.language,
            },
            data=sheet.data,
        )
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


def _head(sheet: Sheet, styles: Styles) -> Iterator[Flowable]:
    """Yield the letterhead and the addressees of a letter."""
    for number, line in enumerate(sheet.letterhead):
        yield tagged_paragraph(line, styles.under_letterhead if number else styles.letterhead)
    if sheet.letterhead:
        yield Spacer(0, 14)
    if sheet.addressed:
        yield tagged_paragraph("\n".join(sheet.addressed), styles.words)
        yield Spacer(0, 8)


def _flow(sheet: Sheet, styles: Styles) -> Iterator[Flowable]:
    """Yield the title, the addressees, the contents, and the blocks."""
    yield from _head(sheet, styles)
    title = styles.subject if sheet.letterhead else styles.title
    heading = f"RE: {sheet.title}" if sheet.letterhead else sheet.title
    yield tagged_paragraph(DATE.sub(UNCUT, heading), title, "H1")
    numbers, depth = count(), -1
    hands: list[DrawnCards] = []
    for place, (block, following) in enumerate(zip_longest(sheet.blocks, sheet.blocks[1:])):
        if place == sheet.front:
            yield from _contents(sheet, styles)
        if isinstance(block, Heading):
            style = styles.headings[block.level - 1]
            depth = min(block.level - 1, depth + 1)  # an outline skips no level
            mark = (_key(next(numbers)), block.says, depth)
            behind = sheet.blocks[place + 1 : place + HEADED]
            yield CondPageBreak(WITH_HEADING + _first_of(behind, styles))
            yield tagged_paragraph(block.says, style, f"H{depth + 2}", bookmark=mark)
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
            if isinstance(block, Items | Passage | Facts | Rows):
                block = replace(block, links=_addresses(block.links, sheet.site))
            yield from _set(block, styles)


def _addresses(links: Mapping[str, str], site: str) -> dict[str, str]:
    """Return the addresses on the site, if the report knows one, and bookmarks as they are."""
    return {
        text: to if to.startswith("#") else f"{site}{to}"
        for text, to in links.items()
        if site or to.startswith("#")
    }


def _contents(sheet: Sheet, styles: Styles) -> Iterator[Flowable]:
    """Yield a table of the contents that follow it."""
    before = sum(isinstance(block, Heading) for block in sheet.blocks[: sheet.front])
    headings = [block for block in sheet.blocks[sheet.front :] if isinstance(block, Heading)]
    if not sheet.contents or len(headings) < FEWEST:
        return
    yield CondPageBreak(WITH_CAPTION)
    yield tagged_paragraph("Contents", styles.caption)
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
    yield tagged_paragraph(block.says, styles.quiet if block.quiet else styles.words)


@_set.register(Points)
def _points(block: Points, styles: Styles) -> Iterator[Flowable]:
    whole = Place("L")
    for number, text in enumerate(block.says, start=1):
        bullet = f"{number}." if block.numbered else "•"
        place = Place("LBody", Place("LI", whole))
        yield tagged_paragraph(text, styles.point, place, bullet=bullet)
    yield Spacer(0, 4)


@_set.register(Items)
def _items(block: Items, styles: Styles) -> Iterator[Flowable]:
    whole = Place("L")
    for number, item in enumerate(block.items, start=1):
        yield DrawnItem(number, item, block.links.get(item.link, ""), styles.faces, whole)
    yield Spacer(0, 2)


@_set.register(Passage)
def _passage(block: Passage, styles: Styles) -> Iterator[Flowable]:
    yield LinkLine(block.before, block.link, block.to, styles.faces)
    for parts in block.paragraphs:
        yield tagged_paragraph("", styles.small, markup=" ".join(starmap(_run_in, parts)))


def _run_in(name: str, says: str) -> str:
    return f"<b>{escape(name)}.</b> {'<br/>'.join(map(escape, says.split(chr(10))))}"


@_set.register(Board)
def _board(block: Board, styles: Styles) -> Iterator[Flowable]:
    yield from draw_board(block.places, styles.faces)


@_set.register(Facts)
def _facts(block: Facts, styles: Styles) -> Iterator[Flowable]:
    columns = (Column(""), Column("", block.align))
    layout = Layout.of(columns, block.rows, styles.faces, head=False, named=True, links=block.links)
    yield CondPageBreak(_together(layout))
    yield Grid(layout)
    yield Spacer(0, 7)


@_set.register(Rows)
def _rows(block: Rows, styles: Styles) -> Iterator[Flowable]:
    if block.rows:
        rows = block.rows[: block.printed]
        layout = Layout.of(block.columns, rows, styles.faces, links=block.links)
        yield CondPageBreak(max(WITH_CAPTION, CAPTION + layout.beginning))
        yield tagged_paragraph(block.caption, styles.caption)
        yield Grid(layout)
        yield Spacer(0, 7)
        if block.unprinted:
            yield tagged_paragraph(block.unprinted, styles.quiet)
    else:
        yield CondPageBreak(WITH_CAPTION)
        yield tagged_paragraph(block.caption, styles.caption)
        yield tagged_paragraph(block.empty, styles.quiet)


@_set.register(Callout)
def _callout(block: Callout, styles: Styles) -> Iterator[Flowable]:
    yield from DrawnCallout.all_of(block, styles.faces)


def _together(facts: Layout) -> float:
    """Return the height of facts that stay on one page; 0 if they are too high for that."""
    height = facts.ends[-1] if facts.ends else 0.0
    return height if height <= MOST_TOGETHER else 0.0


def _first_of(blocks: Sequence[Block], styles: Styles) -> float:
    """Return the height that must stay on a page with the preceding heading and a few lines."""
    block, *behind = blocks or (None,)
    if isinstance(block, Words) and len(block.says) <= A_FEW_LINES and behind:
        block, *behind = behind
    if isinstance(block, Heading):
        return WITH_HEADING + _first_of(behind, styles)
    if isinstance(block, Facts):
        columns = (Column(""), Column("", block.align))
        layout = Layout.of(columns, block.rows, styles.faces, head=False, named=True)
        return _together(layout) or layout.beginning
    if isinstance(block, Rows):
        return Layout.of(block.columns, block.rows[:SAMPLE], styles.faces).beginning
    return 0.0


@_set.register(Changed)
def _changed(block: Changed, styles: Styles) -> Iterator[Flowable]:
    """Typeset a text line by line, with a word in the margin only if there are changes."""
    if all(change is Change.SAME for change, _ in block.lines):
        for _, text in block.lines:
            yield tagged_paragraph(text, styles.words)
        return
    columns = (Column("Change"), Column("Text"))
    rows = [(MARKS[change], text) for change, text in block.lines]
    yield Grid(Layout.of(columns, rows, styles.faces))
    yield Spacer(0, 8)
