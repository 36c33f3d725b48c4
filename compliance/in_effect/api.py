"""What is in effect for an operator's game and table at an instant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from compliance.access.permissions import Action, KeyScope
from compliance.api.fields import CodeField, GameField, InstantField, operator_of, require_reach
from compliance.api.operation import Operation, require_sight
from compliance.api.reading import TextField, query_of
from compliance.in_effect.reads import find_terms

if TYPE_CHECKING:
    from rest_framework.request import Request


class InEffectQuery(serializers.Serializer[Any]):
    """Whose table, which game, when."""

    operator = CodeField(help_text="Code of the operator.")
    game = GameField(help_text="As the round log names it: pyramid-poker.")
    table = TextField(required=False, max_length=40, help_text="As the round log names it.")
    at = InstantField(help_text="With its offset: 2025-07-12T22:15:00-07:00.")


class ReasonShape(serializers.Serializer[Any]):
    """Why play was not authorized."""

    code = serializers.CharField()
    text = serializers.CharField()


class ApprovedBy(serializers.Serializer[Any]):
    """An approval in the chain."""

    by = serializers.UUIDField()
    at = InstantField()
    digest = serializers.CharField()
    conditions = serializers.ListField(child=serializers.CharField(), source="conditions.all")


class PayTableInEffect(serializers.Serializer[Any]):
    """The approved pay table of a wager."""

    name = serializers.CharField()
    digest = serializers.CharField()


class InEffectShape(serializers.Serializer[Any]):
    """The terms in effect for a round, and who approved them."""

    v = serializers.IntegerField(
        read_only=True, default=2, help_text="The version of this shape, as the commands number it."
    )
    authorized = serializers.BooleanField()
    reasons = ReasonShape(many=True)
    game = serializers.CharField()
    definition = serializers.CharField(
        allow_null=True, help_text="Digest of what the commission approved."
    )
    pay_tables = serializers.DictField(
        child=PayTableInEffect(), help_text="The chosen pay table, by wager."
    )
    interpretations = serializers.DictField(child=serializers.CharField())
    controls_version = serializers.UUIDField(source="controls_version.uuid", allow_null=True)
    limits = serializers.DictField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="Lowest and highest wager in cents, by wager.",
    )
    cap = serializers.JSONField(help_text="The legal cap on a single wager, if there is one.")
    approvals = ApprovedBy(many=True)


class WhatIsInEffect(Operation):
    """The terms in effect at an instant."""

    operation = "in_effect"
    reads = frozenset({KeyScope.CONTROLS})

    @extend_schema(parameters=[InEffectQuery], responses=InEffectShape)
    def get(self, request: Request) -> Response:
        """Return what was in effect at an operator's table at an instant, or why nothing was."""
        query = query_of(request, InEffectQuery)
        operator = operator_of(request, query["operator"])
        require_sight(request, Action.SEE_CONTROLS)
        require_reach(query["at"], "at")
        terms = find_terms(
            operator=operator, game=query["game"], table=query.get("table"), at=query["at"]
        )
        return Response(InEffectShape(terms).data)
