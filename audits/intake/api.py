"""API for round logs: submit and list them, and read receipts, rejected lines and rounds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import orjson
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from audits.intake.mapping.reads import find_mapping
from audits.intake.models import PIECE, RoundLog, Submission
from audits.intake.reads import find_log
from audits.intake.receipts import (
    proof_of,
    receipt_of,
    record_evidence_export,
    record_rejected_export,
)
from audits.intake.rounds import find_round
from audits.intake.submission import (
    LARGEST,
    OnFileError,
    abandon_submission,
    add_piece,
    begin_submission,
    finish_submission,
)
from compliance.access.permissions import Action, KeyScope
from compliance.api.fields import (
    CodeField,
    InstantField,
    PageQuery,
    chosen,
    operator_of,
    page,
    page_of,
)
from compliance.api.once import once
from compliance.api.operation import Operation, allows, key_in, require_sight
from compliance.api.problems import Problem, fault, invalid
from compliance.api.reading import Bytes, Nothing, TextField, body_of, query_of
from compliance.files.downloads import as_file, from_archive

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase
    from rest_framework.request import Request

    from audits.intake.mapping.models import LogMapping
    from compliance.access.models import Party


DIGEST = r"^[0-9a-fA-F]{64}$"
PIECE_HEADER = "Piece-SHA256"
NO_MAPPING = "This operator has no mapping of this name and version."
NO_LOG = "This operator has no log of this number or SHA-256 on file."


class Begin(serializers.Serializer[Any]):
    """What is said before a file is sent."""

    operator = CodeField(help_text="Code of the operator whose log it is.")
    name = TextField(min_length=1, max_length=200, help_text="Of the file.")
    size = serializers.IntegerField(
        min_value=1, max_value=LARGEST, help_text="In bytes, as it is sent: packed or not."
    )
    sha256 = serializers.RegexField(
        DIGEST, required=False, help_text="Of the whole; a file that differs is refused."
    )
    corrects = TextField(
        required=False, max_length=64, help_text="Number or SHA-256 of the log it corrects."
    )
    reason = TextField(required=False, max_length=10_000, help_text="Of a correction.")
    mapping = TextField(
        required=False,
        max_length=80,
        help_text="Name of the mapping for a CSV, Excel or JSON file; NAME@VERSION for an older "
        "version.",
    )


class Finish(serializers.Serializer[Any]):
    """What is said when all pieces were sent."""

    sha256 = serializers.RegexField(
        DIGEST, required=False, help_text="Of the whole; a file that differs is refused."
    )


class SubmissionQuery(PageQuery):
    """Which submissions to list."""

    operator = CodeField(required=False)
    state = serializers.ChoiceField(Submission.State.choices, required=False)


class SubmissionShape(serializers.Serializer[Any]):
    """How far a file has come."""

    submission = serializers.UUIDField(source="uuid")
    operator = serializers.CharField(source="party.code")
    name = serializers.CharField()
    state = serializers.ChoiceField(Submission.State.choices)
    step = serializers.CharField(help_text="What is being done, in words.")
    size = serializers.IntegerField(allow_null=True)
    received = serializers.IntegerField(help_text="Bytes that have arrived.")
    read = serializers.IntegerField(source="progress", help_text="Bytes that were read.")
    lines = serializers.IntegerField(help_text="Lines that were read.")
    piece = serializers.IntegerField(help_text="Size of every piece but the last.")
    next_piece = serializers.IntegerField(
        allow_null=True, help_text="The piece that is due, from 0; null when none is."
    )
    sha256 = serializers.CharField(help_text="Of the whole as it arrived, once that is known.")
    corrects = serializers.UUIDField(source="corrects.uuid", allow_null=True)
    refusal = serializers.CharField(help_text="Why it was refused, and what to do.")
    log = serializers.UUIDField(
        source="log.uuid", allow_null=True, help_text="The log on file, with its receipt."
    )
    begun = InstantField()
    changed = InstantField()


class PieceShape(serializers.Serializer[Any]):
    """What has arrived by now."""

    received = serializers.IntegerField()
    size = serializers.IntegerField()


class Submissions(Operation):
    """Files on their way in."""

    operation = "submissions"
    reads = frozenset({KeyScope.SUBMISSION, KeyScope.ROUNDS})
    writes = frozenset({KeyScope.SUBMISSION})

    @extend_schema(parameters=[SubmissionQuery], responses=page_of(SubmissionShape))
    def get(self, request: Request) -> Response:
        """Files on their way in and those that arrived, the newest first."""
        given = query_of(request, SubmissionQuery)
        found = Submission.objects.select_related("party", "log", "corrects")
        found = chosen(found, request, given, state="state")
        return Response(page(found, given, SubmissionShape, of="submissions"))

    @extend_schema(request=Begin, responses={201: SubmissionShape})
    @once
    def post(self, request: Request) -> Response:
        """Begin to submit a round log; its pieces follow."""
        given = body_of(request, Begin)
        operator = operator_of(request, given["operator"], Action.SUBMIT_ROUNDS)
        corrects = find_log(operator, given["corrects"]) if "corrects" in given else None
        if "corrects" in given and corrects is None:
            raise Problem(409, NO_LOG, errors=[fault("body", "/corrects", NO_LOG, "not_on_file")])
        mapping = mapping_of(operator, given.get("mapping"))
        try:
            begun = begin_submission(
                party=operator,
                name=given["name"],
                size=given["size"],
                by=key_in(request),
                corrects=corrects,
                reason=given.get("reason", ""),
                sha256=given.get("sha256", ""),
                mapping=mapping,
            )
        except OnFileError as known:
            raise Problem(409, str(known), code="on_file", log=str(known.log.uuid)) from known
        place = reverse("api_submission", args=[begun.uuid])
        return Response(SubmissionShape(begun).data, 201, headers={"Location": place})


def mapping_of(operator: Party, name: str | None) -> LogMapping | None:
    """Return an operator's mapping by name, or respond with 409; none if none is named."""
    if name is None:
        return None
    found = find_mapping(operator, name)
    if found is None:
        raise Problem(409, NO_MAPPING, errors=[fault("body", "/mapping", NO_MAPPING, "no_mapping")])
    return found


