"""Which file types are accepted, and their text by page."""

from __future__ import annotations

import zipfile
import zlib
from dataclasses import dataclass
from lzma import LZMAError
from typing import TYPE_CHECKING

import puremagic
from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, XMLParser

from compliance.files.sandbox import ExhaustedError, run_in_sandbox

if TYPE_CHECKING:
    from pathlib import Path


LARGEST = 50 * 1024 * 1024
LARGEST_UNPACKED = 200 * 1024 * 1024
MOST_MEMBERS = 5_000
SECONDS_TO_LIST, MEMORY_TO_LIST = 5, 512 * 1024 * 1024

PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PNG = "image/png"
JPEG = "image/jpeg"
TEXT = "text/plain"
CSV = "text/csv"
ENDINGS = {
    ".pdf": PDF,
    ".docx": DOCX,
    ".png": PNG,
    ".jpg": JPEG,
    ".jpeg": JPEG,
    ".txt": TEXT,
    ".csv": CSV,
}


class UnreadableFileError(Exception):
    """A rejected file; the message says why, and what would be accepted."""


@dataclass(frozen=True)
class Kind:
    """A file type, identified by both its name and its first bytes."""

    media_type: str
    ending: str


def kind_of(path: Path, name: str) -> Kind:
    """Return the type of a file.

    Rejects an empty or too large file, an extension that is not accepted, and content of another
    type.
    """
    size = path.stat().st_size
    if size == 0:
        msg = f"{name} is empty. Check that it was saved before it was sent."
        raise UnreadableFileError(msg)
    if size > LARGEST:
        msg = (
            f"{name} has {size / 1e6:.0f} MB; up to {LARGEST / 1e6:.0f} MB are accepted. Split it."
        )
        raise UnreadableFileError(msg)
    ending = "." + name.rpartition(".")[2].lower()
    media_type = ENDINGS.get(ending)
    if media_type is None:
        msg = f"{name}: files ending in {', '.join(ENDINGS)} are accepted. Save it as one of these."
        raise UnreadableFileError(msg)
    if not _is(path, media_type, name):
        msg = f"{name} is not what its ending says. Save it again in the program it comes from."
        raise UnreadableFileError(msg)
    return Kind(media_type, ending)


def _is(path: Path, media_type: str, name: str) -> bool:
    if media_type in {TEXT, CSV}:
        return _is_text(path)
    if media_type == DOCX:
        return _is_docx(path, name)
    return any(found.mime_type == media_type for found in _magic(path))


def _magic(path: Path) -> list[puremagic.PureMagicWithConfidence]:
    try:
        return puremagic.magic_file(path)
    except puremagic.PureError:
        return []


def _is_text(path: Path) -> bool:
    content = path.read_bytes()
    if b"\0" in content:
        return False
    try:
        content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    return True


def _is_docx(path: Path, name: str) -> bool:
    try:
        parts = run_in_sandbox(_parts_of, str(path), seconds=SECONDS_TO_LIST, memory=MEMORY_TO_LIST)
    except ExhaustedError:
        parts = _Parts(MOST_MEMBERS + 1)
    if parts.members > MOST_MEMBERS or parts.unpacked > LARGEST_UNPACKED:
        msg = f"{name} unpacks to more than a document can have. It was not opened."
        raise UnreadableFileError(msg)
    return parts.a_document


@dataclass(frozen=True)
class _Parts:
    """The contents that a zip file declares."""

    members: int = 0
    unpacked: int = 0
    a_document: bool = False


def _parts_of(path: str) -> _Parts:
    """Read the directory of a zip file in the sandbox: it may be as long as the file."""
    try:
        with zipfile.ZipFile(path) as packed:
            members = packed.infolist()
    except (zipfile.BadZipFile, ValueError, RuntimeError):
        return _Parts()
    names = {member.filename for member in members}
    return _Parts(
        len(members),
        sum(member.file_size for member in members),
        names >= {"[Content_Types].xml", "word/document.xml"},
    )


