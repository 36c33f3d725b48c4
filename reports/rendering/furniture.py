"""The table of contents, and the furniture of every page: agency, reference, page number.

Page numbers are known last, and are written then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportlab.lib.colors import white
from reportlab.platypus import Flowable

from reports.rendering.typography import (
    INK,
    LINE,
    MARGIN,
    PAGE_HEIGHT,
    PAGE_WIDTH,
    QUIET,
    RED,
    WIDTH,
    lines_of,
    width_of,
)

if TYPE_CHECKING:
    from reports.rendering.blocks import Sheet
    from reports.rendering.tagging import Place, TaggedCanvas
    from reports.rendering.typography import Faces


ENTRY_SIZE, ENTRY_LEADING, INDENT = 10.0, 15.0, 14.0
NUMBERS = 40.0


class Entry(Flowable):  # type: ignore[misc]
    """One line of the contents."""

    def __init__(self, key: str, title: str, level: int, faces: Faces, place: Place) -> None:
        super().__init__()
        self.key = key
        self.indent = INDENT * level
        self.face = faces.strong if level == 0 else faces.text
        self.faces = faces
        self.place = place
        self.lines = lines_of(title, self.face, ENTRY_SIZE, WIDTH - NUMBERS - self.indent)
        self.canv: TaggedCanvas

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Return the size it takes."""
        self.width = WIDTH
        self.height = ENTRY_LEADING * len(self.lines)
        return self.width, self.height

    def draw(self) -> None:
        """Draw the title, and leave room for the page number."""
        canvas = self.canv
        y = self.height - ENTRY_SIZE
        link = canvas.element("Link", self.place.element(canvas))
        with canvas.marked(link):
            canvas.setFillColor(INK)
            canvas.setFont(self.face, ENTRY_SIZE)
            for line in self.lines:
                canvas.drawString(self.indent, y, line)
                y -= ENTRY_LEADING
            y += ENTRY_LEADING
            canvas.draw_later(f"page-{self.key}", WIDTH, y, self.faces.text, ENTRY_SIZE)
        with canvas.artifact():
            canvas.setStrokeColor(LINE)
            canvas.setLineWidth(0.3)
            canvas.line(self.indent, y - 3.5, WIDTH, y - 3.5)
        canvas.link(link, (0, 0, WIDTH, self.height), f"#{self.key}", " ".join(self.lines))


FURNITURE_SIZE = 8.0
BAND = 15.0
DEMONSTRATION = "DEMONSTRATION: invented data, signed with a key that vouches for nothing"


def draw_furniture(canvas: TaggedCanvas, sheet: Sheet, faces: Faces) -> None:
    """Draw header and footer of a new page."""
    left, right = MARGIN, PAGE_WIDTH - MARGIN
    canvas.saveState()
    with canvas.artifact():
        if sheet.demonstration:
            canvas.setFillColor(RED)
            canvas.rect(0, PAGE_HEIGHT - BAND, PAGE_WIDTH, BAND, stroke=0, fill=1)
            canvas.setFillColor(white)
            canvas.setFont(faces.strong, FURNITURE_SIZE)
            canvas.drawCentredString(PAGE_WIDTH / 2, PAGE_HEIGHT - BAND + 4.5, DEMONSTRATION)
        canvas.setFillColor(QUIET)
        canvas.setFont(faces.text, FURNITURE_SIZE)
        canvas.setStrokeColor(LINE)
        canvas.setLineWidth(0.5)
        head = PAGE_HEIGHT - MARGIN + 14
        first = canvas.getPageNumber() == 1
        if not sheet.letterhead or not first:
            before = ", ".join(sheet.running) or sheet.agency
            room = right - left - width_of(sheet.reference, faces.text, FURNITURE_SIZE) - 12
            canvas.drawString(left, head, _fitted(before, faces.text, room))
            canvas.drawRightString(right, head, sheet.reference)
            canvas.line(left, head - 5, right, head - 5)
        foot = MARGIN - 26
        canvas.line(left, foot + 11, right, foot + 11)
        named = " | ".join(filter(None, (sheet.title, sheet.marking)))
        canvas.drawString(left, foot, _fitted(named, faces.text, right - left - 70))
        canvas.draw_later(_place(canvas.getPageNumber()), right, foot, faces.text, FURNITURE_SIZE)
    canvas.restoreState()


def number_pages(canvas: TaggedCanvas, last: int) -> None:
    """Write each page's number and the total once it is known."""
    for page in range(1, last + 1):
        canvas.say(_place(page), f"Page {page} of {last}")


def _place(page: int) -> str:
    return f"number-{page}"


def _fitted(text: str, face: str, room: float) -> str:
    if width_of(text, face, FURNITURE_SIZE) <= room:
        return text
    while text and width_of(f"{text}…", face, FURNITURE_SIZE) > room:
        text = text[:-1]
    return f"{text.rstrip()}…"
