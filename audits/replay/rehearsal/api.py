"""API to check a round log before it counts."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from audits.intake.api import mapping_of
from audits.intake.mapping.definition import read_definition
from audits.replay.rehearsal.reads import LARGEST_AT_ONCE, rehearse
from compliance.access.permissions import Action, KeyScope
from compliance.api.fields import CodeField, operator_of
from compliance.api.operation import Operation
from compliance.api.problems import Problem
from compliance.api.reading import Bytes, TextField, query_of

if TYPE_CHECKING:
    from rest_framework.request import Request


class CheckQuery(serializers.Serializer[Any]):
    """Whose log it would be."""

    operator = CodeField(help_text="Code of the operator for whom the log would be submitted.")
    name = TextField(
        required=False, min_length=1, max_length=200, help_text="Of the file, for messages."
    )
    mapping = TextField(
        required=False, max_length=80, help_text="Name of a mapping, or NAME@VERSION."
    )


class CoveredTable(serializers.Serializer[Any]):
    """Rounds of a table."""

    table = serializers.CharField()
    game = serializers.CharField()
    rounds = serializers.IntegerField()


class MissedTable(serializers.Serializer[Any]):
    """A table without a round on a gambling day."""

    day = serializers.DateField()
    game = serializers.CharField()
    table = serializers.CharField()


class RehearsalShape(serializers.Serializer[Any]):
    """What submitting the file would answer."""

    v = serializers.IntegerField()
    sha256 = serializers.CharField()
    lines = serializers.IntegerField()
    good = serializers.IntegerField(help_text="Rounds that would be accepted.")
    rejected = serializers.IntegerField()
    already = serializers.IntegerField(help_text="Rounds on file with the same content.")
    records = serializers.IntegerField(help_text="Records other than rounds.")
    tables = CoveredTable(many=True)
    missing = MissedTable(many=True, help_text="Approved tables without a round that day.")
    unknown_tables = CoveredTable(many=True, help_text="Tables that are not this operator's.")
    findings = serializers.DictField(
        child=serializers.IntegerField(), help_text="What would be flagged: findings by code."
    )


class CheckLog(Operation):
    """A round log that does not count yet."""

    operation = "check_log"
    writes = frozenset({KeyScope.SUBMISSION})
    parser_classes = (Bytes,)

    @extend_schema(
        parameters=[CheckQuery],
        request={"application/octet-stream": OpenApiTypes.BINARY},
        responses=RehearsalShape,
    )
    def put(self, request: Request) -> Response:
        """Say what submitting a file would answer; nothing of it is kept."""
        query = query_of(request, CheckQuery)
        operator = operator_of(request, query["operator"], Action.SUBMIT_ROUNDS)
        mapping = mapping_of(operator, query.get("mapping"))
        content: bytes = request._request.read(LARGEST_AT_ONCE + 1)
        if len(content) > LARGEST_AT_ONCE:
            raise Problem(413, f"A file of up to {LARGEST_AT_ONCE:,} bytes is checked here.")
        found = rehearse(
            party=operator,
            name=query.get("name", "The file"),
            mapping=read_definition(mapping.content) if mapping else None,
            content=io.BytesIO(content),
            largest=LARGEST_AT_ONCE,
        )
        return Response(found.as_json())
