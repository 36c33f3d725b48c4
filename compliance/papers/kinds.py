"""Which kinds of files are taken, and whether a file is what it claims to be."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

import puremagic

from compliance.apart import ExhaustedError, apart

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


class PaperError(Exception):
    """A file that is not taken; the message says why, and what would be."""


@dataclass(frozen=True)
class Kind:
    """What a file is, by its name and by its first bytes alike."""

    media_type: str
    ending: str


def kind_of(path: Path, name: str) -> Kind:
    """Tell what a file is.

    Refuses: an empty or too large one, an ending that is not taken, content of another kind.
    """
    size = path.stat().st_size
    if size == 0:
        msg = f"{name} is empty. Check that it was saved before it was sent."
        raise PaperError(msg)
    if size > LARGEST:
        msg = f"{name} has {size / 1e6:.0f} MB; up to {LARGEST / 1e6:.0f} MB are taken. Split it."
        raise PaperError(msg)
    ending = "." + name.rpartition(".")[2].lower()
    media_type = ENDINGS.get(ending)
    if media_type is None:
        msg = f"{name}: files ending in {', '.join(ENDINGS)} are taken. Save it as one of these."
        raise PaperError(msg)
    if not _is(path, media_type, name):
        msg = f"{name} is not what its ending says. Save it again in the program it comes from."
        raise PaperError(msg)
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
        parts = apart(_parts_of, str(path), seconds=SECONDS_TO_LIST, memory=MEMORY_TO_LIST)
    except ExhaustedError:
        parts = _Parts(MOST_MEMBERS + 1)
    if parts.members > MOST_MEMBERS or parts.unpacked > LARGEST_UNPACKED:
        msg = f"{name} unpacks to more than a document holds. It is not opened."
        raise PaperError(msg)
    return parts.a_document


@dataclass(frozen=True)
class _Parts:
    """What a packed file says it holds."""

    members: int = 0
    unpacked: int = 0
    a_document: bool = False


def _parts_of(path: str) -> _Parts:
    """The list that a packed file begins with may be as long as the file: it is read apart."""
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
