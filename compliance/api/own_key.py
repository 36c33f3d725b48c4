"""A key asks about itself: what it is good for, and until when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from compliance.api.fields import at
from compliance.api.operation import Operation, key_in
from compliance.permissions import KeyScope

if TYPE_CHECKING:
    from rest_framework.request import Request


class Key(serializers.Serializer[Any]):
    """A key."""

    key = serializers.UUIDField()
    name = serializers.CharField()
    party = serializers.CharField(help_text="Code of the party whose key it is.")
    scopes = serializers.ListField(child=serializers.ChoiceField(KeyScope.choices))
    networks = serializers.ListField(child=serializers.CharField())
    expires = serializers.DateTimeField()
    a_minute = serializers.IntegerField(help_text="Requests that it may make.")


class OwnKey(Operation):
    """The key that is shown."""

    operation = "key"

    @extend_schema(responses=Key)
    def get(self, request: Request) -> Response:
        """What this key is good for, and until when."""
        key = key_in(request)
        return Response(
            {
                "key": str(key.uuid),
                "name": key.name,
                "party": key.party.code,
                "scopes": key.scopes,
                "networks": key.networks,
                "expires": at(key.expires),
                "a_minute": settings.API_RATE,
            }
        )
