"""File documents version by version, store them byte for byte, and share them with others."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django.db import transaction

from compliance import clock
from compliance.access.permissions import Action
from compliance.access.reads import require
from compliance.access.scope import seen_by, within, without_access_scope
from compliance.errors import RefusedError
from compliance.events.exports import record_export
from compliance.events.record import record
from compliance.files.archive import current_archive
from compliance.files.readers import UnreadableFileError, kind_of, pages_of
from compliance.files.virus_scan import refuse_viruses
from compliance.filings.documents import events
from compliance.filings.documents.models import (
    Document,
    DocumentFile,
    DocumentText,
    DocumentVersion,
    DocumentVisibility,
)
from compliance.text import LONGEST_NAME, plain_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from django.core.files.uploadedfile import UploadedFile

    from compliance.access.models import Party, Person
    from compliance.access.scope import Asker
    from compliance.events.models import Event


MOST_PAPERS = 20
"""How many documents a comment may cite."""
MOST_FILES = 50


@dataclass(frozen=True)
class ReceivedFile:
    """A received file: its temporary path, and its name from the sender."""

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
    papers: Sequence[ReceivedFile],
    evidence_date: date,
    by: Asker,
    note: str = "",
) -> DocumentVersion:
    """File a new document with its first version. Rejects what `file_version` rejects."""
    require(by, Action.FILE_DOCUMENTS, owner)
    return _first(owner, kind, title, papers, evidence_date, by, note)


def file_evidence(
    *,
    owner: Party,
    title: str,
    papers: Sequence[ReceivedFile],
    evidence_date: date,
    by: Asker,
    action: Action,
) -> DocumentVersion:
    """File evidence that `by` provides under `action`. Rejects what `file_version` rejects.

    Evidence from a commission unit is visible to the commission alone; from an operator, to the
    operator and the commission.
    """
    require(by, action, owner)
    return _first(owner, Document.Kind.EVIDENCE, title, papers, evidence_date, by, "")


def file_version(
    *,
    document: Document,
    papers: Sequence[ReceivedFile],
    evidence_date: date,
    by: Asker,
    note: str = "",
) -> DocumentVersion:
    """File the next version of a document. Earlier versions never change.

    Rejects no files or too many; a file that is not of an accepted type, empty, too large,
    encrypted, damaged or not what it claims to be; the same files as the version before; an
    evidence date in the future.
    """
    require(by, Action.FILE_DOCUMENTS, document.owner)
    kept = _keep(papers)
    with transaction.atomic(), without_access_scope():
        # Two concurrent calls would take the same number; the later one waits here.
        Document.objects.select_for_update().get(pk=document.pk)
        newest = document.versions.order_by("number").last()
        assert newest is not None  # noqa: S101 - a document is filed with its first version
        before = [file.sha256 for file in newest.files.all()]
        if before == [each.sha256 for each in kept]:
            msg = f"These are the files of version {newest.number}: nothing has changed."
            raise RefusedError(msg)
        return _version(document, newest.number + 1, kept, evidence_date, by, note)


def show_document(*, document: Document, to: Party, by: Person) -> None:
    """Share a document with one more party; sharing is permanent."""
    require(by, Action.FILE_DOCUMENTS, document.owner)
    with transaction.atomic():
        _, new = DocumentVisibility.objects.get_or_create(document=document, party=to)
        if new:
            record(events.SHOWN, by=by, party=to, about=document)


def record_file_export(*, file: DocumentFile, by: Asker) -> Event:
    """Record a download of a document's file: filings are sensitive."""
    document = file.version.document
    return record_export(
        by=by,
        what="a file of a document",
        format=file.media_type,
        filters={"name": file.name, "sha256": file.sha256},
        about=document,
        party=document.owner,
    )


def _first(
    owner: Party,
    kind: Document.Kind,
    title: str,
    papers: Sequence[ReceivedFile],
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


def _keep(papers: Sequence[ReceivedFile]) -> list[_Kept]:
    """Check every file before storing the first: files come before rows."""
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
    except UnreadableFileError as refused:
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


def require_citable(papers: Sequence[DocumentVersion], *, of: Sequence[Party], by: Asker) -> None:
    """Reject documents of other parties, documents the author cannot see, and too many."""
    if len(papers) > MOST_PAPERS:
        msg = f"A comment names up to {MOST_PAPERS} documents; these are {len(papers)}."
        raise RefusedError(msg)
    keys = {each.pk for each in papers}
    owners = [each.pk for each in of]
    with within(seen_by(by)):
        found = DocumentVersion.objects.filter(pk__in=keys, document__owner__in=owners)
        if found.count() < len(papers):
            msg = "A comment names documents of its own parties, each once. Choose from the list."
            raise RefusedError(msg)


@contextmanager
def receive_files(sent: Sequence[UploadedFile[Any]]) -> Iterator[list[ReceivedFile]]:
    """Save files temporarily under generated names; the sender's names are only text."""
    with TemporaryDirectory() as folder:
        papers = []
        for number, each in enumerate(sent):
            path = Path(folder) / str(number)
            with path.open("wb") as aside:
                for piece in each.chunks():
                    aside.write(piece)
            papers.append(ReceivedFile(path, (each.name or "file")[-LONGEST_NAME:]))
        yield papers
