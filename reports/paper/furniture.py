"""What stands on every page: whose report it is, its reference, its number, whether it is real."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportlab.lib.colors import white

from reports.paper.style import LINE, MARGIN, PAGE_HEIGHT, PAGE_WIDTH, QUIET, RED
from reports.paper.wrapping import width_of

if TYPE_CHECKING:
    from reports.paper.blocks import Sheet
    from reports.paper.canvas import TaggedCanvas
    from reports.paper.faces import Faces

SIZE = 8.0
BAND = 15.0
DEMONSTRATION = "DEMONSTRATION: invented data, signed with a key that vouches for nothing"


def draw_furniture(canvas: TaggedCanvas, sheet: Sheet, faces: Faces) -> None:
    """Draw head and foot of the page that begins."""
    left, right = MARGIN, PAGE_WIDTH - MARGIN
    canvas.saveState()
    with canvas.artifact():
        if sheet.demonstration:
            canvas.setFillColor(RED)
            canvas.rect(0, PAGE_HEIGHT - BAND, PAGE_WIDTH, BAND, stroke=0, fill=1)
            canvas.setFillColor(white)
            canvas.setFont(faces.strong, SIZE)
            canvas.drawCentredString(PAGE_WIDTH / 2, PAGE_HEIGHT - BAND + 4.5, DEMONSTRATION)
        canvas.setFillColor(QUIET)
        canvas.setFont(faces.text, SIZE)
        head = PAGE_HEIGHT - MARGIN + 14
        room = right - left - width_of(sheet.reference, faces.text, SIZE) - 12
        canvas.drawString(left, head, _fitted(sheet.agency, faces.text, room))
        canvas.drawRightString(right, head, sheet.reference)
        canvas.setStrokeColor(LINE)
        canvas.setLineWidth(0.5)
        canvas.line(left, head - 5, right, head - 5)
        foot = MARGIN - 26
        canvas.line(left, foot + 11, right, foot + 11)
        canvas.drawString(left, foot, _fitted(sheet.title, faces.text, right - left - 80))
        canvas.draw_later(_place(canvas.getPageNumber()), right, foot, faces.text, SIZE)
    canvas.restoreState()


def number_pages(canvas: TaggedCanvas, last: int) -> None:
    """Write the number of each page, and of all, once it is known."""
    for page in range(1, last + 1):
        canvas.say(_place(page), f"Page {page} of {last}")


def _place(page: int) -> str:
    return f"number-{page}"


def _fitted(text: str, face: str, room: float) -> str:
    if width_of(text, face, SIZE) <= room:
        return text
    while text and width_of(f"{text}…", face, SIZE) > room:
        text = text[:-1]
    return f"{text.rstrip()}…"
