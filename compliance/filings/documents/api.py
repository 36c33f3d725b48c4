"""API for documents on file: list, read and submit them, and the comments that cite them."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from compliance.access.models import Party
from compliance.access.permissions import Action, KeyScope
from compliance.api.fields import (
    CodeField,
    DayField,
    InstantField,
    PageQuery,
    chosen,
    page,
    page_of,
)
from compliance.api.once import once
from compliance.api.operation import Operation, key_in, require_sight
from compliance.api.problems import fault, invalid
from compliance.api.reading import StrictJSON, TextField, body_of, query_of
from compliance.files.archive import current_archive, read_bytes
from compliance.files.downloads import as_file
from compliance.filings.documents.models import Document, DocumentFile
from compliance.filings.documents.reads import find_documents_with_text
from compliance.filings.documents.writes import (
    MOST_FILES,
    file_document,
    file_version,
    receive_files,
    record_file_export,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import IO
    from uuid import UUID

    from rest_framework.request import Request

    from compliance.filings.documents.reads import CitedDocument, CommentsBySection
    from compliance.filings.documents.writes import ReceivedFile


Shape = type[serializers.Serializer[Any]]
FORM = "multipart/form-data"


class Parts(MultiPartParser):
    """A multipart form: each name occurs once, except for files."""

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Parse it like an object."""
        sent = super().parse(stream, media_type, parser_context)
        twice = [name for name, values in sent.data.lists() if len(values) > 1]
        twice += sorted(sent.data.keys() & sent.files.keys())
        if twice:
            raise invalid(
                [fault("body", f"/{name}", "Send it once.", "repeated") for name in twice]
            )
        return sent.data.dict() | dict(sent.files.lists())


WITH_PAPERS = (StrictJSON, Parts)
"""Parsers for operations with optional documents."""


@extend_schema_field({"type": "string", "format": "binary", "minLength": 1})
class FileOfPaper(serializers.FileField):
    """A file that holds something."""


class PaperShape(serializers.Serializer[Any]):
    """A paper on file."""

    title = serializers.CharField(source="paper.document.title")
    document_version = serializers.UUIDField(
        source="uuid",
        allow_null=True,
        help_text="To read its files by; null where it is not yours to read.",
    )


def request_bodies(shape: Shape) -> dict[str, Shape]:
    """Describe the body: without documents, and as a form with them."""
    return {"application/json": shape, FORM: with_papers(shape)}


@cache
def with_papers(shape: Shape, *, needed: bool = False) -> Shape:
    """Return a shape with optional or required documents."""
    papers = serializers.ListField(
        child=FileOfPaper(),
        required=needed,
        min_length=1,
        max_length=MOST_FILES,
        help_text="Files, 25 MB together at most; larger ones are filed on the page.",
    )
    return type(
        f"{shape.__name__}WithPapers", (shape,), {"papers": papers, "__doc__": shape.__doc__}
    )


@contextmanager
def body_and_papers(
    request: Request, shape: Shape, *, needed: bool = False
) -> Iterator[tuple[dict[str, Any], list[ReceivedFile]]]:
    """Yield the validated body and its documents, stored temporarily."""
    form = needed or (request.content_type or "").startswith(FORM)
    said = body_of(request, with_papers(shape, needed=needed) if form else shape)
    with receive_files(said.pop("papers", [])) as papers:
        yield said, papers


def describe_documents(papers: Iterable[CitedDocument]) -> list[dict[str, Any]]:
    """Format cited documents: the title of each, and its number if it may be read."""
    return [PaperShape(each).data for each in papers]


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

    document_version = serializers.UUIDField(source="uuid")
    number = serializers.IntegerField()
    evidence_date = serializers.DateField()
    note = serializers.CharField()
    at = InstantField()
    files = FileShape(many=True)


class _NamedDocument(serializers.Serializer[Any]):
    document = serializers.UUIDField(source="uuid")
    kind = serializers.ChoiceField(Document.Kind.choices)
    title = serializers.CharField()
    owner = serializers.CharField(source="owner.code")


class DocumentShape(_NamedDocument):
    """A document."""

    versions = serializers.IntegerField(
        source="number_of_versions", help_text="How many there are."
    )


class DocumentWithVersions(_NamedDocument):
    """The same, with each version."""

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
            found = found.filter(pk__in=find_documents_with_text(said["q"]))
        return Response(page(found, said, DocumentShape, of="documents"))

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
        return Response(_describe(made.document.uuid), 201, headers={"Location": place})


class OneDocument(Operation):
    """A document."""

    operation = "document"
    reads = frozenset({KeyScope.FILINGS})

    @extend_schema(responses=DocumentWithVersions)
    def get(self, request: Request, uuid: UUID) -> Response:
        """Its versions, and the files of each."""
        require_sight(request, Action.SEE_FILINGS)
        return Response(_describe(uuid))


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
        return Response(_describe(uuid), 201)


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
        recorded = record_file_export(file=file, by=key_in(request))
        content = read_bytes(current_archive(), file.sha256)
        answer = HttpResponse(content, content_type="application/octet-stream")
        return as_file(answer, file.name, recorded=recorded)


def _found(uuid: UUID) -> Document:
    return get_object_or_404(Document.objects.select_related("owner"), uuid=uuid)


def _describe(uuid: UUID) -> dict[str, Any]:
    documents = Document.objects.select_related("owner").prefetch_related("versions__files")
    described: dict[str, Any] = DocumentWithVersions(get_object_or_404(documents, uuid=uuid)).data
    return described


class RemarkShape(serializers.Serializer[Any]):
    """A comment on a section."""

    section = serializers.CharField()
    text = serializers.CharField(source="comment.text")
    party = serializers.CharField(source="comment.by_party.code", help_text="Whose word it is.")
    at = InstantField(source="comment.at")
    papers = PaperShape(many=True)


def describe_comments(comments: CommentsBySection) -> list[dict[str, Any]]:
    """Format each comment by its section, oldest first."""
    return [RemarkShape(each).data for of_section in comments.values() for each in of_section]
