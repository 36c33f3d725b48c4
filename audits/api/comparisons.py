"""Comparisons of two replays, for the commission's own programs: asked for, followed, read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from audits.models import Replay, ReplayComparison
from audits.selectors.comparisons import answer_of_comparison
from audits.services.comparisons import begin_comparison
from compliance.api.once import once
from compliance.api.operation import Operation, key_in, require_sight
from compliance.api.problems import Problem, fault
from compliance.api.reading import body_of
from compliance.permissions import Action, KeyScope

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

NO_REPLAY = "There is no replay of this number."


class CompareReplay(serializers.Serializer[Any]):
    """With which replay of the same operator one is compared."""

    former = serializers.UUIDField(help_text="Number of an earlier replay that is done.")


class StandingShape(serializers.Serializer[Any]):
    """What the later replay says of the former's findings, counted."""

    confirmed = serializers.IntegerField()
    changed = serializers.IntegerField()
    gone = serializers.IntegerField()
    new = serializers.IntegerField()


class PatternStandingShape(StandingShape):
    """The same of one pattern."""

    game = serializers.CharField()
    table = serializers.CharField()
    code = serializers.CharField()
    wager = serializers.CharField()
    line = serializers.CharField()


class DifferenceShape(serializers.Serializer[Any]):
    """A finding that the two see differently; null where one does not have it."""

    former = serializers.DictField(allow_null=True)
    later = serializers.DictField(allow_null=True)


class ExamplesShape(serializers.Serializer[Any]):
    """The first findings of each kind."""

    changed = DifferenceShape(many=True)
    gone = DifferenceShape(many=True)
    new = DifferenceShape(many=True)


class ComparisonShape(serializers.Serializer[Any]):
    """Two replays, one beside the other; what it comes to stands there when it is done."""

    comparison = serializers.UUIDField()
    former = serializers.UUIDField()
    later = serializers.UUIDField()
    state = serializers.ChoiceField(ReplayComparison.State.choices)
    failure = serializers.CharField()
    days = serializers.IntegerField(help_text="Gambling days of either.")
    compared = serializers.IntegerField(help_text="How many of them are compared.")
    total = StandingShape(allow_null=True)
    patterns = PatternStandingShape(many=True, allow_null=True)
    examples = ExamplesShape(allow_null=True)


class Comparisons(Operation):
    """The comparisons of a replay."""

    operation = "compare_replays"
    writes = frozenset({KeyScope.FINDINGS})

    @extend_schema(request=CompareReplay, responses={202: ComparisonShape})
    @once
    def post(self, request: Request, uuid: UUID) -> Response:
        """Have a replay compared with an earlier one; the work is done after the answer."""
        replays = Replay.objects.select_related("party")
        later = get_object_or_404(replays, uuid=uuid)
        require_sight(request, Action.SEE_FINDINGS, later.party)
        former = replays.filter(uuid=body_of(request, CompareReplay)["former"]).first()
        if former is None:
            raise Problem(
                409, NO_REPLAY, errors=[fault("body", "/former", NO_REPLAY, "not_on_file")]
            )
        begun = begin_comparison(former=former, later=later, by=key_in(request))
        place = reverse("api_comparison", args=[begun.uuid])
        return Response(answer_of_comparison(begun), 202, headers={"Location": place})


class OneComparison(Operation):
    """A comparison of two replays."""

    operation = "comparison"
    reads = frozenset({KeyScope.FINDINGS})

    @extend_schema(responses=ComparisonShape)
    def get(self, request: Request, uuid: UUID) -> Response:
        """How far a comparison is, and what is different."""
        found = get_object_or_404(
            ReplayComparison.objects.select_related("former", "later__party"), uuid=uuid
        )
        require_sight(request, Action.SEE_FINDINGS, found.later.party)
        return Response(answer_of_comparison(found))
