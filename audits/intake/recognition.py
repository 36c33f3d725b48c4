"""What a file that is not a round log is instead, in words that its submitter can act on."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Final

from audits.intake.segments.rejections import NotALogError
from games.log.lines import BrokenFileError, unpack

if TYPE_CHECKING:
    from typing import BinaryIO


HEAD: Final = 1 << 16
"""How much of a file, unpacked, is enough to recognize it."""

MAP_IT: Final = "Map its columns to a round log, and submit it with that mapping."
EXPORT: Final = "Submit the export of your table system: a round log (JSON Lines), or a table."
UNPACK: Final = "Unpack it, and submit the round log inside."

_SIGNATURES: Final[tuple[tuple[bytes, int, str, str], ...]] = (
    (b"%PDF-", 0, "a PDF document", EXPORT),
    (b"\x89PNG\r\n\x1a\n", 0, "a picture (PNG)", EXPORT),
    (b"\xff\xd8\xff", 0, "a picture (JPEG)", EXPORT),
    (b"GIF87a", 0, "a picture (GIF)", EXPORT),
    (b"GIF89a", 0, "a picture (GIF)", EXPORT),
    (b"II*\0", 0, "a picture (TIFF)", EXPORT),
    (b"MM\0*", 0, "a picture (TIFF)", EXPORT),
    (b"ftypheic", 4, "a picture (HEIC)", EXPORT),
    (b"ftyp", 4, "a video", EXPORT),
    (b"RIFF", 0, "a sound, picture or video file", EXPORT),
    (b"\x1a\x45\xdf\xa3", 0, "a video", EXPORT),
    (b"Rar!\x1a\x07", 0, "a RAR archive", UNPACK),
    (b"7z\xbc\xaf\x27\x1c", 0, "a 7-Zip archive", UNPACK),
    (b"BZh", 0, "a bzip2 file", "Unpack it, or compress the round log with gzip or zstd."),
    (b"\xfd7zXZ\0", 0, "an xz file", "Unpack it, or compress the round log with gzip or zstd."),
    (b"ustar", 257, "a tar archive", UNPACK),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        0,
        "a file of an old version of Excel or Word",
        "Open it in Excel, save it as an .xlsx workbook or as CSV, and map its columns.",
    ),
    (b"PAR1", 0, "a Parquet file", "Export it as CSV or JSON Lines."),
    (b"SQLite format 3\0", 0, "a database file (SQLite)", "Export its table of rounds as CSV."),
    (b"MZ", 0, "a Windows program", EXPORT),
    (b"\x7fELF", 0, "a program", EXPORT),
)
_ZIP: Final = b"PK\x03\x04"
_METHODS: Final = frozenset({b"\0\0", b"\x08\0", b"\x09\0", b"\x0c\0", b"\x0e\0"})
_IN_ZIP: Final[tuple[tuple[bytes, str, str], ...]] = (
    (b"xl/", "an Excel workbook", MAP_IT),
    (b"word/", "a Word document", EXPORT),
    (b"ppt/", "a PowerPoint presentation", EXPORT),
    (b"opendocument.spreadsheet", "an OpenDocument spreadsheet", "Save it as .xlsx or CSV."),
    (b"opendocument", "an OpenDocument file", EXPORT),
)
_WIDE: Final = (b"\xff\xfe", b"\xfe\xff")
_DELIMITERS: Final = ",;\t|"


class ForeignFileError(NotALogError):
    """The file is of another kind; the message says which, and what to do."""


def refuse_foreign(content: BinaryIO, name: str) -> None:
    """Refuse a file that is something other than a round log; rewind it otherwise.

    A file whose beginning holds any line that could be a round is left to the reader, which gives a
    reason for each line that is not. So is one that is damaged or empty.

    Raises:
        ForeignFileError: the file is of another kind.
    """
    found = recognize(_head(content))
    if found is not None:
        what, advice = found
        message = f"{name} is {what}, not a round log. {advice} Nothing in it was registered."
        raise ForeignFileError(message)


def _head(content: BinaryIO) -> bytes:
    begins = content.read(HEAD)
    content.seek(0)
    head = b""
    try:
        for piece in unpack(io.BytesIO(begins)):
            head += piece
            if len(head) >= HEAD:
                break
    except BrokenFileError:
        pass  # cut off here by us, or damaged: the reader says which
    return head[:HEAD] or (begins if begins[:2] in _WIDE else b"")


def recognize(head: bytes) -> tuple[str, str] | None:
    """Return what a file is by its beginning, and what to do; None if it may be a round log."""
    lines = [line.strip() for line in head.split(b"\n")]
    begins = next((line for line in lines if line), b"")
    if _is_zip(head):
        return _in_zip(head)
    if not begins or any(line[:1] == b"{" and line[-1:] == b"}" for line in lines):
        return None
    if found := _by_signature(head):
        return found
    if begins.startswith(b"["):
        return "a JSON list", f"A round log has one JSON object per line, without a list. {MAP_IT}"
    if begins == b"{":
        says = "A round log has each round on one line of its own."
        return "JSON spread over several lines", f"{says} {MAP_IT}"
    if any(line.startswith(b"{") for line in lines):
        return None
    return _as_text(head, begins)


def _is_zip(head: bytes) -> bool:
    """Return whether a file begins as a ZIP file does: mark, version, and a known method."""
    return head.startswith(_ZIP) and head[5:6] in {b"\0", b"\3"} and head[8:10] in _METHODS


def _in_zip(head: bytes) -> tuple[str, str]:
    for part, what, advice in _IN_ZIP:
        if part in head:
            return what, advice
    return "a ZIP archive", UNPACK


def _by_signature(head: bytes) -> tuple[str, str] | None:
    for mark, at, what, advice in _SIGNATURES:
        if head[at : at + len(mark)] == mark:
            return what, advice
    return None


def _as_text(head: bytes, begins: bytes) -> tuple[str, str] | None:
    if head.startswith(_WIDE):
        return "UTF-16 text", "Save it as UTF-8: the file is UTF-16, and a round log is UTF-8."
    if b"\0" in head and head.strip(b"\0"):  # nothing but NUL bytes is a bomb for the reader
        return "binary data", EXPORT
    lowered = begins[:100].lower()
    if lowered.startswith((b"<!doctype html", b"<html")):
        return "a web page (HTML)", EXPORT
    if lowered.startswith(b"<"):
        return "XML", "Export the rounds as CSV or JSON Lines."
    columns = _columns(begins.decode("utf-8", "replace"))
    if columns > 1:
        return f"a table with {columns:,} columns (CSV)", MAP_IT
    return None


def _columns(first: str) -> int:
    """Return how many columns the first line of a table has; 0 if it is no table."""
    delimiter = max(_DELIMITERS, key=first.count)
    if first.count(delimiter) == 0:
        return 0
    try:
        return len(next(csv.reader([first], delimiter=delimiter)))
    except csv.Error:  # a field longer than the module's limit
        return first.count(delimiter) + 1
