"""The structure tree of a tagged PDF (ISO 32000-1, 14.7): what the marks on the pages mean.

ReportLab writes no structure. Here each element is written as one plain object; the canvas puts the
marks (`reports.paper.canvas`). Page furniture is marked as an artifact and stands in no tree.
"""

from __future__ import annotations

from typing import Any

from reportlab.pdfbase import pdfdoc


class Element:
    """One element: its tag, what it holds, and what is said of it to those who do not see it."""

    __slots__ = ("alternative", "kids", "parent", "reference", "scope", "tag")

    def __init__(
        self, tag: str, parent: Element | None, *, alternative: str = "", scope: str = ""
    ) -> None:
        self.tag = tag
        self.parent = parent
        self.alternative = alternative
        self.scope = scope
        self.kids: list[Element | tuple[int, int]] = []
        self.reference = b""
        if parent is not None:
            parent.kids.append(self)


class Structure:
    """The tree of one document; pages are counted from 0."""

    def __init__(self) -> None:
        self.root = Element("Document", None)
        self.marks: list[list[Element]] = []

    def mark(self, element: Element, page: int) -> int:
        """Give what is drawn next on a page its number there."""
        while len(self.marks) <= page:
            self.marks.append([])
        number = len(self.marks[page])
        self.marks[page].append(element)
        element.kids.append((page, number))
        return number

    def write(self, document: Any, pages: list[Any]) -> None:
        """Add the tree to a document whose pages are complete."""
        page_references = [_reference(document, page) for page in pages]
        tree = _Object(b"")
        tree_reference = _reference(document, tree)
        elements = _flat(self.root)
        objects = [_Object(b"") for _ in elements]
        for element, made in zip(elements, objects, strict=True):
            element.reference = _reference(document, made)
        for element, made in zip(elements, objects, strict=True):
            above = element.parent.reference if element.parent else tree_reference
            made.content = _written(element, above, page_references)
        numbers = b" ".join(
            b"%d [%s]" % (page, b" ".join(each.reference for each in marked))
            for page, marked in enumerate(self.marks)
        )
        tree.content = (
            b"<< /Type /StructTreeRoot /K %s /ParentTree << /Nums [%s] >> /ParentTreeNextKey %d >>"
            % (self.root.reference, numbers, len(self.marks))
        )
        document.Catalog.StructTreeRoot = tree
        document.Catalog.MarkInfo = pdfdoc.PDFDictionary({"Marked": "true"})
        for number, page in enumerate(pages):
            page.StructParents = number
            page.Tabs = pdfdoc.PDFName("S")
            page.__NoDefault__ = [*type(page).__NoDefault__, "StructParents", "Tabs"]


class _Object(pdfdoc.PDFObject):  # type: ignore[misc]
    """An object that is written as it stands."""

    __RefOnly__ = 1

    def __init__(self, content: bytes) -> None:
        self.content = content

    def format(self, document: Any) -> bytes:
        del document
        return self.content


def _reference(document: Any, made: Any) -> bytes:
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
    if len(element.kids) == 1 and isinstance(element.kids[0], tuple):  # by far the most: cells
        page, number = element.kids[0]
        kids = b"%d/Pg %s" % (number, pages[page])
    else:
        kids = b"[%s]" % b" ".join(
            kid.reference
            if isinstance(kid, Element)
            else b"<</Type/MCR/Pg %s/MCID %d>>" % (pages[kid[0]], kid[1])
            for kid in element.kids
        )
    if element.alternative:
        more += b"/Alt " + _text(element.alternative)
    if element.scope:
        more += b"/A<</O/Table/Scope/%s>>" % element.scope.encode()
    return b"<</S/%s/P %s%s/K %s>>" % (element.tag.encode(), above, more, kids)


def _text(says: str) -> bytes:
    return b"<" + ("\ufeff" + says).encode("utf-16-be").hex().encode() + b">"