MOST_PAGES = 2_000
MOST_CHARACTERS = 5_000_000
LARGEST_XML = 50 * 1024 * 1024
MOST_ELEMENTS = 2_000_000
SECONDS_TO_READ = 30
"""CPU time."""
MEMORY_TO_READ = 1 << 30
BROKEN_ZIP = (zipfile.BadZipFile, zlib.error, LZMAError, EOFError, OSError, RuntimeError)
WORDS = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def pages_of(path: Path, media_type: str, name: str) -> list[str]:
    """Return the text of each page: none for a picture, an empty string for a scanned page.

    Rejects an encrypted or damaged file, and one with too many pages or too much text.
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
        msg = f"{name} has more text than one document may have. Split it."
        raise UnreadableFileError(msg)
    return [_kept(page).strip() for page in pages]


def _kept(text: str) -> str:
    """Remove what databases and pages cannot store: NUL, and half of a surrogate pair."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def _pdf(path: Path, name: str) -> list[str]:
    # Large, and few processes ever read a PDF.
    from compliance.files.pdf_reader import read_pdf

    bounds = (MOST_PAGES, MOST_CHARACTERS)
    try:
        found = run_in_sandbox(
            read_pdf, str(path), *bounds, seconds=SECONDS_TO_READ, memory=MEMORY_TO_READ
        )
    except ExhaustedError:
        msg = f"{name} takes more than {SECONDS_TO_READ} s to read, or too much memory. Scan it."
        raise UnreadableFileError(msg) from None
    if found.encrypted:
        msg = f"{name} is encrypted. Save it without a password, so that others can read it."
        raise UnreadableFileError(msg)
    if found.damaged:
        msg = f"{name} is damaged and cannot be read to its end. Save or scan it again."
        raise UnreadableFileError(msg)
    if found.pages > MOST_PAGES:
        msg = f"{name} has {found.pages} pages; up to {MOST_PAGES} are accepted. Split it."
        raise UnreadableFileError(msg)
    return list(found.texts)


class _Paragraphs:
    """Collects each paragraph's text as it is parsed; a hostile file never gets a tree."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.characters = 0
        self.elements = 0
        self._inside = False

    @property
    def endless(self) -> bool:
        """Return whether there is more text than a document may have."""
        return self.characters > MOST_CHARACTERS or self.elements > MOST_ELEMENTS

    def start(self, tag: str, _attributes: object) -> None:
        """Start a paragraph, or a run of text."""
        self.elements += 1
        if tag == f"{WORDS}p":
            self.lines.append("")
        self._inside = tag == f"{WORDS}t" and bool(self.lines)

    def end(self, _tag: str) -> None:
        """End a run; text between runs is ignored."""
        self._inside = False

    def data(self, text: str) -> None:
        """Add text, up to the limit for a document."""
        self.characters += len(text)
        if self._inside and self.characters <= MOST_CHARACTERS:
            self.lines[-1] += text

    def close(self) -> None:
        """Do nothing; the parser requires it."""


def _docx(path: Path, name: str) -> str:
    found = _Paragraphs()
    try:
        with zipfile.ZipFile(path) as packed, packed.open("word/document.xml") as document:
            parser = XMLParser(target=found)
            while piece := document.read(1 << 20):
                parser.feed(piece)
                if document.tell() > LARGEST_XML or found.endless:
                    msg = f"{name} has more text than one document may have. Split it."
                    raise UnreadableFileError(msg)
            parser.close()
    except DefusedXmlException as hostile:
        msg = f"{name} contains definitions that no document needs. It was not opened."
        raise UnreadableFileError(msg) from hostile
    except (*BROKEN_ZIP, ParseError, LookupError, ValueError) as broken:
        msg = f"{name} is damaged or encrypted. Save it again without a password."
        raise UnreadableFileError(msg) from broken
    return "\n".join(found.lines)
