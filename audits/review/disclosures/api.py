"""API for own disclosures: what an operator reports before anyone asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from audits.review.disclosures.models import Disclosure
from audits.review.disclosures.writes import disclose
from compliance.access.permissions import Action, KeyScope
from compliance.api.fields import (
    CodeField,
    DayField,
    InstantField,
    PageQuery,
    TextOrNull,
    chosen,
    operator_of,
    page,
    page_of,
)
from compliance.api.once import once
from compliance.api.operation import Operation, key_in, require_sight
from compliance.api.reading import TextField, query_of
from compliance.filings.documents.api import (
    WITH_PAPERS,
    PaperShape,
    body_and_papers,
    describe_documents,
    request_bodies,
)
from compliance.filings.documents.reads import cited_documents

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request


LONGEST = 10_000


class DisclosureQuery(PageQuery):
    """Which disclosures to list."""

    operator = CodeField(required=False)
    day = DayField(required=False, help_text="Gambling day.")


class Disclosed(serializers.Serializer[Any]):
    """What happened, where, and what was done about it."""

    operator = CodeField(help_text="Code of the operator that reports it.")
    day = DayField(help_text="Gambling day on which it happened.")
    table = TextField(required=False, max_length=32)
    round = TextField(required=False, max_length=64)
    facts = TextField(min_length=1, max_length=LONGEST)
    done = TextField(required=False, max_length=LONGEST)


class DisclosureShape(serializers.Serializer[Any]):
    """A disclosure on file; it stays as it is written."""

    disclosure = serializers.UUIDField(source="uuid")
    operator = serializers.CharField(source="party.code")
    day = serializers.DateField()
    table = TextOrNull()
    round = TextOrNull()
    facts = serializers.CharField()
    done = TextOrNull()
    at = InstantField()


class DisclosureWithPapers(DisclosureShape):
    """The same, with its documents."""

    papers = PaperShape(many=True)


def with_papers(disclosure: Disclosure) -> dict[str, Any]:
    """Format a disclosure with its documents."""
    papers = cited_documents(disclosure.papers.all()).get(disclosure.pk, [])
    return DisclosureShape(disclosure).data | {"papers": describe_documents(papers)}


class Disclosures(Operation):
    """Own disclosures."""

    operation = "disclosures"
    reads = frozenset({KeyScope.DISCLOSURES})
    writes = frozenset({KeyScope.DISCLOSURES})
    parser_classes = WITH_PAPERS

    @extend_schema(parameters=[DisclosureQuery], responses=page_of(DisclosureShape))
    def get(self, request: Request) -> Response:
        """What operators reported of their own accord, the newest first."""
        query = query_of(request, DisclosureQuery)
        require_sight(request, Action.SEE_DISCLOSURES)
        found = Disclosure.objects.select_related("party")
        found = chosen(found, request, query, day="day")
        return Response(page(found, query, DisclosureShape, of="disclosures"))

    @extend_schema(request=request_bodies(Disclosed), responses={201: DisclosureWithPapers})
    @once
    def post(self, request: Request) -> Response:
        """Report an irregularity; documents are parts of a form. Report later facts separately."""
        with body_and_papers(request, Disclosed) as (data, papers):
            operator = operator_of(request, data.pop("operator"), Action.DISCLOSE)
            made = disclose(party=operator, papers=papers, by=key_in(request), **data)
        place = reverse("api_disclosure", args=[made.uuid])
        return Response(with_papers(made), 201, headers={"Location": place})


class OneDisclosure(Operation):
    """An own disclosure."""

    operation = "disclosure"
    reads = frozenset({KeyScope.DISCLOSURES})

    @extend_schema(responses=DisclosureWithPapers)
    def get(self, request: Request, uuid: UUID) -> Response:
        """As it was reported."""
        require_sight(request, Action.SEE_DISCLOSURES)
        found = get_object_or_404(Disclosure.objects.select_related("party"), uuid=uuid)
        return Response(with_papers(found))
