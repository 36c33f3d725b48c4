"""Replays, for the commission's own programs: ordered, followed, moved, cancelled."""

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

from audits.api.hand_ins import NO_LOG
from audits.models import Replay, ReplaySegment
from audits.selectors.replays import answer_of, progress_of
from audits.selectors.round_logs import find_log
from audits.selectors.share_files import findings_of
from audits.services.replays import (
    Scope,
    begin_replay,
    cancel_replay,
    move_replay,
    retry_replay,
)
from compliance.api.fields import CodeField, DayField, at, chosen, operator_of
from compliance.api.lists import PageQuery, page, page_of
from compliance.api.once import once
from compliance.api.operation import Operation, key_in, require_sight
from compliance.api.problems import Problem, fault
from compliance.api.reading import Nothing, TextField, body_of, query_of
from compliance.file_answers import as_file
from compliance.permissions import Action, KeyScope
from games.rule_set import SLUGS

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
    game = serializers.ChoiceField(list(SLUGS), required=False)
    table = TextField(required=False, min_length=1, max_length=32)
    log = TextField(
        required=False, min_length=1, max_length=64, help_text="Number or SHA-256 of a log on file."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Days stand in order."""
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


class ReplayShape(serializers.Serializer[Any]):
    """A replay."""

    replay = serializers.UUIDField()
    operator = serializers.CharField()
    cause = serializers.ChoiceField(Replay.Cause.choices)
    fingerprint = serializers.CharField()
    state = serializers.ChoiceField(Replay.State.choices)
    failure = serializers.CharField()
    priority = serializers.IntegerField()
    days = serializers.ListField(child=serializers.DateField())
    rounds = serializers.IntegerField()
    seats = serializers.IntegerField()
    findings = serializers.IntegerField()
    over = serializers.IntegerField(help_text="Cents that players got too much.")
    under = serializers.IntegerField(help_text="Cents that players got too little.")
    digest = serializers.CharField(allow_null=True)
    at = serializers.DateTimeField()
    ended = serializers.DateTimeField(allow_null=True)


class ProgressShape(serializers.Serializer[Any]):
    """How far a replay is, in segments and rounds."""

    shares = serializers.IntegerField()
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
        said = query_of(request, ReplayQuery)
        found = Replay.objects.select_related("party")
        found = chosen(found, request, said, state="state")
        return Response(page(found, said, _told, of="replays"))

    @extend_schema(request=BeginReplay, responses={202: ReplayWithProgress})
    @once
    def post(self, request: Request) -> Response:
        """Have rounds judged again, or for the first time; the work is done after the answer."""
        said = body_of(request, BeginReplay)
        operator = operator_of(request, said["operator"], Action.REPLAY)
        log = find_log(operator, said["log"]) if "log" in said else None
        if "log" in said and log is None:
            raise Problem(409, NO_LOG, errors=[fault("body", "/log", NO_LOG, "not_on_file")])
        begun = begin_replay(
            operator=operator,
            scope=Scope(
                day=said.get("day"),
                last=said.get("last"),
                game=said.get("game"),
                table=said.get("table"),
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
        said = body_of(request, Priority)
        move_replay(replay=found, by=key_in(request), priority=said["priority"])
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
        shares = list(
            ReplaySegment.objects.filter(replay=found)
            .select_related("segment__party")
            .order_by("position")
        )
        lines = _lines(found, shares)
        answer = StreamingHttpResponse(lines, content_type="application/jsonl")
        return as_file(answer, f"replay-{found.uuid}.jsonl")


def _lines(replay: Replay, shares: list[ReplaySegment]) -> Iterator[bytes]:
    for share in shares:
        with findings_of(share) as lines:
            for line in lines:
                told = {"operator": replay.party.code, "day": str(share.segment.day)}
                yield orjson.dumps(told | orjson.loads(line)) + b"\n"


def _found(uuid: UUID) -> Replay:
    return get_object_or_404(Replay.objects.select_related("party"), uuid=uuid)


def _to_write(request: Request, uuid: UUID) -> Replay:
    found = _found(uuid)
    require_sight(request, Action.REPLAY, found.party)
    return found


def _told(replay: Replay) -> dict[str, Any]:
    return answer_of(replay) | {
        "operator": replay.party.code,
        "cause": replay.cause,
        "failure": replay.failure,
        "priority": replay.priority,
        "days": replay.days,
        "over": replay.over,
        "under": replay.under,
        "at": at(replay.at),
        "ended": at(replay.ended),
    }


def _with_progress(replay: Replay) -> dict[str, Any]:
    progress = progress_of(replay)
    names = ("shares", "done", "leased", "rounds", "rounds_done", "percent")
    return _told(replay) | {"progress": {name: getattr(progress, name) for name in names}}
