"""Round logs on file: the list, receipts with their proofs, rejected lines, and single rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from audits.models import RoundLog
from audits.selectors.rounds import find_round
from audits.services.receipts import note_reading, proof_of, receipt_of
from compliance.api.fields import CodeField, at, chosen, operator_of
from compliance.api.lists import PageQuery, page, page_of
from compliance.api.operation import Operation, allows, key_in, require_sight
from compliance.api.reading import TextField, query_of
from compliance.file_answers import as_file, from_archive
from compliance.permissions import Action, KeyScope

if TYPE_CHECKING:
    from uuid import UUID

    from django.http.response import HttpResponseBase
    from rest_framework.request import Request


class RoundLogQuery(PageQuery):
    """Which logs to list."""

    operator = CodeField(required=False)


class RoundLogShape(serializers.Serializer[Any]):
    """A log on file."""

    log = serializers.UUIDField()
    operator = serializers.CharField()
    name = serializers.CharField()
    sha256 = serializers.CharField()
    size = serializers.IntegerField()
    lines = serializers.IntegerField()
    good = serializers.IntegerField(help_text="Lines that were taken.")
    rejected = serializers.IntegerField()
    already = serializers.IntegerField(help_text="Rounds that were on file with the same content.")
    first_at = serializers.DateTimeField(allow_null=True)
    last_at = serializers.DateTimeField(allow_null=True)
    corrects = serializers.UUIDField(allow_null=True)
    at = serializers.DateTimeField()


class Rejected(serializers.Serializer[Any]):
    """Why lines were rejected, how many, and the first of them."""

    cause = serializers.CharField()
    field = serializers.CharField()
    reason = serializers.CharField()
    count = serializers.IntegerField()
    examples = serializers.JSONField(help_text="Number, round and text of the first lines.")


class ReceiptShape(RoundLogShape):
    """What whoever handed in a log is given for it."""

    leaf = serializers.IntegerField(help_text="Its place in the event log.")
    rejected_lines = Rejected(many=True)


class RoundShape(serializers.Serializer[Any]):
    """A round on file."""

    operator = serializers.CharField()
    log = serializers.UUIDField()
    game = serializers.CharField()
    day = serializers.DateField(help_text="The gambling day.")
    round = serializers.JSONField(help_text="As it was logged.")


class RoundQuery(serializers.Serializer[Any]):
    """Which round to look for."""

    operator = CodeField()
    round = TextField(max_length=64, help_text="The number it has in the log, as T3-000123.")


class RoundLogs(Operation):
    """Logs on file."""

    operation = "round_logs"
    reads = frozenset({KeyScope.ROUNDS})

    @extend_schema(parameters=[RoundLogQuery], responses=page_of(RoundLogShape))
    def get(self, request: Request) -> Response:
        """Logs on file, the newest first."""
        said = query_of(request, RoundLogQuery)
        require_sight(request, Action.SEE_ROUNDS)
        found = RoundLog.objects.select_related("party", "corrects")
        found = chosen(found, request, said)
        return Response(page(found, said, _told, of="round-logs"))


class Receipt(Operation):
    """A log's receipt."""

    operation = "receipt"
    reads = frozenset({KeyScope.HAND_IN, KeyScope.ROUNDS})

    @extend_schema(responses=ReceiptShape)
    def get(self, request: Request, uuid: UUID) -> Response:
        """The receipt of a log: its digest, when it came, what was taken and what was not."""
        log = _found(request, uuid)
        causes = [
            {name: getattr(each, str(name)) for name in Rejected().fields}
            for each in log.rejected_causes.all()
        ]
        leaf = receipt_of(log).leaf
        return Response({**_told(log), "leaf": leaf, "rejected_lines": causes})


class Proof(Operation):
    """A log's proof."""

    operation = "round_log_proof"
    reads = frozenset({KeyScope.HAND_IN, KeyScope.ROUNDS})

    @extend_schema(responses={(200, "text/plain"): OpenApiTypes.STR})
    def get(self, request: Request, uuid: UUID) -> HttpResponse:
        """The proof that the event log holds the registration, for the log's own verifier."""
        log = _found(request, uuid)
        answer = HttpResponse(proof_of(log), content_type="text/plain")
        return as_file(answer, f"log-{log.sha256[:12]}.tlog-proof")


class RejectedLines(Operation):
    """A log's rejected lines."""

    operation = "rejected_lines"
    reads = frozenset({KeyScope.ROUNDS})

    @extend_schema(responses={(200, "application/jsonl"): OpenApiTypes.BINARY})
    def get(self, request: Request, uuid: UUID) -> HttpResponseBase:
        """Every rejected line, as JSON Lines; 404 where none was."""
        log = _found(request, uuid)
        if not log.rejected_file:
            raise Http404
        note_reading(log=log, what="the rejected lines", by=key_in(request))
        answer = from_archive(log.rejected_file, "application/jsonl")
        return as_file(answer, f"rejected-{log.sha256[:12]}.jsonl")


class Evidence(Operation):
    """A log's bytes."""

    operation = "round_log_file"
    reads = frozenset({KeyScope.ROUNDS})

    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: Request, uuid: UUID) -> HttpResponseBase:
        """The file as it was handed in, byte for byte."""
        log = _found(request, uuid)
        note_reading(log=log, what="the evidence", by=key_in(request))
        return as_file(from_archive(log.sha256, "application/octet-stream"), log.name)


class Rounds(Operation):
    """Single rounds."""

    operation = "round"
    reads = frozenset({KeyScope.ROUNDS})

    @extend_schema(parameters=[RoundQuery], responses=RoundShape)
    def get(self, request: Request) -> Response:
        """A round by its number, as it was logged; 404 where none has it."""
        said = query_of(request, RoundQuery)
        operator = operator_of(request, said["operator"], Action.SEE_ROUNDS)
        found = find_round([operator], said["round"])
        if found is None:
            raise Http404
        return Response(
            {
                "operator": operator.code,
                "log": str(found.log.uuid),
                "game": found.segment.game,
                "day": str(found.segment.day),
                "round": orjson.loads(found.line),
            }
        )


def _found(request: Request, uuid: UUID) -> RoundLog:
    """A log on file; its receipt also for a program that only hands in."""
    log = get_object_or_404(RoundLog.objects.select_related("party", "corrects"), uuid=uuid)
    if not allows(request, Action.HAND_IN_ROUNDS, log.party):
        require_sight(request, Action.SEE_ROUNDS, log.party)
    return log


def _told(log: RoundLog) -> dict[str, Any]:
    return {
        "log": str(log.uuid),
        "operator": log.party.code,
        "name": log.name,
        "sha256": log.sha256,
        "size": log.size,
        "lines": log.lines,
        "good": log.good,
        "rejected": log.rejected,
        "already": log.already,
        "first_at": at(log.first_at),
        "last_at": at(log.last_at),
        "corrects": str(log.corrects.uuid) if log.corrects else None,
        "at": at(log.at),
    }
