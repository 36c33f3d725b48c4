"""Text from outside: visible characters, safe file names, canonical mailboxes, safe CSV."""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from defusedcsv import csv

if TYPE_CHECKING:
    from collections.abc import Iterable


RETURN: Final = r"\u000d"
HALVES: Final = r"\ud800-\udfff"
"""Halves of characters; no JSON contains them, and some programs reject a pattern with them."""
HIDDEN: Final = r"\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069"
SEEN_ALONE: Final = rf"^[^{HIDDEN}]*$"
"""The pattern of such a text, for programs: line ends of any kind."""
_UNSEEN = re.compile(f"[{HIDDEN}{HALVES}{RETURN}]")


def unseen_in(text: str) -> tuple[int, str] | None:
    """Return the first invisible character, as U+ and its number, with its line; else None."""
    found = _UNSEEN.search(text)
    if found is None:
        return None
    return text.count("\n", 0, found.start()) + 1, f"U+{ord(found[0]):04X}"


LONGEST_NAME = 200


def plain_name(name: str) -> str:
    """Return a file's name without folders, control characters and other misleading parts."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return "".join(letter for letter in last if letter.isprintable())[-LONGEST_NAME:] or "file"


def canonical_address(address: str) -> str:
    """Return one spelling for all the addresses that may reach one mailbox.

    Case, Unicode look-alikes of a letter (NFKC), quotes, a `+tag` and dots before the `@` are
    ignored, for any provider: rejecting one too many costs a question, one too few lets a person
    act as two. Domains are compared as in DNS.
    """
    local, _, domain = unicodedata.normalize("NFKC", address).strip().casefold().rpartition("@")
    if len(local) > 1 and local[0] == local[-1] == '"':  # RFC 5321: "ann"@… is ann@…
        local = local[1:-1].replace("\\", "")
    name = local.split("+", 1)[0].replace(".", "")
    domain = domain.rstrip(".")
    with suppress(UnicodeError):  # not a valid DNS name: leave it as written
        domain = domain.encode("idna").decode()
    if domain == "googlemail.com":
        domain = "gmail.com"
    return f"{name or local}@{domain}"


BEGINNINGS = ("\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""Characters that some spreadsheets skip at the start of a cell, to read the rest as a formula; and
the full-width equals, plus, minus and at signs, which some read as the ordinary ones.
"""


class CsvRows:
    """A CSV writer for any text stream; every CSV that leaves the system is written by it."""

    def __init__(self, to: Any, *, line_end: str = "\r\n") -> None:
        self._writer = csv.writer(to, lineterminator=line_end)

    def write(self, *cells: object) -> None:
        """Write one row."""
        self._writer.writerow(map(_as_text, cells))

    def write_all(self, rows: Iterable[Iterable[object]]) -> None:
        """Write rows one after the other."""
        for row in rows:
            self.write(*row)


def _as_text(cell: object) -> object:
    """Return a cell prefixed as text; the library prefixes signs, but not blanks."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(BEGINNINGS) else cell
