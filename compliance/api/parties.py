"""Parties: the codes by which everything else names them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from compliance.api.fields import chosen
from compliance.api.lists import PageQuery, page, page_of
from compliance.api.operation import Operation
from compliance.api.reading import query_of
from compliance.choices import PartyKind
from compliance.models import Party

if TYPE_CHECKING:
    from rest_framework.request import Request


class PartyQuery(PageQuery):
    """Which parties to list."""

    kind = serializers.ChoiceField(PartyKind.choices, required=False)


class PartyShape(serializers.Serializer[Any]):
    """A party."""

    party = serializers.CharField(help_text="Its code, which never changes.")
    kind = serializers.ChoiceField(PartyKind.choices)
    name = serializers.CharField()
    agency = serializers.CharField(
        allow_null=True, help_text="Of a tribal operation: code of its tribe's gaming agency."
    )


class Parties(Operation):
    """Parties."""

    operation = "parties"

    @extend_schema(parameters=[PartyQuery], responses=page_of(PartyShape))
    def get(self, request: Request) -> Response:
        """Parties that the key's party may see, the newest first; any key may ask."""
        said = query_of(request, PartyQuery)
        found = chosen(Party.objects.select_related("agency"), request, said, kind="kind")
        return Response(page(found, said, _told, of="parties"))


def _told(party: Party) -> dict[str, Any]:
    return {
        "party": party.code,
        "kind": party.kind,
        "name": party.name,
        "agency": party.agency.code if party.agency else None,
    }
