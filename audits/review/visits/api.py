"""API for visits to operators, for the commission's programs: the list, and one visit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from audits.review.visits.models import Look, Visit, VisitItem
from audits.review.visits.presentation import checked_items
from compliance.access.permissions import Action, KeyScope
from compliance.api.fields import (
    CodeField,
    InstantField,
    PageQuery,
    TextOrNull,
    chosen,
    page,
    page_of,
)
from compliance.api.operation import Operation, require_sight
from compliance.api.reading import query_of

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request


class VisitQuery(PageQuery):
    """Which visits to list."""

    operator = CodeField(required=False)


class VisitShape(serializers.Serializer[Any]):
    """A visit."""

    visit = serializers.UUIDField(source="uuid")
    operator = serializers.CharField(source="party.code")
    day = serializers.DateField(help_text="The gambling day in which it began.")
    by = serializers.UUIDField()
    at = InstantField()
    ended = InstantField(source="end.at", allow_null=True)


class VisitItemShape(serializers.Serializer[Any]):
    """One thing to look at, and the newest look at it."""

    kind = serializers.ChoiceField(VisitItem.Kind.choices, source="item.kind")
    game = TextOrNull(source="item.game")
    table = TextOrNull(source="item.table")
    approved = serializers.JSONField(source="item.approved", help_text="What was approved.")
    cites = serializers.JSONField(source="item.cites")
    outcome = serializers.ChoiceField(Look.Outcome.choices)
    seen = TextOrNull(source="look.seen")
    issue = serializers.UUIDField(
        source="issue.uuid",
        allow_null=True,
        help_text="That a difference became, once the visit is ended.",
    )


class VisitWithItems(VisitShape):
    """The same, with its checklist."""

    note = serializers.CharField(allow_null=True)
    items = VisitItemShape(many=True)


class Visits(Operation):
    """Visits."""

    operation = "visits"
    reads = frozenset({KeyScope.CASES})

    @extend_schema(parameters=[VisitQuery], responses=page_of(VisitShape))
    def get(self, request: Request) -> Response:
        """The commission's visits, the newest first."""
        query = query_of(request, VisitQuery)
        require_sight(request, Action.SEE_FINDINGS)
        found = chosen(Visit.objects.select_related("party", "end"), request, query)
        return Response(page(found, query, VisitShape, of="visits"))


class OneVisit(Operation):
    """A visit."""

    operation = "visit"
    reads = frozenset({KeyScope.CASES})

    @extend_schema(responses=VisitWithItems)
    def get(self, request: Request, uuid: UUID) -> Response:
        """What there was to look at, and what was seen."""
        require_sight(request, Action.SEE_FINDINGS)
        visit = get_object_or_404(Visit.objects.select_related("party", "end"), uuid=uuid)
        items = VisitItemShape(checked_items(visit), many=True).data
        end = getattr(visit, "end", None)
        note = end.note if end else None
        return Response(VisitShape(visit).data | {"note": note, "items": items})