class OneSubmission(Operation):
    """A file on its way in."""

    operation = "submission"
    reads = frozenset({KeyScope.SUBMISSION, KeyScope.ROUNDS})

    @extend_schema(responses=SubmissionShape)
    def get(self, request: Request, uuid: UUID) -> Response:
        """How far a file has come: what arrived, what is being done, what came of it."""
        return Response(SubmissionShape(_submission_of(uuid)).data)


class OnePiece(Operation):
    """A piece of a file."""

    operation = "piece"
    writes = frozenset({KeyScope.SUBMISSION})
    parser_classes = (Bytes,)

    @extend_schema(
        parameters=[
            OpenApiParameter(
                PIECE_HEADER,
                {"type": "string", "pattern": DIGEST},
                OpenApiParameter.HEADER,
                required=True,
                description="SHA-256 of this piece.",
            ),
            OpenApiParameter("number", {"type": "integer", "minimum": 0}, OpenApiParameter.PATH),
        ],
        request={"application/octet-stream": OpenApiTypes.BINARY},
        responses=PieceShape,
    )
    def put(self, request: Request, uuid: UUID, number: int) -> Response:
        """Send one piece, from 0 and in order; the one that was sent twice is taken once."""
        found = _submission_of(uuid, request, Action.SUBMIT_ROUNDS)
        sha256 = request.headers.get(PIECE_HEADER, "")
        if not re.fullmatch(DIGEST, sha256):
            detail = "Send the SHA-256 of the piece: 64 hexadecimal digits."
            raise invalid([fault("header", PIECE_HEADER, detail, "required")])
        content = _body(request._request)
        kept = add_piece(submission=found, number=number, sha256=sha256.lower(), content=content)
        return Response({"received": kept.received, "size": kept.size})


class FinishSubmission(Operation):
    """The end of a file."""

    operation = "finish_submission"
    writes = frozenset({KeyScope.SUBMISSION})

    @extend_schema(request=Finish, responses={202: SubmissionShape})
    @once
    def post(self, request: Request, uuid: UUID) -> Response:
        """Say that all pieces were sent; the answer comes at once, the file is read after it."""
        found = _submission_of(uuid, request, Action.SUBMIT_ROUNDS)
        given = body_of(request, Finish)
        finished = finish_submission(
            submission=found, by=key_in(request), sha256=given.get("sha256", "")
        )
        return Response(SubmissionShape(finished).data, 202)


class GiveUpSubmission(Operation):
    """A file that is given up."""

    operation = "give_up_submission"
    writes = frozenset({KeyScope.SUBMISSION})

    @extend_schema(request=Nothing, responses=SubmissionShape)
    @once
    def post(self, request: Request, uuid: UUID) -> Response:
        """Give up a file that has not arrived as a whole."""
        found = _submission_of(uuid, request, Action.SUBMIT_ROUNDS)
        body_of(request, Nothing)
        abandoned = abandon_submission(submission=found, by=key_in(request))
        return Response(SubmissionShape(abandoned).data)


def _submission_of(
    uuid: UUID, request: Request | None = None, action: Action | None = None
) -> Submission:
    found = get_object_or_404(
        Submission.objects.select_related("party", "log", "corrects"), uuid=uuid
    )
    if request is not None and action is not None:
        require_sight(request, action, found.party)
    return found


def _body(request: HttpRequest) -> bytes:
    content: bytes = request.read(PIECE + 1)
    if len(content) > PIECE:
        raise Problem(413, f"A piece has up to {PIECE:,} bytes.")
    return content


class RoundLogQuery(PageQuery):
    """Which logs to list."""

    operator = CodeField(required=False)


