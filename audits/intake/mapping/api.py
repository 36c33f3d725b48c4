"""API for mappings: list and save them, and read one to keep it elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from audits.intake.mapping.models import LogMapping
from audits.intake.mapping.reads import newest_of_visible
from audits.intake.mapping.writes import save_mapping
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
from compliance.api.operation import Operation, key_in
from compliance.api.reading import body_of, query_of

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request


class MappingQuery(PageQuery):
    """Whose mappings to list."""

    operator = CodeField(required=False)


class NewMapping(serializers.Serializer[Any]):
    """A mapping to save."""

    operator = CodeField(help_text="Code of the operator whose files it reads.")
    content = serializers.DictField(
        help_text="The mapping: format, name, layout, rows, fields and how values are written. "
        "The how-to *Submit a CSV or Excel export* describes it."
    )


class MappingShape(serializers.Serializer[Any]):
    """A version of a mapping."""

    mapping = serializers.UUIDField(source="uuid")
    operator = serializers.CharField(source="party.code")
    name = serializers.CharField()
    version = serializers.IntegerField()
    content = serializers.JSONField(help_text="The mapping, as it is exported.")
    at = InstantField()


class LogMappings(Operation):
    """Mappings."""

    operation = "log_mappings"
    reads = frozenset({KeyScope.SUBMISSION, KeyScope.ROUNDS})
    writes = frozenset({KeyScope.SUBMISSION})

    @extend_schema(parameters=[MappingQuery], responses=page_of(MappingShape))
    def get(self, request: Request) -> Response:
        """Saved mappings, each in its newest version, by name."""
        query = query_of(request, MappingQuery)
        found = chosen(newest_of_visible(), request, query)
        return Response(page(found, query, MappingShape, of="log-mappings"))

    @extend_schema(request=NewMapping, responses={201: MappingShape})
    @once
    def post(self, request: Request) -> Response:
        """Save a mapping as the next version of its name; the same content again is one version."""
        given = body_of(request, NewMapping)
        operator = operator_of(request, given["operator"], Action.SUBMIT_ROUNDS)
        saved = save_mapping(party=operator, content=given["content"], by=key_in(request))
        place = reverse("api_log_mapping", args=[saved.uuid])
        return Response(MappingShape(saved).data, 201, headers={"Location": place})


class OneLogMapping(Operation):
    """A version of a mapping."""

    operation = "log_mapping"
    reads = frozenset({KeyScope.SUBMISSION, KeyScope.ROUNDS})

    @extend_schema(responses=MappingShape)
    def get(self, request: Request, uuid: UUID) -> Response:
        """One version of a mapping, with its content."""
        found = get_object_or_404(LogMapping.objects.select_related("party"), uuid=uuid)
        return Response(MappingShape(found).data)
