"""The structure tree of a tagged PDF (ISO 32000-1, 14.7), and the canvas that marks the pages.

ReportLab writes no structure. Here each element is written as a plain object, and the canvas adds
the marks, even if a paragraph is split between pages. Page furniture is marked as an artifact and
is not in the tree.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from reportlab.pdfbase import pdfdoc
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from reportlab.lib.styles import ParagraphStyle


class Element:
    """One element: its tag, its content, and its alternative text."""

    __slots__ = ("alternative", "annotation", "kids", "parent", "reference", "scope", "tag")

    def __init__(
        self, tag: str, parent: Element | None, *, alternative: str = "", scope: str = ""
    ) -> None:
        self.tag = tag
        self.parent = parent
        self.alternative = alternative
        self.scope = scope
        self.kids: list[Element | tuple[int, int]] = []
        self.annotation: Annotation | None = None
        self.reference = b""
        if parent is not None:
            parent.kids.append(self)


class Structure:
    """The tree of one document; pages are counted from 0."""

    def __init__(self) -> None:
        self.root = Element("Document", None)
        self.marks: list[list[Element]] = []
        self.annotations: list[tuple[Element, Annotation]] = []

    def mark(self, element: Element, page: int) -> int:
        """Return the mark number on a page of what is drawn next."""
        while len(self.marks) <= page:
            self.marks.append([])
        number = len(self.marks[page])
        self.marks[page].append(element)
        element.kids.append((page, number))
        return number

    def write(self, document: Any, pages: list[Any]) -> None:
        """Add the tree to a document whose pages are complete."""
        page_references = [reference_to(document, page) for page in pages]
        tree = PlainObject(b"")
        tree_reference = reference_to(document, tree)
        for key, (_, annotation) in enumerate(self.annotations, start=len(pages)):
            annotation.content = annotation.before + b" /StructParent %d >>" % key
        elements = _flat(self.root)
        objects = [PlainObject(b"") for _ in elements]
        for element, made in zip(elements, objects, strict=True):
            element.reference = reference_to(document, made)
        for element, made in zip(elements, objects, strict=True):
            above = element.parent.reference if element.parent else tree_reference
            made.content = _written(element, above, page_references)
        numbers = b" ".join(
            b"%d [%s]" % (page, b" ".join(each.reference for each in marked))
            for page, marked in enumerate(self.marks)
        )
        numbers += b"".join(
            b" %d %s" % (key, element.reference)
            for key, (element, _) in enumerate(self.annotations, start=len(pages))
        )
        tree.content = (
            b"<< /Type /StructTreeRoot /K %s /ParentTree << /Nums [%s] >> /ParentTreeNextKey %d >>"
            % (self.root.reference, numbers, len(pages) + len(self.annotations))
        )
        document.Catalog.StructTreeRoot = tree
        document.Catalog.MarkInfo = pdfdoc.PDFDictionary({"Marked": "true"})
        for number, page in enumerate(pages):
            page.StructParents = number
            page.Tabs = pdfdoc.PDFName("S")
            page.__NoDefault__ = [*type(page).__NoDefault__, "StructParents", "Tabs"]


class PlainObject(pdfdoc.PDFObject):  # type: ignore[misc]
    """An object that is written unchanged."""

    __RefOnly__ = 1

    def __init__(self, content: bytes) -> None:
        self.content = content

    def format(self, document: Any) -> bytes:
        del document
        return self.content


class _Data(pdfdoc.PDFObject):  # type: ignore[misc]
    """The data of a stream, followed by a line end that its length does not count."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    def __len__(self) -> int:
        return len(self.content)

    def format(self, document: Any) -> bytes:
        del document
        return self.content + b"\n"


class LineEnds(pdfdoc.NoEncryption):  # type: ignore[misc]
    """Ends the data of each stream with a line end (ISO 19005-3, 6.1.7.1), as ReportLab does not.

    Encryption is its last step before a stream is written, and the only one that all streams take.
    """

    def encode(self, content: bytes) -> _Data:
        """Return the data as it is written."""
        return _Data(content)


class Annotation(PlainObject):
    """A link, whose key in the structure tree is known once the pages are counted."""

    def __init__(self, page: int, before: bytes) -> None:
        super().__init__(b"")
        self.page = page
        self.before = before
        self.reference = b""


def reference_to(document: Any, made: Any) -> bytes:
    """Return a reference to an object, which is written with the document."""
    written: bytes = document.Reference(made).format(document)
    return written


def _flat(root: Element) -> list[Element]:
    found, ahead = [], [root]
    while ahead:
        element = ahead.pop()
        found.append(element)
        ahead.extend(kid for kid in reversed(element.kids) if isinstance(kid, Element))
    return found


def _written(element: Element, above: bytes, pages: list[bytes]) -> bytes:
    more = b""
    if element.annotation is None and len(element.kids) == 1 and isinstance(element.kids[0], tuple):
        # mostly cells
        page, number = element.kids[0]
        kids = b"%d/Pg %s" % (number, pages[page])
    else:
        kids = b"[%s]" % b" ".join(
            kid.reference
            if isinstance(kid, Element)
            else b"<</Type/MCR/Pg %s/MCID %d>>" % (pages[kid[0]], kid[1])
            for kid in element.kids
        )
    if element.annotation is not None:
        link = element.annotation
        kids = kids[:-1] + b" <</Type/OBJR/Obj %s/Pg %s>>]" % (link.reference, pages[link.page])
    if element.alternative:
        more += b"/Alt " + pdf_text(element.alternative)
    if element.scope:
        more += b"/A<</O/Table/Scope/%s>>" % element.scope.encode()
    return b"<</S/%s/P %s%s/K %s>>" % (element.tag.encode(), above, more, kids)


