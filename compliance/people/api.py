"""Parties, and the key that asks, for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from compliance.access.models import Party
from compliance.access.permissions import KeyScope, PartyKind
from compliance.api.fields import InstantField, PageQuery, chosen, page, page_of
from compliance.api.operation import Operation, key_in
from compliance.api.reading import query_of

if TYPE_CHECKING:
    from rest_framework.request import Request


class PartyQuery(PageQuery):
    """Which parties to list."""

    kind = serializers.ChoiceField(PartyKind.choices, required=False)


class PartyShape(serializers.Serializer[Any]):
    """A party."""

    party = serializers.CharField(source="code", help_text="Its code, which never changes.")
    kind = serializers.ChoiceField(PartyKind.choices)
    name = serializers.CharField()
    agency = serializers.CharField(
        source="agency.code",
        allow_null=True,
        help_text="Of a tribal operation: code of its tribe's gaming agency.",
    )


class Parties(Operation):
    """Parties."""

    operation = "parties"

    @extend_schema(parameters=[PartyQuery], responses=page_of(PartyShape))
    def get(self, request: Request) -> Response:
        """Parties that the key's party may see, the newest first; any key may ask."""
        query = query_of(request, PartyQuery)
        found = chosen(Party.objects.select_related("agency"), request, query, kind="kind")
        return Response(page(found, query, PartyShape, of="parties"))


class Key(serializers.Serializer[Any]):
    """A key."""

    key = serializers.UUIDField(source="uuid")
    name = serializers.CharField()
    party = serializers.CharField(
        source="party.code", help_text="Code of the party whose key it is."
    )
    scopes = serializers.ListField(child=serializers.ChoiceField(KeyScope.choices))
    networks = serializers.ListField(child=serializers.CharField())
    expires = InstantField()
    a_minute = serializers.IntegerField(help_text="Requests that it may make.")


class OwnKey(Operation):
    """The key that is shown."""

    operation = "key"

    @extend_schema(responses=Key)
    def get(self, request: Request) -> Response:
        """What this key allows, and until when."""
        return Response(Key(key_in(request)).data)
