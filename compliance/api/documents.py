"""Documents on file: the list, one with its versions, files byte for byte; and new ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from compliance.api.fields import CodeField, DayField, at, chosen
from compliance.api.lists import PageQuery, page, page_of
from compliance.api.once import once
from compliance.api.operation import Operation, key_in, require_sight
from compliance.api.papers import FORM, WITH_PAPERS, body_and_papers, with_papers
from compliance.api.reading import TextField, query_of
from compliance.archive import current_archive
from compliance.archive.content import read_bytes
from compliance.file_answers import as_file
from compliance.models import Document, DocumentFile, Party
from compliance.permissions import Action, KeyScope
from compliance.selectors.documents import documents_saying
from compliance.services.documents import file_document, file_version, note_reading

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

LONGEST_NOTE = 10_000


class DocumentQuery(PageQuery):
    """Which documents to list."""

    kind = serializers.ChoiceField(Document.Kind.choices, required=False)
    owner = CodeField(required=False, help_text="Code of the party that filed it.")
    q = TextField(required=False, max_length=200, help_text="A text that one of its files says.")


class NextVersion(serializers.Serializer[Any]):
    """The day that the papers speak of, and what is said of them."""

    evidence_date = DayField(
        help_text="The day that they print; where they print none, the day from which they hold."
    )
    note = TextField(required=False, max_length=LONGEST_NOTE)


class NewDocument(NextVersion):
    """A document: whose, of what kind, its title."""

    owner = CodeField(help_text="Code of your party.")
    kind = serializers.ChoiceField(Document.Kind.choices)
    title = TextField(min_length=1, max_length=120)


class FileShape(serializers.Serializer[Any]):
    """A file of a version."""

    place = serializers.IntegerField()
    name = serializers.CharField()
    media_type = serializers.CharField()
    size = serializers.IntegerField()
    sha256 = serializers.CharField()


class DocumentVersionShape(serializers.Serializer[Any]):
    """A version as it was filed; it never changes."""

    document_version = serializers.UUIDField()
    number = serializers.IntegerField()
    evidence_date = serializers.DateField()
    note = serializers.CharField()
    at = serializers.DateTimeField()
    files = FileShape(many=True)


class DocumentShape(serializers.Serializer[Any]):
    """A document."""

    document = serializers.UUIDField()
    kind = serializers.ChoiceField(Document.Kind.choices)
    title = serializers.CharField()
    owner = serializers.CharField()
    versions = serializers.IntegerField(help_text="How many there are.")


class DocumentWithVersions(serializers.Serializer[Any]):
    """The same, with each version."""

    document = serializers.UUIDField()
    kind = serializers.ChoiceField(Document.Kind.choices)
    title = serializers.CharField()
    owner = serializers.CharField()
    versions = DocumentVersionShape(many=True)


class Documents(Operation):
    """Documents."""

    operation = "documents"
    reads = frozenset({KeyScope.FILINGS})
    writes = frozenset({KeyScope.DOCUMENTS})
    parser_classes = WITH_PAPERS

    @extend_schema(parameters=[DocumentQuery], responses=page_of(DocumentShape))
    def get(self, request: Request) -> Response:
        """Documents that are shown to the key's party, the newest first."""
        said = query_of(request, DocumentQuery)
        require_sight(request, Action.SEE_FILINGS)
        found = Document.objects.select_related("owner").annotate(
            number_of_versions=Count("versions", distinct=True)
        )
        found = chosen(found, request, said, kind="kind", owner="owner__code")
        if "q" in said:
            found = found.filter(pk__in=documents_saying(said["q"]))
        return Response(page(found, said, _told, of="documents"))

    @extend_schema(
        request={FORM: with_papers(NewDocument, needed=True)},
        responses={201: DocumentWithVersions},
    )
    @once
    def post(self, request: Request) -> Response:
        """File a document with its first version, of the files that come as parts of a form."""
        with body_and_papers(request, NewDocument, needed=True) as (said, papers):
            owner = get_object_or_404(Party, code=said.pop("owner"))
            require_sight(request, Action.FILE_DOCUMENTS, owner)
            said["kind"] = Document.Kind(said["kind"])
            made = file_document(owner=owner, papers=papers, by=key_in(request), **said)
        place = reverse("api_document", args=[made.document.uuid])
        return Response(_whole(made.document), 201, headers={"Location": place})


class OneDocument(Operation):
    """A document."""

    operation = "document"
    reads = frozenset({KeyScope.FILINGS})

    @extend_schema(responses=DocumentWithVersions)
    def get(self, request: Request, uuid: UUID) -> Response:
        """Its versions, and the files of each."""
        require_sight(request, Action.SEE_FILINGS)
        return Response(_whole(_found(uuid)))


class DocumentVersions(Operation):
    """Versions of a document."""

    operation = "document_versions"
    writes = frozenset({KeyScope.DOCUMENTS})
    parser_classes = WITH_PAPERS

    @extend_schema(
        request={FORM: with_papers(NextVersion, needed=True)},
        responses={201: DocumentWithVersions},
    )
    @once
    def post(self, request: Request, uuid: UUID) -> Response:
        """File the next version; what was filed before stays as it is."""
        found = _found(uuid)
        require_sight(request, Action.FILE_DOCUMENTS, found.owner)
        with body_and_papers(request, NextVersion, needed=True) as (said, papers):
            file_version(document=found, papers=papers, by=key_in(request), **said)
        return Response(_whole(found), 201)


class OneDocumentFile(Operation):
    """A file of a document."""

    operation = "document_file"
    reads = frozenset({KeyScope.FILINGS})

    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: Request, uuid: UUID, place: int) -> HttpResponse:
        """A file as it was filed, byte for byte; that it was read is an event."""
        require_sight(request, Action.SEE_FILINGS)
        file = get_object_or_404(
            DocumentFile.objects.select_related("version__document__owner"),
            version__uuid=uuid,
            place=place,
        )
        note_reading(file=file, by=key_in(request))
        content = read_bytes(current_archive(), file.sha256)
        return as_file(HttpResponse(content, content_type="application/octet-stream"), file.name)


def _found(uuid: UUID) -> Document:
    return get_object_or_404(Document.objects.select_related("owner"), uuid=uuid)


def _named(document: Document) -> dict[str, Any]:
    return {
        "document": str(document.uuid),
        "kind": document.kind,
        "title": document.title,
        "owner": document.owner.code,
    }


def _told(document: Any) -> dict[str, Any]:
    return _named(document) | {"versions": document.number_of_versions}


def _whole(document: Document) -> dict[str, Any]:
    names = list(FileShape().fields)
    versions = [
        {
            "document_version": str(version.uuid),
            "number": version.number,
            "evidence_date": str(version.evidence_date),
            "note": version.note,
            "at": at(version.at),
            "files": [
                {name: getattr(file, name) for name in names} for file in version.files.all()
            ],
        }
        for version in document.versions.prefetch_related("files")
    ]
    return _named(document) | {"versions": versions}
