"""The sentences of a document's text, with the characters at which each begins and ends."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_HEADING: Final = 80
NUMBER: Final = re.compile(r"(?:[-•*]\s*)?(?:\(?[A-Za-z0-9-]{1,8}[.)])\s+|[-•*]\s+")
"""The number or bullet before a sentence: `TC-5.`, `4.`, `(a)`."""
END: Final = re.compile(r"(?<=[.!?])[\"”’)]*\s+(?=[A-Z0-9“\"(•-])")
ABBREVIATIONS: Final = ("vs.", "e.g.", "i.e.", "no.", "st.", "mr.", "ms.", "inc.", "sec.")


@dataclass(frozen=True)
class Sentence:
    """A sentence, or a heading, at characters `first` up to, not including, `end` of a page."""

    page: int
    first: int
    end: int
    text: str
    is_heading: bool


def sentences_of(pages: list[str]) -> list[Sentence]:
    """Return the sentences of a document, page by page; blank lines and list items part them."""
    return [each for number, page in enumerate(pages, 1) for each in _of_page(number, page)]


def _of_page(number: int, page: str) -> Iterator[Sentence]:
    for first, end in _paragraphs(page):
        begin = first
        after = NUMBER.match(page, begin, end)
        whole = page[begin:end]
        if _is_heading(whole):
            yield Sentence(number, begin, end, " ".join(whole.split()), is_heading=True)
            continue
        if after is not None:
            begin = after.end()
        for part in _parts(page, begin, end):
            text = " ".join(page[slice(*part)].split())
            if text:
                yield Sentence(number, *part, text, is_heading=False)


def _paragraphs(page: str) -> Iterator[tuple[int, int]]:
    """Yield the lines that belong together: a new one begins after a blank line or at a number."""
    begin: int | None = None
    end = 0
    for line in re.finditer(r"[^\n]+", page):
        text = line[0].strip()
        if begin is not None and _begins(page, begin, end, line):
            yield begin, end
            begin = None
        if text:
            begin = line.start() if begin is None else begin
            end = line.end()
    if begin is not None:
        yield begin, end


def _begins(page: str, begin: int, end: int, line: re.Match[str]) -> bool:
    """Return whether a line begins another paragraph than the one before it."""
    return (
        not line[0].strip()
        or page[end : line.start()].count("\n") > 1
        or NUMBER.match(line[0].lstrip()) is not None
        or page[begin:end].rstrip().endswith((".", ":", "!", "?"))
    )


def _parts(page: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the sentences of a paragraph."""
    start = begin
    for found in END.finditer(page, begin, end):
        words = page[start : found.start()].rsplit(None, 1)
        if words and words[-1].lower() in ABBREVIATIONS:
            continue
        yield start, found.start()
        start = found.end()
    yield start, end


def _is_heading(text: str) -> bool:
    """Return whether a paragraph is a title: short, and not ended like a sentence."""
    plain = " ".join(text.split())
    return len(plain) <= LONGEST_HEADING and not plain.endswith((".", "!", "?", ";", ","))
