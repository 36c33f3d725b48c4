"""Documents: filed version by version, kept byte for byte, shown to whom they concern."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import uuid4

from django.db import transaction

from compliance import clock
from compliance.archive import current_archive
from compliance.event_types import documents as events
from compliance.file_names import plain_name
from compliance.models import (
    Document,
    DocumentFile,
    DocumentText,
    DocumentVersion,
    DocumentVisibility,
)
from compliance.papers.kinds import PaperError, kind_of
from compliance.papers.text import pages_of
from compliance.papers.virus_scan import refuse_viruses
from compliance.permissions import Action
from compliance.services.people import require
from compliance.services.record import record
from compliance.services.refused import RefusedError
from compliance.walls import without_walls

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date
    from pathlib import Path

    from compliance.actor import Asker
    from compliance.models import Party, Person

MOST_FILES = 50


@dataclass(frozen=True)
class Paper:
    """A file as it came: where it lies for now, and what its sender called it."""

    path: Path
    name: str


@dataclass(frozen=True)
class _Kept:
    name: str
    media_type: str
    size: int
    sha256: str
    pages: list[str]


def file_document(
    *,
    owner: Party,
    kind: Document.Kind,
    title: str,
    papers: Sequence[Paper],
    evidence_date: date,
    by: Asker,
    note: str = "",
) -> DocumentVersion:
    """File a new document: its first version. Refuses as `file_version` does."""
    require(by, Action.FILE_DOCUMENTS, owner)
    return _first(owner, kind, title, papers, evidence_date, by, note)


def file_evidence(
    *,
    owner: Party,
    title: str,
    papers: Sequence[Paper],
    evidence_date: date,
    by: Asker,
    action: Action,
) -> DocumentVersion:
    """File what shows something, with what `by` does by `action`. Refuses as `file_version` does.

    Of a unit of the commission the commission alone sees it; of an operator it and the commission.
    """
    require(by, action, owner)
    return _first(owner, Document.Kind.EVIDENCE, title, papers, evidence_date, by, "")


def file_version(
    *, document: Document, papers: Sequence[Paper], evidence_date: date, by: Asker, note: str = ""
) -> DocumentVersion:
    """File the next version of a document. What was filed before stays as it is.

    Refuses: no files or too many; a file that is not of a kind that is taken, empty, too large,
    encrypted, damaged or not what it claims to be; the very files of the version before; a day of
    evidence to come.
    """
    require(by, Action.FILE_DOCUMENTS, document.owner)
    kept = _keep(papers)
    with transaction.atomic(), without_walls():
        # Two at once would take the same number; the later one waits here.
        Document.objects.select_for_update().get(pk=document.pk)
        newest = document.versions.order_by("number").last()
        assert newest is not None  # noqa: S101 - a document is filed with its first version
        before = [file.sha256 for file in newest.files.all()]
        if before == [each.sha256 for each in kept]:
            msg = f"These are the files of version {newest.number}: nothing has changed."
            raise RefusedError(msg)
        return _version(document, newest.number + 1, kept, evidence_date, by, note)


def show_document(*, document: Document, to: Party, by: Person) -> None:
    """Show a document to one more party; once shown, it stays shown."""
    require(by, Action.FILE_DOCUMENTS, document.owner)
    with transaction.atomic():
        _, new = DocumentVisibility.objects.get_or_create(document=document, party=to)
        if new:
            record(events.SHOWN, by=by, party=to, about=document)


def note_reading(*, file: DocumentFile, by: Asker) -> None:
    """Note that somebody read a file: what is filed is sensitive."""
    document = file.version.document
    with transaction.atomic():
        record(
            events.READ,
            by=by,
            party=document.owner,
            about=document,
            carries={"name": file.name, "sha256": file.sha256},
        )


def _first(
    owner: Party,
    kind: Document.Kind,
    title: str,
    papers: Sequence[Paper],
    evidence_date: date,
    by: Asker,
    note: str,
) -> DocumentVersion:
    kept = _keep(papers)
    with transaction.atomic():
        document = Document(uuid=uuid4(), owner=owner, kind=kind, title=title)
        document.clean_fields()
        document.save()
        DocumentVisibility.objects.create(document=document, party=owner)
        return _version(document, 1, kept, evidence_date, by, note)


def _keep(papers: Sequence[Paper]) -> list[_Kept]:
    """Check every file before the first is kept, then keep them: files come before rows."""
    if not papers:
        msg = "Choose at least one file."
        raise RefusedError(msg)
    if len(papers) > MOST_FILES:
        msg = f"Up to {MOST_FILES} files make a version; these are {len(papers)}."
        raise RefusedError(msg)
    try:
        checked = [(paper, kind_of(paper.path, paper.name)) for paper in papers]
        for paper in papers:
            refuse_viruses(paper.path, paper.name)
        texts = [pages_of(paper.path, kind.media_type, paper.name) for paper, kind in checked]
    except PaperError as refused:
        raise RefusedError(str(refused)) from refused
    archive = current_archive()
    kept = []
    for (paper, kind), pages in zip(checked, texts, strict=True):
        with paper.path.open("rb") as content:
            stored = archive.store(content)
        kept.append(
            _Kept(plain_name(paper.name), kind.media_type, stored.size, stored.digest, pages)
        )
    return kept


def _version(
    document: Document,
    number: int,
    kept: list[_Kept],
    evidence_date: date,
    by: Asker,
    note: str,
) -> DocumentVersion:
    if evidence_date > clock.today():
        msg = f"The day of the evidence, {evidence_date}, is still to come."
        raise RefusedError(msg)
    version = DocumentVersion(
        document=document,
        number=number,
        evidence_date=evidence_date,
        note=note,
        filed_by=by.uuid,
        at=clock.now(),
    )
    version.save()
    for place, each in enumerate(kept):
        file = DocumentFile(
            version=version,
            place=place,
            name=each.name,
            media_type=each.media_type,
            size=each.size,
            sha256=each.sha256,
        )
        file.save()
        DocumentText.objects.create(file=file, pages=each.pages)
    record(
        events.FILED,
        by=by,
        party=document.owner,
        about=version,
        carries={
            "title": document.title,
            "number": number,
            "files": [each.sha256 for each in kept],
        },
    )
    return version
