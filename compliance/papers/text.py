"""The text of a file, by page, for search and comparison; a scanned page has none."""

from __future__ import annotations

import zipfile
import zlib
from lzma import LZMAError
from typing import TYPE_CHECKING

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, XMLParser

from compliance.apart import ExhaustedError, apart
from compliance.papers.kinds import CSV, DOCX, PDF, TEXT, PaperError
from compliance.papers.pdf_reader import read_pdf

if TYPE_CHECKING:
    from pathlib import Path

MOST_PAGES = 2_000
MOST_CHARACTERS = 5_000_000
LARGEST_XML = 50 * 1024 * 1024
MOST_ELEMENTS = 2_000_000
SECONDS_TO_READ = 30
"""Of a processor."""
MEMORY_TO_READ = 1 << 30
BROKEN_ZIP = (zipfile.BadZipFile, zlib.error, LZMAError, EOFError, OSError, RuntimeError)
WORDS = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def pages_of(path: Path, media_type: str, name: str) -> list[str]:
    """The text of each page; of a picture, none; of a scanned page, an empty one.

    Refuses: an encrypted or damaged file, one with more pages or text than a document has.
    """
    if media_type == PDF:
        pages = _pdf(path, name)
    elif media_type == DOCX:
        pages = [_docx(path, name)]
    elif media_type in {TEXT, CSV}:
        pages = path.read_text(encoding="utf-8-sig").split("\f")
    else:
        return []
    if sum(map(len, pages)) > MOST_CHARACTERS:
        msg = f"{name} holds more text than a document has. Split it."
        raise PaperError(msg)
    return [_kept(page).strip() for page in pages]


def _kept(text: str) -> str:
    """A text as databases and pages can hold it: no NUL, no half of a surrogate pair."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def _pdf(path: Path, name: str) -> list[str]:
    bounds = (MOST_PAGES, MOST_CHARACTERS)
    try:
        found = apart(read_pdf, str(path), *bounds, seconds=SECONDS_TO_READ, memory=MEMORY_TO_READ)
    except ExhaustedError:
        msg = f"{name} takes more than {SECONDS_TO_READ} s to read, or too much memory. Scan it."
        raise PaperError(msg) from None
    if found.encrypted:
        msg = f"{name} is encrypted. Save it without a password: what is filed is read by others."
        raise PaperError(msg)
    if found.damaged:
        msg = f"{name} is damaged and cannot be read to its end. Save or scan it again."
        raise PaperError(msg)
    if found.pages > MOST_PAGES:
        msg = f"{name} has {found.pages} pages; up to {MOST_PAGES} are taken. Split it."
        raise PaperError(msg)
    return list(found.texts)


class _Paragraphs:
    """The text of each paragraph as the parser comes by it; no tree is built of a hostile file."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.characters = 0
        self.elements = 0
        self._inside = False

    @property
    def endless(self) -> bool:
        """Whether there is more than a document has."""
        return self.characters > MOST_CHARACTERS or self.elements > MOST_ELEMENTS

    def start(self, tag: str, _attributes: object) -> None:
        """Begin a paragraph, or a piece of its text."""
        self.elements += 1
        if tag == f"{WORDS}p":
            self.lines.append("")
        self._inside = tag == f"{WORDS}t" and bool(self.lines)

    def end(self, _tag: str) -> None:
        """What stands between two pieces of text is none."""
        self._inside = False

    def data(self, text: str) -> None:
        """Take the text, as long as it is a document's."""
        self.characters += len(text)
        if self._inside and self.characters <= MOST_CHARACTERS:
            self.lines[-1] += text

    def close(self) -> None:
        """The parser asks for it."""


def _docx(path: Path, name: str) -> str:
    found = _Paragraphs()
    try:
        with zipfile.ZipFile(path) as packed, packed.open("word/document.xml") as document:
            parser = XMLParser(target=found)
            while piece := document.read(1 << 20):
                parser.feed(piece)
                if document.tell() > LARGEST_XML or found.endless:
                    msg = f"{name} holds more text than a document has. Split it."
                    raise PaperError(msg)
            parser.close()
    except DefusedXmlException as hostile:
        msg = f"{name} holds definitions that no document needs. It is not opened."
        raise PaperError(msg) from hostile
    except (*BROKEN_ZIP, ParseError, LookupError, ValueError) as broken:
        msg = f"{name} is damaged or encrypted. Save it again without a password."
        raise PaperError(msg) from broken
    return "\n".join(found.lines)
