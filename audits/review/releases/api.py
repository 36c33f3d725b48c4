"""API for gambling days and their releases to operators, for the commission's programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from audits.intake.days.models import GamblingDay
from audits.review.releases.reads import standing_releases
from compliance.access.permissions import Action, KeyScope
from compliance.api.fields import (
    CodeField,
    DayField,
    InstantField,
    PageQuery,
    chosen,
    operator_of,
    page,
    page_of,
)
from compliance.api.operation import Operation, require_sight
from compliance.api.reading import query_of

if TYPE_CHECKING:
    from rest_framework.request import Request


class GamblingDayQuery(PageQuery):
    """Which days to list."""

    operator = CodeField(required=False)
    day = DayField(required=False)
    state = serializers.ChoiceField(GamblingDay.State.choices, required=False)
    released = serializers.BooleanField(
        required=False, help_text="Whether the operator is shown its report."
    )


class GamblingDayShape(serializers.Serializer[Any]):
    """A gambling day of an operator."""

    operator = serializers.CharField(source="party.code")
    day = serializers.DateField()
    state = serializers.ChoiceField(GamblingDay.State.choices)
    begins = InstantField()
    ends = InstantField()
    closes = InstantField(help_text="Until then a log comes in time.")
    replay = serializers.UUIDField(
        source="current.uuid", allow_null=True, help_text="The one that speaks of it now."
    )
    supplements = serializers.IntegerField(help_text="How often logs came in after it closed.")
    released = InstantField(allow_null=True)


class GamblingDays(Operation):
    """Gambling days."""

    operation = "gambling_days"
    reads = frozenset({KeyScope.CASES})

    @extend_schema(parameters=[GamblingDayQuery], responses=page_of(GamblingDayShape))
    def get(self, request: Request) -> Response:
        """Gambling days with the replay that speaks of each, the newest first."""
        query = query_of(request, GamblingDayQuery)
        require_sight(request, Action.SEE_FINDINGS)
        found = GamblingDay.objects.select_related("party", "current")
        if "released" in query:
            query["released"] = not query["released"]
        found = chosen(found, request, query, day="day", state="state", released="released__isnull")
        return Response(page(found, query, GamblingDayShape, of="gambling-days"))


class StandingQuery(serializers.Serializer[Any]):
    """At which operator."""

    operator = CodeField()


class StandingReleaseShape(serializers.Serializer[Any]):
    """Findings of a code are shown to the operator as they come."""

    code = serializers.CharField()
    since = InstantField(allow_null=True, help_text="null: from the beginning.")


class StandingReleasesShape(serializers.Serializer[Any]):
    """All of them."""

    releases = StandingReleaseShape(many=True)


class StandingReleases(Operation):
    """Standing releases."""

    operation = "standing_releases"
    reads = frozenset({KeyScope.CASES})

    @extend_schema(parameters=[StandingQuery], responses=StandingReleasesShape)
    def get(self, request: Request) -> Response:
        """The codes whose findings an operator is shown without an agent's word."""
        query = query_of(request, StandingQuery)
        operator = operator_of(request, query["operator"], Action.SEE_FINDINGS)
        found = {"releases": standing_releases(operator)}
        return Response(StandingReleasesShape(found).data)
