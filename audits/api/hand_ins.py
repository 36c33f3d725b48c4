"""Round logs on their way in: begun, sent in pieces, finished, followed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from audits.models import HandIn
from audits.selectors.round_logs import find_log
from audits.services.hand_in import (
    LARGEST,
    OnFileError,
    abandon_hand_in,
    begin_hand_in,
    finish_hand_in,
)
from audits.services.pieces import PIECE, add_piece
from compliance.api.fields import CodeField, at, chosen, operator_of
from compliance.api.lists import PageQuery, page, page_of
from compliance.api.once import once
from compliance.api.operation import Operation, key_in, require_sight
from compliance.api.problems import Problem, fault, invalid
from compliance.api.reading import Bytes, Nothing, TextField, body_of, query_of
from compliance.permissions import Action, KeyScope

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest
    from rest_framework.request import Request

DIGEST = r"^[0-9a-fA-F]{64}$"
PIECE_HEADER = "Piece-SHA256"
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


class Finish(serializers.Serializer[Any]):
    """What is said when all pieces were sent."""

    sha256 = serializers.RegexField(
        DIGEST, required=False, help_text="Of the whole; a file that differs is refused."
    )


class HandInQuery(PageQuery):
    """Which hand-ins to list."""

    operator = CodeField(required=False)
    state = serializers.ChoiceField(HandIn.State.choices, required=False)


class HandInShape(serializers.Serializer[Any]):
    """How far a file has come."""

    hand_in = serializers.UUIDField()
    operator = serializers.CharField()
    name = serializers.CharField()
    state = serializers.ChoiceField(HandIn.State.choices)
    step = serializers.CharField(help_text="What is being done, in words.")
    size = serializers.IntegerField(allow_null=True)
    received = serializers.IntegerField(help_text="Bytes that have arrived.")
    read = serializers.IntegerField(help_text="Bytes that were read.")
    lines = serializers.IntegerField(help_text="Lines that were read.")
    piece = serializers.IntegerField(help_text="Size of every piece but the last.")
    next_piece = serializers.IntegerField(
        allow_null=True, help_text="The piece that is due, from 0; null when none is."
    )
    sha256 = serializers.CharField(help_text="Of the whole as it arrived, once that is known.")
    corrects = serializers.UUIDField(allow_null=True)
    refusal = serializers.CharField(help_text="Why it was refused, and what to do.")
    log = serializers.UUIDField(allow_null=True, help_text="The log on file, with its receipt.")
    begun = serializers.DateTimeField()
    changed = serializers.DateTimeField()


class PieceShape(serializers.Serializer[Any]):
    """What has arrived by now."""

    received = serializers.IntegerField()
    size = serializers.IntegerField()


class HandIns(Operation):
    """Files on their way in."""

    operation = "hand_ins"
    reads = frozenset({KeyScope.HAND_IN, KeyScope.ROUNDS})
    writes = frozenset({KeyScope.HAND_IN})

    @extend_schema(parameters=[HandInQuery], responses=page_of(HandInShape))
    def get(self, request: Request) -> Response:
        """Files on their way in and those that arrived, the newest first."""
        said = query_of(request, HandInQuery)
        found = HandIn.objects.select_related("party", "log", "corrects")
        found = chosen(found, request, said, state="state")
        return Response(page(found, said, told_of, of="hand-ins"))

    @extend_schema(request=Begin, responses={201: HandInShape})
    @once
    def post(self, request: Request) -> Response:
        """Begin to hand in a round log; its pieces follow."""
        said = body_of(request, Begin)
        operator = operator_of(request, said["operator"], Action.HAND_IN_ROUNDS)
        corrects = find_log(operator, said["corrects"]) if "corrects" in said else None
        if "corrects" in said and corrects is None:
            raise Problem(409, NO_LOG, errors=[fault("body", "/corrects", NO_LOG, "not_on_file")])
        try:
            begun = begin_hand_in(
                party=operator,
                name=said["name"],
                size=said["size"],
                by=key_in(request),
                corrects=corrects,
                reason=said.get("reason", ""),
                sha256=said.get("sha256", ""),
            )
        except OnFileError as known:
            raise Problem(409, str(known), code="on_file", log=str(known.log.uuid)) from known
        place = reverse("api_hand_in", args=[begun.uuid])
        return Response(told_of(begun), 201, headers={"Location": place})


class OneHandIn(Operation):
    """A file on its way in."""

    operation = "hand_in"
    reads = frozenset({KeyScope.HAND_IN, KeyScope.ROUNDS})

    @extend_schema(responses=HandInShape)
    def get(self, request: Request, uuid: UUID) -> Response:
        """How far a file has come: what arrived, what is being done, what came of it."""
        return Response(told_of(_found(uuid)))


class OnePiece(Operation):
    """A piece of a file."""

    operation = "piece"
    writes = frozenset({KeyScope.HAND_IN})
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
        found = _found(uuid, request, Action.HAND_IN_ROUNDS)
        sha256 = request.headers.get(PIECE_HEADER, "")
        if not re.fullmatch(DIGEST, sha256):
            detail = "Send the SHA-256 of the piece: 64 hexadecimal digits."
            raise invalid([fault("header", PIECE_HEADER, detail, "required")])
        content = _body(request._request)
        kept = add_piece(hand_in=found, number=number, sha256=sha256.lower(), content=content)
        return Response({"received": kept.received, "size": kept.size})


class FinishHandIn(Operation):
    """The end of a file."""

    operation = "finish_hand_in"
    writes = frozenset({KeyScope.HAND_IN})

    @extend_schema(request=Finish, responses={202: HandInShape})
    @once
    def post(self, request: Request, uuid: UUID) -> Response:
        """Say that all pieces were sent; the answer comes at once, the file is read after it."""
        found = _found(uuid, request, Action.HAND_IN_ROUNDS)
        said = body_of(request, Finish)
        finished = finish_hand_in(hand_in=found, by=key_in(request), sha256=said.get("sha256", ""))
        return Response(told_of(finished), 202)


class GiveUpHandIn(Operation):
    """A file that is given up."""

    operation = "give_up_hand_in"
    writes = frozenset({KeyScope.HAND_IN})

    @extend_schema(request=Nothing, responses=HandInShape)
    @once
    def post(self, request: Request, uuid: UUID) -> Response:
        """Give up a file that has not arrived as a whole."""
        found = _found(uuid, request, Action.HAND_IN_ROUNDS)
        body_of(request, Nothing)
        return Response(told_of(abandon_hand_in(hand_in=found, by=key_in(request))))


def told_of(hand_in: HandIn) -> dict[str, Any]:
    """A hand-in as programs are told of it."""
    receiving = hand_in.state == HandIn.State.RECEIVING
    due = receiving and hand_in.received < (hand_in.size or 0)
    return {
        "hand_in": str(hand_in.uuid),
        "operator": hand_in.party.code,
        "name": hand_in.name,
        "state": hand_in.state,
        "step": hand_in.step,
        "size": hand_in.size,
        "received": hand_in.received,
        "read": hand_in.progress,
        "lines": hand_in.lines,
        "piece": PIECE,
        "next_piece": hand_in.received // PIECE if due else None,
        "sha256": hand_in.sha256,
        "corrects": str(hand_in.corrects.uuid) if hand_in.corrects else None,
        "refusal": hand_in.refusal,
        "log": str(hand_in.log.uuid) if hand_in.log else None,
        "begun": at(hand_in.begun),
        "changed": at(hand_in.changed),
    }


def _found(uuid: UUID, request: Request | None = None, action: Action | None = None) -> HandIn:
    found = get_object_or_404(HandIn.objects.select_related("party", "log", "corrects"), uuid=uuid)
    if request is not None and action is not None:
        require_sight(request, action, found.party)
    return found


def _body(request: HttpRequest) -> bytes:
    content: bytes = request.read(PIECE + 1)
    if len(content) > PIECE:
        raise Problem(413, f"A piece has up to {PIECE:,} bytes.")
    return content
