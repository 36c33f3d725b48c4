"""Find documents on file, and comments with the documents they cite."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Protocol

from compliance.access.models import Person
from compliance.filings.documents.models import Document, DocumentFile, DocumentVersion
from compliance.retention.periods import EVIDENCE, Retained
from compliance.retention.verification import Kept

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from compliance.access.models import Party


MOST = 100
AROUND = 80
MOST_OFFERED = 500


@dataclass(frozen=True)
class FoundText:
    """A page of a file with matching text, and the words around it."""

    file: DocumentFile
    page: int
    excerpt: str


def search_text(sought: str) -> list[FoundText]:
    """Find text in the visible documents, ignoring case; newest files first."""
    return list(islice(_all_places(sought), MOST))


def find_documents_with_text(sought: str) -> set[int]:
    """Return the keys of visible documents with matching text, ignoring case."""
    return {each.file.version.document_id for each in _all_places(sought)}


def _all_places(sought: str) -> Iterator[FoundText]:
    words = " ".join(sought.lower().split())
    if not words:
        return
    files = DocumentFile.objects.select_related("text", "version__document").order_by("-pk")
    for file in files.iterator(chunk_size=200):
        yield from _places(file, words)


@dataclass(frozen=True)
class CitedDocument:
    """A document cited in a comment: readers of the comment see its name, but not its text."""

    paper: DocumentVersion
    seen: bool

    @property
    def uuid(self) -> UUID | None:
        """Return the version's UUID if the reader may open it."""
        return self.paper.uuid if self.seen else None


def documents_of_parties(parties: Iterable[Party]) -> list[DocumentVersion]:
    """Return the visible versions of documents that these parties filed, newest first."""
    found = DocumentVersion.objects.filter(document__owner__in=[each.pk for each in parties])
    return list(found.select_related("document__owner").order_by("-at", "-pk")[:MOST_OFFERED])


def cited_documents(attachments: QuerySet[Any]) -> dict[int, list[CitedDocument]]:
    """Return cited documents by the comment's key, and whether the reader may open each.

    `attachments` are of a model that derives from `Attachment`, in this package or in a higher one.
    """
    rows = list(attachments.select_related("paper__document"))
    seen = set(
        DocumentVersion.objects.filter(pk__in={row.paper_id for row in rows}).values_list(
            "pk", flat=True
        )
    )
    named: dict[int, list[CitedDocument]] = {}
    for row in rows:
        paper = CitedDocument(row.paper, row.paper_id in seen)
        named.setdefault(row.comment_id, []).append(paper)
    return named


def _places(file: DocumentFile, words: str) -> Iterator[FoundText]:
    for number, page in enumerate(file.text.pages, start=1):
        plain = " ".join(page.split())
        at = plain.lower().find(words)
        if at >= 0:
            begin = max(0, at - AROUND)
            yield FoundText(file, number, plain[begin : at + len(words) + AROUND])


def files_of_documents() -> Iterator[Kept]:
    """Yield the files of every version of every document."""
    files = DocumentFile.objects.order_by("id").select_related("version__document__owner")
    for file in files.iterator():
        version = file.version
        evidence = version.document.kind == Document.Kind.EVIDENCE
        named = frozenset({version.document.owner.uuid, version.document.uuid})
        yield Kept(
            file.sha256,
            f"file {file.name} of document version {version.pk}, {file.sha256}",
            retained=Retained(EVIDENCE, version.at, named) if evidence else None,
        )


WHOLE: Final = "whole"
"""The section of a comment on the filing as a whole."""


class Comment(Protocol):
    """A comment on a request or on internal controls."""

    pk: int
    section: str | None
    text: str
    by: UUID
    by_party: Party
    at: datetime


@dataclass(frozen=True)
class SectionComment:
    """A comment on a section, with its author's name and the documents it cites."""

    comment: Comment
    by: str
    papers: Sequence[CitedDocument]

    @property
    def section(self) -> str:
        """Return the section that it is on."""
        return self.comment.section or WHOLE


CommentsBySection = dict[str, list[SectionComment]]


def comments_by_section(
    comments: Sequence[Comment], papers: Mapping[int, Sequence[CitedDocument]]
) -> CommentsBySection:
    """Return the comments on each section, with the documents that each cites."""
    people = Person.objects.filter(uuid__in={each.by for each in comments})
    names = {each.uuid: each.name for each in people}
    sections: CommentsBySection = {}
    for each in comments:
        comment = SectionComment(each, names.get(each.by, ""), papers.get(each.pk, []))
        sections.setdefault(comment.section, []).append(comment)
    return sections
