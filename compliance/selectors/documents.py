"""Documents on file: where their text says something, and which a comment may name and names."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from compliance.models import DocumentFile, DocumentVersion

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from django.db.models import QuerySet

    from compliance.models import Party

MOST = 100
AROUND = 80
MOST_OFFERED = 500


@dataclass(frozen=True)
class FoundText:
    """A page of a file that says what was looked for, with the words around it."""

    file: DocumentFile
    page: int
    excerpt: str


def found_in(sought: str) -> list[FoundText]:
    """Where the visible documents say a text, whatever its capitals; the newest files first."""
    return list(islice(_all_places(sought), MOST))


def documents_saying(sought: str) -> set[int]:
    """The keys of the visible documents of which a file says a text, whatever its capitals."""
    return {each.file.version.document_id for each in _all_places(sought)}


def _all_places(sought: str) -> Iterator[FoundText]:
    words = " ".join(sought.lower().split())
    if not words:
        return
    files = DocumentFile.objects.select_related("text", "version__document").order_by("-pk")
    for file in files.iterator(chunk_size=200):
        yield from _places(file, words)


@dataclass(frozen=True)
class NamedPaper:
    """A paper that a comment names: its name is told to whoever sees the comment, its text not."""

    paper: DocumentVersion
    seen: bool


def papers_of_parties(parties: Iterable[Party]) -> list[DocumentVersion]:
    """The visible versions of documents that these parties filed, the newest first."""
    found = DocumentVersion.objects.filter(document__owner__in=[each.pk for each in parties])
    return list(found.select_related("document__owner").order_by("-at", "-pk")[:MOST_OFFERED])


def papers_named(attachments: QuerySet[Any]) -> dict[int, list[NamedPaper]]:
    """The papers that comments name, by the comment's key, and which of them one may open.

    `attachments` are of a model that derives from `Attachment`, in this room or in a higher one.
    """
    rows = list(attachments.select_related("paper__document"))
    seen = set(
        DocumentVersion.objects.filter(pk__in={row.paper_id for row in rows}).values_list(
            "pk", flat=True
        )
    )
    named: dict[int, list[NamedPaper]] = {}
    for row in rows:
        paper = NamedPaper(row.paper, row.paper_id in seen)
        named.setdefault(row.comment_id, []).append(paper)
    return named


def _places(file: DocumentFile, words: str) -> Iterator[FoundText]:
    for number, page in enumerate(file.text.pages, start=1):
        plain = " ".join(page.split())
        at = plain.lower().find(words)
        if at >= 0:
            begin = max(0, at - AROUND)
            yield FoundText(file, number, plain[begin : at + len(words) + AROUND])