class RoundLogShape(serializers.Serializer[Any]):
    """A log on file."""

    log = serializers.UUIDField(source="uuid")
    operator = serializers.CharField(source="party.code")
    name = serializers.CharField()
    sha256 = serializers.CharField()
    size = serializers.IntegerField()
    lines = serializers.IntegerField()
    good = serializers.IntegerField(help_text="Lines that were taken.")
    rejected = serializers.IntegerField()
    already = serializers.IntegerField(help_text="Rounds that were on file with the same content.")
    first_at = InstantField(allow_null=True)
    last_at = InstantField(allow_null=True)
    corrects = serializers.UUIDField(source="corrects.uuid", allow_null=True)
    mapping = serializers.CharField(
        allow_null=True, help_text="Name and version of the mapping that made it a round log."
    )
    at = InstantField()


class Rejected(serializers.Serializer[Any]):
    """Why lines were rejected, how many, and the first of them."""

    cause = serializers.CharField()
    field = serializers.CharField()
    reason = serializers.CharField()
    count = serializers.IntegerField()
    examples = serializers.JSONField(help_text="Number, round and text of the first lines.")


class ReceiptShape(RoundLogShape):
    """The receipt that the person who submitted a log gets."""

    leaf = serializers.IntegerField(help_text="Its place in the event log.")
    totals = serializers.JSONField(
        help_text="Rounds by table, missing tables, and tables that are not the operator's."
    )
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
        given = query_of(request, RoundLogQuery)
        require_sight(request, Action.SEE_ROUNDS)
        found = RoundLog.objects.select_related("party", "corrects", "mapping")
        found = chosen(found, request, given)
        return Response(page(found, given, RoundLogShape, of="round-logs"))


class Receipt(Operation):
    """A log's receipt."""

    operation = "receipt"
    reads = frozenset({KeyScope.SUBMISSION, KeyScope.ROUNDS})

    @extend_schema(responses=ReceiptShape)
    def get(self, request: Request, uuid: UUID) -> Response:
        """The receipt of a log: its digest, when it came, what was taken and what was not."""
        log = _log_of(request, uuid)
        rejected = Rejected(log.rejected_causes.all(), many=True).data
        leaf = receipt_of(log).leaf
        answer = {"leaf": leaf, "totals": log.totals, "rejected_lines": rejected}
        return Response({**RoundLogShape(log).data, **answer})


class Proof(Operation):
    """A log's proof."""

    operation = "round_log_proof"
    reads = frozenset({KeyScope.SUBMISSION, KeyScope.ROUNDS})

    @extend_schema(responses={(200, "text/plain"): OpenApiTypes.STR})
    def get(self, request: Request, uuid: UUID) -> HttpResponse:
        """The proof that the event log holds the registration, for the log's own verifier."""
        log = _log_of(request, uuid)
        answer = HttpResponse(proof_of(log), content_type="text/plain")
        return as_file(answer, f"log-{log.sha256[:12]}.tlog-proof", recorded=None)


class RejectedLines(Operation):
    """A log's rejected lines."""

    operation = "rejected_lines"
    reads = frozenset({KeyScope.ROUNDS})

    @extend_schema(responses={(200, "application/jsonl"): OpenApiTypes.BINARY})
    def get(self, request: Request, uuid: UUID) -> HttpResponseBase:
        """Every rejected line, as JSON Lines; 404 where none was."""
        log = _log_of(request, uuid)
        if not log.rejected_file:
            raise Http404
        recorded = record_rejected_export(log=log, by=key_in(request))
        answer = from_archive(log.rejected_file, "application/jsonl")
        return as_file(answer, f"rejected-{log.sha256[:12]}.jsonl", recorded=recorded)


class Evidence(Operation):
    """A log's bytes."""

    operation = "round_log_file"
    reads = frozenset({KeyScope.ROUNDS})

    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: Request, uuid: UUID) -> HttpResponseBase:
        """The file as it was submitted, byte for byte."""
        log = _log_of(request, uuid)
        recorded = record_evidence_export(log=log, by=key_in(request))
        answer = from_archive(log.sha256, "application/octet-stream")
        return as_file(answer, log.name, recorded=recorded)


class Rounds(Operation):
    """Single rounds."""

    operation = "round"
    reads = frozenset({KeyScope.ROUNDS})

    @extend_schema(parameters=[RoundQuery], responses=RoundShape)
    def get(self, request: Request) -> Response:
        """A round by its number, as it was logged; 404 where none has it."""
        given = query_of(request, RoundQuery)
        operator = operator_of(request, given["operator"], Action.SEE_ROUNDS)
        found = find_round([operator], given["round"])
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


def _log_of(request: Request, uuid: UUID) -> RoundLog:
    """Return a log on file; a program that may only submit can see it too."""
    log = get_object_or_404(RoundLog.objects.select_related("party", "corrects"), uuid=uuid)
    if not allows(request, Action.SUBMIT_ROUNDS, log.party):
        require_sight(request, Action.SEE_ROUNDS, log.party)
    return log
