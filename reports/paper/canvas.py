"""The canvas: ReportLab's, with marks for the structure tree and numbers that are known last."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from reportlab.pdfgen.canvas import Canvas

from reports.paper.structure import Element, Structure

if TYPE_CHECKING:
    from collections.abc import Iterator


class TaggedCanvas(Canvas):  # type: ignore[misc]
    """Draws inside `tagged` and `artifact`; what is drawn elsewhere would be read by nobody."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.structure = Structure()
        self.above = self.structure.root
        self.later: dict[str, _Later] = {}

    def made_at(self, instant: datetime) -> None:
        """Let the document say when it was made: an input, never the clock."""
        stamp = self._doc._timeStamp
        at = instant.astimezone(UTC)
        stamp.t = at.timestamp()
        stamp.lt = at.timetuple()
        stamp.YMDhms = tuple(at.timetuple())[:6]

    def element(
        self, tag: str, above: Element | None = None, *, alternative: str = "", scope: str = ""
    ) -> Element:
        """Add an element below another, or below the one that is open."""
        return Element(tag, above or self.above, alternative=alternative, scope=scope)

    @contextmanager
    def inside(self, element: Element) -> Iterator[None]:
        """Put what is drawn now below an element."""
        before, self.above = self.above, element
        yield
        self.above = before

    @contextmanager
    def marked(self, element: Element) -> Iterator[None]:
        """Let what is drawn now be the content of an element."""
        self._code.append(self.mark(element))
        yield
        self._code.append("EMC")

    def mark(self, element: Element) -> str:
        """Write the mark before content of an element; `EMC` follows behind it."""
        number = self.structure.mark(element, self.getPageNumber() - 1)
        return f"/{element.tag}<</MCID {number}>>BDC"

    @contextmanager
    def tagged(self, tag: str, *, alternative: str = "") -> Iterator[None]:
        """Let what is drawn now be the content of a new element."""
        with self.marked(self.element(tag, alternative=alternative)):
            yield

    @contextmanager
    def artifact(self) -> Iterator[None]:
        """Draw what is furniture: lines, grounds, what repeats on each page."""
        self._code.append("/Artifact BMC")
        yield
        self._code.append("EMC")

    def draw_later(self, name: str, x: float, y: float, face: str, size: float) -> None:
        """Leave a place whose right end is at `x` for a text that `say` gives by this name."""
        self.later.setdefault(name, _Later(face, size))
        self.saveState()
        self.translate(x, y)
        self.doForm(name)
        self.restoreState()

    def say(self, name: str, text: str) -> None:
        """Write the text at every place that was left for it."""
        place = self.later.get(name)
        if place is None:
            return
        width = self.stringWidth(text, place.face, place.size)
        self.beginForm(name, -width - 1, -place.size, 1, place.size * 1.5)
        self.setFont(place.face, place.size)
        self.drawRightString(0, 0, text)
        self.endForm()

    def say_page(self, key: str) -> None:
        """Write the number of this page wherever the contents name the key."""
        self.say(f"page-{key}", str(self.getPageNumber()))

    def save(self) -> None:
        """Write the tree behind the last page, then the file."""
        if self._code:
            self.showPage()
        self.structure.write(self._doc, self._doc.Pages.pages)
        super().save()


class _Later:
    """How a text is set that is not known yet."""

    def __init__(self, face: str, size: float) -> None:
        self.face = face
        self.size = size