def pdf_text(says: str) -> bytes:
    """Return a text as a string of a PDF."""
    return b"<" + ("\ufeff" + says).encode("utf-16-be").hex().encode() + b">"


def _ascii(address: str) -> bytes:
    return b"(" + re.sub(rb"([()\\])", rb"\\\1", address.encode()) + b")"


class TaggedCanvas(Canvas):  # type: ignore[misc]
    """A canvas to draw inside `tagged` and `artifact`; screen readers would skip anything else."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.structure = Structure()
        self.above = self.structure.root
        self.later: dict[str, _Later] = {}
        self.before_save: Callable[[Any], None] = lambda _: None

    def made_at(self, instant: datetime) -> None:
        """Set the creation time of the document from an input, never from the clock."""
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
        """Mark what is drawn now as the content of an element."""
        self._code.append(self.mark(element))
        yield
        self._code.append("EMC")

    def mark(self, element: Element) -> str:
        """Return the operator before an element's content; `EMC` comes after it."""
        number = self.structure.mark(element, self.getPageNumber() - 1)
        return f"/{element.tag}<</MCID {number}>>BDC"

    @contextmanager
    def tagged(self, tag: str, *, alternative: str = "") -> Iterator[None]:
        """Mark what is drawn now as the content of a new element."""
        with self.marked(self.element(tag, alternative=alternative)):
            yield

    @contextmanager
    def artifact(self) -> Iterator[None]:
        """Mark what is drawn now as an artifact: lines, backgrounds, and repeated furniture."""
        self._code.append("/Artifact BMC")
        yield
        self._code.append("EMC")

    def link(
        self, element: Element, rectangle: tuple[float, float, float, float], to: str, says: str
    ) -> None:
        """Make a rectangle of the page a link to an address, or to a bookmark (`#key`)."""
        where = b" ".join(b"%.2f" % each for each in self._absRect(rectangle, relative=1))
        if to.startswith("#"):
            target = b"/Dest " + reference_to(self._doc, self._bookmarkReference(to[1:]))
        else:
            target = b"/A << /S /URI /URI %s >>" % _ascii(to)
        made = Annotation(
            self.getPageNumber() - 1,
            b"<< /Type /Annot /Subtype /Link /Rect [%s] /Border [0 0 0] /F 4 /Contents %s %s"
            % (where, pdf_text(says), target),
        )
        self._addAnnotation(made)
        made.reference = reference_to(self._doc, made)
        element.annotation = made
        self.structure.annotations.append((element, made))

    def draw_later(self, name: str, x: float, y: float, face: str, size: float) -> None:
        """Reserve a place with its right end at `x` for text that `say` gives by this name."""
        self.later.setdefault(name, _Later(face, size))
        self.saveState()
        self.translate(x, y)
        self.doForm(name)
        self.restoreState()

    def say(self, name: str, text: str) -> None:
        """Write the text at every place reserved for it."""
        place = self.later.get(name)
        if place is None:
            return
        width = self.stringWidth(text, place.face, place.size)
        self.beginForm(name, -width - 1, -place.size, 1, place.size * 1.5)
        self.setFont(place.face, place.size)
        self.drawRightString(0, 0, text)
        self.endForm()

    def say_page(self, key: str) -> None:
        """Write the number of this page wherever the contents refer to the key."""
        self.say(f"page-{key}", str(self.getPageNumber()))

    def save(self) -> None:
        """Write the tree after the last page, then the file."""
        if self._code:
            self.showPage()
        self.structure.write(self._doc, self._doc.Pages.pages)
        self.before_save(self._doc)
        self._doc.encrypt = LineEnds()
        super().save()


class _Later:
    """The style of a text that is not known yet."""

    def __init__(self, face: str, size: float) -> None:
        self.face = face
        self.size = size


class Place:
    """A position of paragraphs in the tree: a tag below another place, created on first use."""

    def __init__(self, tag: str, above: Place | None = None) -> None:
        self.tag = tag
        self.above = above
        self._element: Element | None = None

    def element(self, canvas: TaggedCanvas) -> Element:
        """Return its element, creating it if nothing has been drawn there yet."""
        if self._element is None:
            above = self.above.element(canvas) if self.above else None
            self._element = canvas.element(self.tag, above)
        return self._element


class TaggedParagraph(Paragraph):  # type: ignore[misc]
    """A paragraph at its place; `bookmark` names it in the outline and for the contents."""

    place: Place
    bookmark: tuple[str, str, int] | None = None

    def draw(self) -> None:
        """Draw it with its structure."""
        canvas: TaggedCanvas = self.canv
        if self.bookmark is not None:
            key, title, level = self.bookmark
            canvas.bookmarkHorizontal(key, 0, self.height)
            canvas.addOutlineEntry(title, key, level, closed=level > 0)
            canvas.say_page(key)
        with canvas.marked(self.place.element(canvas)):
            super().draw()

    def split(self, width: float, height: float) -> list[Any]:
        """Split it where the page ends; both pieces remain one element."""
        pieces: list[Any] = super().split(width, height)
        for number, piece in enumerate(pieces):
            piece.place = self.place
            piece.bookmark = self.bookmark if number == 0 else None
        return pieces


def tagged_paragraph(
    text: str,
    style: ParagraphStyle,
    tag: str | Place = "P",
    *,
    bookmark: tuple[str, str, int] | None = None,
    bullet: str | None = None,
    markup: str = "",
) -> TaggedParagraph:
    """Make a paragraph of plain text, keeping its line breaks, or of escaped markup."""
    markup = markup or "<br/>".join(map(escape, text.split("\n")))
    made = TaggedParagraph(markup, style, bulletText=bullet)
    made.place = Place(tag) if isinstance(tag, str) else tag
    made.bookmark = bookmark
    return made
