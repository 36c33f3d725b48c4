"""The words of a clause as filed: its exact span in the document, or the paragraph it numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from compliance.errors import RefusedError
from compliance.filings.documents.models import DocumentFile
from compliance.filings.games.definitions import definition_of
from compliance.ui.filters import day

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from compliance.filings.games.models import RuleVersion
    from games.definition.model import Clause, Definition

NUMBERED: Final = re.compile(r"^[ \t]*([A-Z][A-Z0-9]{1,3}-[A-Z]?\d+)\.\s+", re.MULTILINE)

BLANK_LINE: Final = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True)
class FiledWords:
    """What a document says about a clause, with its title, page and date."""

    clause: str
    text: str
    source: str
    document: UUID


def filed_words(version: RuleVersion) -> dict[str, FiledWords]:
    """Return the words of each clause in the binding documents that the reader may see."""
    binding = version.documents.filter(binding=True).values("document_version")
    files = DocumentFile.objects.filter(version__in=binding, text__isnull=False)
    listed = list(files.select_related("text", "version__document").order_by("version", "place"))
    found = {each.clause: each for file in reversed(listed) for each in _numbered(file)}
    definition = _definition(version)
    if definition is not None:
        by_digest = {file.sha256: file for file in listed}
        for clause in definition.clauses.values():
            digest = definition.sources[clause.source.source].digest.removeprefix("sha256:")
            words = _of_span(by_digest[digest], clause) if digest in by_digest else None
            if words is not None:
                found[clause.id] = words
    return found


def _definition(version: RuleVersion) -> Definition | None:
    """Return a version's definition; None if this release doesn't read it as it was filed."""
    try:
        return definition_of(version)
    except RefusedError:
        return None


def _of_span(file: DocumentFile, clause: Clause) -> FiledWords | None:
    """Return the words at a clause's span; None if it has none, or it points past the page."""
    span, pages = clause.source, file.text.pages
    page = span.page or 1
    if span.first is None or span.end is None or page > len(pages):
        return None
    text = " ".join(pages[page - 1][span.first : span.end].split())
    return _words(file, clause.id, text, page) if span.end <= len(pages[page - 1]) else None


def numbered_spans(file: DocumentFile) -> dict[str, tuple[int, int, int]]:
    """Return the page, first and end of each paragraph that begins with the number of a clause.

    A paragraph ends before the next number or a blank line; the first of a number counts.
    """
    found: dict[str, tuple[int, int, int]] = {}
    for number, page in enumerate(file.text.pages, 1):
        starts = list(NUMBERED.finditer(page))
        for start, following in zip_longest(starts, starts[1:]):
            end = following.start() if following else len(page)
            words = page[start.end() : end]
            blank = BLANK_LINE.search(words)
            words = (words[: blank.start()] if blank else words).rstrip()
            found.setdefault(start[1], (number, start.end(), start.end() + len(words)))
    return found


def _numbered(file: DocumentFile) -> Iterator[FiledWords]:
    """Yield the paragraphs that begin with the number of a clause."""
    for clause, (page, first, end) in numbered_spans(file).items():
        text = " ".join(file.text.pages[page - 1][first:end].split())
        yield _words(file, clause, text, page)


def _words(file: DocumentFile, clause: str, text: str, page: int) -> FiledWords:
    version = file.version
    source = f"{version.document}, {day(version.evidence_date)}, page {page}"
    return FiledWords(clause, text, source, version.uuid)
