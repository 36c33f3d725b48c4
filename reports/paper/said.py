"""Paragraphs that are marked as what they are, also where a page cuts them in two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from reportlab.platypus import Paragraph

if TYPE_CHECKING:
    from reportlab.lib.styles import ParagraphStyle

    from reports.paper.canvas import TaggedCanvas
    from reports.paper.structure import Element


class Place:
    """Where paragraphs stand in the tree: a tag below another place, made when first drawn."""

    def __init__(self, tag: str, above: Place | None = None) -> None:
        self.tag = tag
        self.above = above
        self._element: Element | None = None

    def element(self, canvas: TaggedCanvas) -> Element:
        """Find its element, making it where nothing has been drawn there yet."""
        if self._element is None:
            above = self.above.element(canvas) if self.above else None
            self._element = canvas.element(self.tag, above)
        return self._element


class Said(Paragraph):  # type: ignore[misc]
    """A paragraph at its place; `bookmark` names it in the outline and for the contents."""

    place: Place
    bookmark: tuple[str, str, int] | None = None

    def draw(self) -> None:
        """Draw it as what it is."""
        canvas: TaggedCanvas = self.canv
        if self.bookmark is not None:
            key, title, level = self.bookmark
            canvas.bookmarkHorizontal(key, 0, self.height)
            canvas.addOutlineEntry(title, key, level, closed=level > 0)
            canvas.say_page(key)
        with canvas.marked(self.place.element(canvas)):
            super().draw()

    def split(self, width: float, height: float) -> list[Any]:
        """Cut it where the page ends; both pieces stay one element."""
        pieces: list[Any] = super().split(width, height)
        for number, piece in enumerate(pieces):
            piece.place = self.place
            piece.bookmark = self.bookmark if number == 0 else None
        return pieces


def said(
    text: str,
    style: ParagraphStyle,
    tag: str | Place = "P",
    *,
    bookmark: tuple[str, str, int] | None = None,
    bullet: str | None = None,
) -> Said:
    """Make a paragraph of plain text; its own line ends are kept."""
    made = Said("<br/>".join(map(escape, text.split("\n"))), style, bulletText=bullet)
    made.place = Place(tag) if isinstance(tag, str) else tag
    made.bookmark = bookmark
    return made
