"""API of the dashboard, for the commission's programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from audits.review.dashboard.reads import dashboard
from compliance.access.permissions import Action, KeyScope
from compliance.api.fields import CodeField, DayField, operator_of, require_reach
from compliance.api.operation import Operation, require_sight
from compliance.api.reading import query_of

if TYPE_CHECKING:
    from rest_framework.request import Request


USUAL, LONGEST = 28, 366


class DashboardQuery(serializers.Serializer[Any]):
    """Of how many days, up to which, and of whom."""

    days = serializers.IntegerField(
        required=False, default=USUAL, min_value=1, max_value=LONGEST, help_text="Gambling days."
    )
    up_to = DayField(required=False, help_text="The last of them; today's, where none is said.")
    operator = CodeField(required=False)


class SpanShape(serializers.Serializer[Any]):
    """A gambling day, or of many a week; in cents."""

    first = serializers.DateField()
    last = serializers.DateField()
    rounds = serializers.IntegerField(help_text="Number of audited rounds.")
    findings = serializers.IntegerField()
    over = serializers.IntegerField()
    under = serializers.IntegerField()
    ran = serializers.IntegerField(help_text="Nights that the nightly run came by.")
    missed = serializers.IntegerField(help_text="Nights that it did not.")


class CodeSumShape(serializers.Serializer[Any]):
    """Findings with one code at one operator."""

    code = serializers.CharField(source="issue__code")
    operator = serializers.CharField(source="issue__party__code")
    issues = serializers.IntegerField()
    findings = serializers.IntegerField(source="sum_findings")
    rounds = serializers.IntegerField(source="sum_rounds")
    over = serializers.IntegerField(source="sum_over")
    under = serializers.IntegerField(source="sum_under")


class AgeShape(serializers.Serializer[Any]):
    """Open issues by how long ago they were opened."""

    age = serializers.CharField()
    issues = serializers.IntegerField()


class MissedNightShape(serializers.Serializer[Any]):
    """A gambling day that closed and that the nightly run did not come by."""

    operator = serializers.CharField(source="party.code")
    day = serializers.DateField()


class NearCapShape(serializers.Serializer[Any]):
    """An approved maximum near the cap; in cents."""

    operator = serializers.CharField(source="operator.code")
    game = serializers.CharField()
    table = serializers.CharField()
    wager = serializers.CharField()
    maximum = serializers.IntegerField()
    cap = serializers.IntegerField()


class DashboardShape(serializers.Serializer[Any]):
    """How things stand."""

    spans = SpanShape(many=True)
    causes = CodeSumShape(many=True, help_text="What moved most first; twenty of them.")
    more_causes = serializers.IntegerField(help_text="How many more there are.")
    ages = AgeShape(many=True)
    late = serializers.IntegerField(help_text="Open issues past the day they were due.")
    missed = MissedNightShape(many=True, help_text="The newest twenty.")
    near_cap = NearCapShape(many=True, source="near")


class HowThingsStand(Operation):
    """The dashboard."""

    operation = "dashboard"
    reads = frozenset({KeyScope.CASES})

    @extend_schema(parameters=[DashboardQuery], responses=DashboardShape)
    def get(self, request: Request) -> Response:
        """Sums over gambling days, open work by its age, limits near the cap."""
        query = query_of(request, DashboardQuery)
        require_sight(request, Action.SEE_FINDINGS)
        operator = operator_of(request, query["operator"]) if "operator" in query else None
        if "up_to" in query:
            require_reach(query["up_to"], "up_to")
        shown = dashboard(days=query["days"], up_to=query.get("up_to"), operator=operator)
        return Response(DashboardShape(shown).data)
