"""What is in force for an operator's game and table at an instant."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from compliance.api.operation import Operation, require_sight
from compliance.api.problems import Problem, fault
from compliance.api.reading import TextField, query_of
from compliance.choices import OPERATOR_KINDS
from compliance.models import Party
from compliance.permissions import Action, KeyScope
from compliance.selectors.in_force import in_force

if TYPE_CHECKING:
    from rest_framework.request import Request

EARLIEST, LATEST = 1970, 2200


class CodeField(serializers.RegexField):
    """What other programs call a party, a game or a kind."""

    def __init__(self, **more: Any) -> None:
        super().__init__(r"^[-a-zA-Z0-9_]{1,32}$", trim_whitespace=False, **more)


class InstantField(serializers.DateTimeField):
    """An instant with its offset."""

    def to_internal_value(self, value: Any) -> datetime:
        """Refuse a time without offset: nobody knows whose clock it was."""
        if not isinstance(value, str):
            self.fail("invalid", format="2025-07-12T22:15:00-07:00")
        read = super().to_internal_value(value)
        said = datetime.fromisoformat(value)
        if said.tzinfo is None:
            message = "Write it with its offset, as 2025-07-12T22:15:00-07:00."
            raise serializers.ValidationError(message, "no_offset")
        return read


class InForceQuery(serializers.Serializer[Any]):
    """Whose table, which game, when."""

    operator = CodeField(help_text="Code of the operator.")
    game = CodeField(help_text="As the round log names it: pyramid-poker.")
    table = TextField(required=False, max_length=40, help_text="As the round log names it.")
    at = InstantField(help_text="With its offset: 2025-07-12T22:15:00-07:00.")


class ReasonShape(serializers.Serializer[Any]):
    """Why play was not authorised."""

    code = serializers.CharField()
    text = serializers.CharField()


class ApprovedBy(serializers.Serializer[Any]):
    """An approval in the chain."""

    by = serializers.UUIDField()
    at = serializers.DateTimeField()
    digest = serializers.CharField()
    conditions = serializers.ListField(child=serializers.CharField())


class InForceShape(serializers.Serializer[Any]):
    """What bound a round, and by whose word."""

    authorised = serializers.BooleanField()
    reasons = ReasonShape(many=True)
    game = serializers.CharField()
    rule_version = serializers.UUIDField(allow_null=True)
    rule_set = serializers.CharField(allow_null=True)
    interpretations = serializers.DictField(child=serializers.CharField())
    controls_version = serializers.UUIDField(allow_null=True)
    limits = serializers.DictField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="Lowest and highest wager in cents, by wager.",
    )
    cap = serializers.JSONField(help_text="The law's highest wager, if one binds.")
    approvals = ApprovedBy(many=True)


class WhatIsInForce(Operation):
    """What bound a round at an instant."""

    operation = "in_force"
    reads = frozenset({KeyScope.CONTROLS})

    @extend_schema(parameters=[InForceQuery], responses=InForceShape)
    def get(self, request: Request) -> Response:
        """What was in force at an operator's table at an instant, or why nothing could be dealt."""
        said = query_of(request, InForceQuery)
        operator = get_object_or_404(Party, code=said["operator"], kind__in=OPERATOR_KINDS)
        require_sight(request, Action.SEE_CONTROLS)
        if not EARLIEST <= said["at"].year <= LATEST:
            says = f"No filing speaks of that year; ask about one from {EARLIEST} to {LATEST}."
            raise Problem(409, says, errors=[fault("query", "at", says, "out_of_reach")])
        found = in_force(
            operator=operator, game=said["game"], table=said.get("table"), at=said["at"]
        )
        return Response(found.as_answer())
