"""API for replays and comparisons, for the commission's programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from audits.intake.api import NO_LOG
from audits.intake.reads import find_log
from audits.replay.comparisons import answer_of_comparison, begin_comparison
from audits.replay.findings.files import findings_of
from audits.replay.models import Replay, ReplayComparison, ReplaySegment
from audits.replay.reads import progress_of
from audits.replay.writes import Scope, begin_replay, cancel_replay, move_replay, retry_replay
from compliance.access.permissions import Action, KeyScope
from compliance.api.fields import (
    CodeField,
    DayField,
    GameField,
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
from compliance.api.problems import Problem, fault
from compliance.api.reading import Nothing, TextField, body_of, query_of
from compliance.events.exports import record_export
from compliance.files.downloads import as_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from django.http.response import HttpResponseBase
    from rest_framework.request import Request


class BeginReplay(serializers.Serializer[Any]):
    """Whose rounds are judged, and which of them: what is left out chooses all."""

    operator = CodeField()
    day = DayField(required=False, help_text="Gambling day.")
    last = DayField(required=False, help_text="For several days: the last of them.")
    game = GameField(required=False)
    table = TextField(required=False, min_length=1, max_length=32)
    log = TextField(
        required=False, min_length=1, max_length=64, help_text="Number or SHA-256 of a log on file."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require the days to be in order."""
        day, last = attrs.get("day"), attrs.get("last")
        if last and (day is None or last < day):
            says = "Name the first day, too; the last one is not before it."
            raise Problem(409, says, errors=[fault("body", "/last", says, "out_of_order")])
        return attrs


class Priority(serializers.Serializer[Any]):
    """Before or after which others a replay goes."""

    priority = serializers.IntegerField(min_value=-10, max_value=10, help_text="Higher goes first.")


class ReplayQuery(PageQuery):
    """Which replays to list."""

    operator = CodeField(required=False)
    state = serializers.ChoiceField(Replay.State.choices, required=False)


class SetAsideShape(serializers.Serializer[Any]):
    """A game that was not audited, and why."""

    game = serializers.CharField()
    day = serializers.DateField()
    why = serializers.CharField()


class ReplayShape(serializers.Serializer[Any]):
    """A replay."""

    replay = serializers.UUIDField(source="uuid")
    operator = serializers.CharField(source="party.code")
    cause = serializers.ChoiceField(Replay.Cause.choices)
    fingerprint = serializers.CharField()
    state = serializers.ChoiceField(Replay.State.choices)
    failure = serializers.CharField()
    set_aside = SetAsideShape(many=True)
    priority = serializers.IntegerField()
    days = serializers.ListField(child=serializers.DateField())
    rounds = serializers.IntegerField()
    seats = serializers.IntegerField()
    findings = serializers.IntegerField()
    over = serializers.IntegerField(help_text="Cents that players were overpaid.")
    under = serializers.IntegerField(help_text="Cents that players were underpaid.")
    digest = TextOrNull()
    at = InstantField()
    ended = InstantField(allow_null=True)


class ProgressShape(serializers.Serializer[Any]):
    """How far a replay is, in segments and rounds."""

    units = serializers.IntegerField(source="work_units")
    done = serializers.IntegerField()
    leased = serializers.IntegerField()
    rounds = serializers.IntegerField()
    rounds_done = serializers.IntegerField()
    percent = serializers.IntegerField()


class ReplayWithProgress(ReplayShape):
    """A replay, and how far it is."""

    progress = ProgressShape()


class Replays(Operation):
    """Replays."""

    operation = "replays"
    reads = frozenset({KeyScope.FINDINGS, KeyScope.REPLAYS})
    writes = frozenset({KeyScope.REPLAYS})

    @extend_schema(parameters=[ReplayQuery], responses=page_of(ReplayShape))
    def get(self, request: Request) -> Response:
        """Replays, the newest first; a party outside of the commission sees none."""
        given = query_of(request, ReplayQuery)
        found = Replay.objects.select_related("party")
        found = chosen(found, request, given, state="state")
        return Response(page(found, given, ReplayShape, of="replays"))

    @extend_schema(request=BeginReplay, responses={202: ReplayWithProgress})
    @once
    def post(self, request: Request) -> Response:
        """Have rounds judged again, or for the first time; the work is done after the answer."""
        given = body_of(request, BeginReplay)
        operator = operator_of(request, given["operator"], Action.REPLAY)
        log = find_log(operator, given["log"]) if "log" in given else None
        if "log" in given and log is None:
            raise Problem(409, NO_LOG, errors=[fault("body", "/log", NO_LOG, "not_on_file")])
        begun = begin_replay(
            operator=operator,
            scope=Scope(
                day=given.get("day"),
                last=given.get("last"),
                game=given.get("game"),
                table=given.get("table"),
                log=log.sha256 if log else None,
            ),
            by=key_in(request),
        )
        place = reverse("api_replay", args=[begun.uuid])
        return Response(_with_progress(begun), 202, headers={"Location": place})


