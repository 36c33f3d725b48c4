"""Gambling days and what operators are shown of them, for the commission's own programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from audits.models import GamblingDay
from audits.selectors.releases import standing_releases
from compliance.api.fields import CodeField, DayField, at, chosen, operator_of
from compliance.api.lists import PageQuery, page, page_of
from compliance.api.operation import Operation, require_sight
from compliance.api.reading import query_of
from compliance.permissions import Action, KeyScope

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

    operator = serializers.CharField()
    day = serializers.DateField()
    state = serializers.ChoiceField(GamblingDay.State.choices)
    begins = serializers.DateTimeField()
    ends = serializers.DateTimeField()
    closes = serializers.DateTimeField(help_text="Until then a log comes in time.")
    replay = serializers.UUIDField(allow_null=True, help_text="The one that speaks of it now.")
    supplements = serializers.IntegerField(help_text="How often logs came in after it closed.")
    released = serializers.DateTimeField(allow_null=True)


class GamblingDays(Operation):
    """Gambling days."""

    operation = "gambling_days"
    reads = frozenset({KeyScope.CASES})

    @extend_schema(parameters=[GamblingDayQuery], responses=page_of(GamblingDayShape))
    def get(self, request: Request) -> Response:
        """Gambling days with the replay that speaks of each, the newest first."""
        said = query_of(request, GamblingDayQuery)
        require_sight(request, Action.SEE_FINDINGS)
        found = GamblingDay.objects.select_related("party", "current")
        if "released" in said:
            said["released"] = not said["released"]
        found = chosen(found, request, said, day="day", state="state", released="released__isnull")
        return Response(page(found, said, _told, of="gambling-days"))


class StandingQuery(serializers.Serializer[Any]):
    """At which operator."""

    operator = CodeField()


class StandingReleaseShape(serializers.Serializer[Any]):
    """Findings of a code are shown to the operator as they come."""

    code = serializers.CharField()
    since = serializers.DateTimeField(allow_null=True, help_text="null: from the beginning.")


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
        said = query_of(request, StandingQuery)
        operator = operator_of(request, said["operator"], Action.SEE_FINDINGS)
        told = [
            {"code": each.code, "since": at(each.since)} for each in standing_releases(operator)
        ]
        return Response({"releases": told})


def _told(day: GamblingDay) -> dict[str, Any]:
    return {
        "operator": day.party.code,
        "day": str(day.day),
        "state": day.state,
        "begins": at(day.begins),
        "ends": at(day.ends),
        "closes": at(day.closes),
        "replay": str(day.current.uuid) if day.current else None,
        "supplements": day.supplements,
        "released": at(day.released),
    }
