"""Visits to operators, for the commission's own programs: the list, one with its checklist."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from audits.models import Look, Visit, VisitDifference, VisitItem
from audits.selectors.visits import items_with_looks
from compliance.api.fields import CodeField, at, chosen
from compliance.api.lists import PageQuery, page, page_of
from compliance.api.operation import Operation, require_sight
from compliance.api.reading import query_of
from compliance.permissions import Action, KeyScope

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request


class VisitQuery(PageQuery):
    """Which visits to list."""

    operator = CodeField(required=False)


class VisitShape(serializers.Serializer[Any]):
    """A visit."""

    visit = serializers.UUIDField()
    operator = serializers.CharField()
    day = serializers.DateField(help_text="The gambling day in which it began.")
    by = serializers.UUIDField()
    at = serializers.DateTimeField()
    ended = serializers.DateTimeField(allow_null=True)


class VisitItemShape(serializers.Serializer[Any]):
    """One thing to look at, and the newest look at it."""

    kind = serializers.ChoiceField(VisitItem.Kind.choices)
    game = serializers.CharField(allow_null=True)
    table = serializers.CharField(allow_null=True)
    approved = serializers.JSONField(help_text="As it is to be found.")
    cites = serializers.JSONField()
    outcome = serializers.ChoiceField(Look.Outcome.choices)
    seen = serializers.CharField(allow_null=True)
    pattern = serializers.UUIDField(
        allow_null=True, help_text="That a difference became, once the visit is ended."
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
        said = query_of(request, VisitQuery)
        require_sight(request, Action.SEE_FINDINGS)
        found = chosen(Visit.objects.select_related("party", "end"), request, said)
        return Response(page(found, said, _told, of="visits"))


class OneVisit(Operation):
    """A visit."""

    operation = "visit"
    reads = frozenset({KeyScope.CASES})

    @extend_schema(responses=VisitWithItems)
    def get(self, request: Request, uuid: UUID) -> Response:
        """What there was to look at, and what was seen."""
        require_sight(request, Action.SEE_FINDINGS)
        visit = get_object_or_404(Visit.objects.select_related("party", "end"), uuid=uuid)
        stated = VisitDifference.objects.filter(end__visit=visit).select_related("pattern")
        became = {each.look_id: str(each.pattern.uuid) for each in stated}
        end = getattr(visit, "end", None)
        items = [
            {
                "kind": item.kind,
                "game": item.game or None,
                "table": item.table or None,
                "approved": item.approved,
                "cites": item.cites,
                "outcome": look.outcome if look else Look.Outcome.NOT_LOOKED_AT.value,
                "seen": look.seen or None if look else None,
                "pattern": became.get(look.pk) if look else None,
            }
            for item, look in items_with_looks(visit)
        ]
        return Response(_told(visit) | {"note": end.note if end else None, "items": items})


def _told(visit: Visit) -> dict[str, Any]:
    end = getattr(visit, "end", None)
    return {
        "visit": str(visit.uuid),
        "operator": visit.party.code,
        "day": str(visit.day),
        "by": str(visit.by),
        "at": at(visit.at),
        "ended": at(end.at) if end else None,
    }
