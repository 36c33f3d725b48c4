"""What is in force for an operator's game and table at an instant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from compliance.api.fields import CodeField, InstantField, operator_of, require_reach
from compliance.api.operation import Operation, require_sight
from compliance.api.reading import TextField, query_of
from compliance.permissions import Action, KeyScope
from compliance.selectors.in_force import in_force

if TYPE_CHECKING:
    from rest_framework.request import Request


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
        operator = operator_of(request, said["operator"])
        require_sight(request, Action.SEE_CONTROLS)
        require_reach(said["at"], "at")
        found = in_force(
            operator=operator, game=said["game"], table=said.get("table"), at=said["at"]
        )
        return Response(found.as_answer())