class OneReplay(Operation):
    """A replay."""

    operation = "replay"
    reads = frozenset({KeyScope.FINDINGS, KeyScope.REPLAYS})

    @extend_schema(responses=ReplayWithProgress)
    def get(self, request: Request, uuid: UUID) -> Response:
        """How far a replay is, and what it came to."""
        return Response(_with_progress(_found(uuid)))


class CancelReplay(Operation):
    """The end of a replay."""

    operation = "cancel_replay"
    writes = frozenset({KeyScope.REPLAYS})

    @extend_schema(request=Nothing, responses=ReplayWithProgress)
    @once
    def post(self, request: Request, uuid: UUID) -> Response:
        """End a replay that is under way."""
        found = _to_write(request, uuid)
        body_of(request, Nothing)
        cancel_replay(replay=found, by=key_in(request))
        return Response(_with_progress(_found(uuid)))


class MoveReplay(Operation):
    """A replay's priority."""

    operation = "move_replay"
    writes = frozenset({KeyScope.REPLAYS})

    @extend_schema(request=Priority, responses=ReplayWithProgress)
    @once
    def post(self, request: Request, uuid: UUID) -> Response:
        """Let a replay go before or after others."""
        found = _to_write(request, uuid)
        given = body_of(request, Priority)
        move_replay(replay=found, by=key_in(request), priority=given["priority"])
        return Response(_with_progress(_found(uuid)))


class RetryReplay(Operation):
    """A replay once more."""

    operation = "retry_replay"
    writes = frozenset({KeyScope.REPLAYS})

    @extend_schema(request=Nothing, responses=ReplayWithProgress)
    @once
    def post(self, request: Request, uuid: UUID) -> Response:
        """Try a replay that failed again: what is done of it stays done."""
        found = _to_write(request, uuid)
        body_of(request, Nothing)
        retry_replay(replay=found, by=key_in(request))
        return Response(_with_progress(_found(uuid)))


class FindingsOfReplay(Operation):
    """All findings of a replay."""

    operation = "findings_of_replay"
    reads = frozenset({KeyScope.FINDINGS})

    @extend_schema(responses={(200, "application/jsonl"): OpenApiTypes.BINARY})
    def get(self, request: Request, uuid: UUID) -> HttpResponseBase:
        """Every finding of a replay that is done, as JSON Lines, in the order of the rounds."""
        found = _found(uuid)
        require_sight(request, Action.SEE_FINDINGS, found.party)
        if found.state != Replay.State.DONE:
            says = f"This replay is {found.get_state_display().lower()}: its findings come at once"
            raise Problem(409, f"{says}, when it is done.", code="not_done")
        units = list(
            ReplaySegment.objects.filter(replay=found)
            .select_related("segment__party")
            .order_by("position")
        )
        lines = _lines(found, units)
        recorded = record_export(
            by=key_in(request),
            what="the findings of a replay",
            format="JSON Lines",
            count=found.findings,
            about=found,
            party=found.party,
        )
        answer = StreamingHttpResponse(lines, content_type="application/jsonl")
        return as_file(answer, f"replay-{found.uuid}.jsonl", recorded=recorded)


def _lines(replay: Replay, units: list[ReplaySegment]) -> Iterator[bytes]:
    for unit in units:
        with findings_of(unit) as lines:
            for line in lines:
                context = {"operator": replay.party.code, "day": str(unit.segment.day)}
                yield orjson.dumps(context | orjson.loads(line)) + b"\n"


def _found(uuid: UUID) -> Replay:
    return get_object_or_404(Replay.objects.select_related("party"), uuid=uuid)


def _to_write(request: Request, uuid: UUID) -> Replay:
    found = _found(uuid)
    require_sight(request, Action.REPLAY, found.party)
    return found


def _with_progress(replay: Replay) -> dict[str, Any]:
    progress = ProgressShape(progress_of(replay)).data
    return {**ReplayShape(replay).data, "progress": progress}


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


class IssueStandingShape(StandingShape):
    """The same of one issue."""

    game = serializers.CharField()
    cause = serializers.CharField(help_text="Key of what its findings have in common.")


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
    issues = IssueStandingShape(many=True, allow_null=True)
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
