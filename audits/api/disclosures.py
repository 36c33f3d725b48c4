"""Own disclosures: what an operator reports before anybody asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from audits.models import Disclosure
from audits.services.disclosures import disclose
from compliance.api.fields import CodeField, DayField, at, chosen, operator_of
from compliance.api.lists import PageQuery, page, page_of
from compliance.api.once import once
from compliance.api.operation import Operation, key_in, require_sight
from compliance.api.papers import (
    WITH_PAPERS,
    PaperShape,
    bodies,
    body_and_papers,
    papers_told,
)
from compliance.api.reading import TextField, query_of
from compliance.permissions import Action, KeyScope
from compliance.selectors.documents import papers_named

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

    disclosure = serializers.UUIDField()
    operator = serializers.CharField()
    day = serializers.DateField()
    table = serializers.CharField(allow_null=True)
    round = serializers.CharField(allow_null=True)
    facts = serializers.CharField()
    done = serializers.CharField(allow_null=True)
    at = serializers.DateTimeField()


class DisclosureWithPapers(DisclosureShape):
    """The same, with the papers that came with it."""

    papers = PaperShape(many=True)


class Disclosures(Operation):
    """Own disclosures."""

    operation = "disclosures"
    reads = frozenset({KeyScope.DISCLOSURES})
    writes = frozenset({KeyScope.DISCLOSURES})
    parser_classes = WITH_PAPERS

    @extend_schema(parameters=[DisclosureQuery], responses=page_of(DisclosureShape))
    def get(self, request: Request) -> Response:
        """What operators reported of their own accord, the newest first."""
        said = query_of(request, DisclosureQuery)
        require_sight(request, Action.SEE_DISCLOSURES)
        found = Disclosure.objects.select_related("party")
        found = chosen(found, request, said, day="day")
        return Response(page(found, said, _told, of="disclosures"))

    @extend_schema(request=bodies(Disclosed), responses={201: DisclosureWithPapers})
    @once
    def post(self, request: Request) -> Response:
        """Report an irregularity, with papers as parts of a form; what is learnt later, anew."""
        with body_and_papers(request, Disclosed) as (said, papers):
            operator = operator_of(request, said.pop("operator"), Action.DISCLOSE)
            made = disclose(party=operator, papers=papers, by=key_in(request), **said)
        place = reverse("api_disclosure", args=[made.uuid])
        return Response(_whole(made), 201, headers={"Location": place})


class OneDisclosure(Operation):
    """An own disclosure."""

    operation = "disclosure"
    reads = frozenset({KeyScope.DISCLOSURES})

    @extend_schema(responses=DisclosureWithPapers)
    def get(self, request: Request, uuid: UUID) -> Response:
        """As it was reported."""
        require_sight(request, Action.SEE_DISCLOSURES)
        found = get_object_or_404(Disclosure.objects.select_related("party"), uuid=uuid)
        return Response(_whole(found))


def _told(each: Disclosure) -> dict[str, Any]:
    return {
        "disclosure": str(each.uuid),
        "operator": each.party.code,
        "day": str(each.day),
        "table": each.table or None,
        "round": each.round or None,
        "facts": each.facts,
        "done": each.done or None,
        "at": at(each.at),
    }


def _whole(each: Disclosure) -> dict[str, Any]:
    papers = papers_named(each.papers.all()).get(each.pk, [])
    return _told(each) | {"papers": papers_told(papers)}
