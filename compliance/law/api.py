"""The law on a day: what each rule allowed, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from compliance import clock
from compliance.api.fields import DayField
from compliance.api.operation import Operation
from compliance.api.reading import query_of
from compliance.law.reads import law_on

if TYPE_CHECKING:
    from rest_framework.request import Request


class LawQuery(serializers.Serializer[Any]):
    """On which day."""

    on = DayField(required=False, help_text="Today, where none is said.")


@extend_schema_field({"type": ["integer", "string", "null"]})
class LawValueField(serializers.JSONField):
    """A value of the law: an amount or a count, a word, or null where nothing is verified."""


class LawValueShape(serializers.Serializer[Any]):
    """What one rule allowed over one span of days."""

    rule = serializers.CharField()
    scope = serializers.CharField()
    value = LawValueField(help_text="null if it has not been verified.")
    unit = serializers.CharField()
    to = serializers.DateField(allow_null=True)
    verified_through = serializers.DateField(allow_null=True)
    citation = serializers.CharField()
    filing = serializers.CharField()
    grade = serializers.CharField(help_text="How sure it is.")

    def get_fields(self) -> dict[str, Any]:
        """`from` is a word of Python's."""
        return {"from": serializers.DateField(source="from_"), **super().get_fields()}


class LawShape(serializers.Serializer[Any]):
    """Every rule of which anything is known on that day."""

    values = LawValueShape(many=True)


class Law(Operation):
    """The law."""

    operation = "law"

    @extend_schema(parameters=[LawQuery], responses=LawShape)
    def get(self, request: Request) -> Response:
        """What the law allowed on a day; any key may ask."""
        day = query_of(request, LawQuery).get("on") or clock.today()
        return Response(LawShape({"values": law_on(day)}).data)
