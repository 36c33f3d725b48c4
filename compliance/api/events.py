"""The event log: what happened, in words and as recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from compliance.api.fields import CodeField, DayField, at
from compliance.api.lists import PageQuery, page, page_of
from compliance.api.operation import Operation, key_in, require_sight
from compliance.api.reading import query_of
from compliance.models import Event, Party
from compliance.models.event import ActorKind
from compliance.permissions import Action, KeyScope
from compliance.selectors.events import events_for_key, tell

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request


class EventQuery(PageQuery):
    """Which events to list."""

    type = serializers.RegexField(r"^[a-z_.]{1,60}$", required=False)
    since = DayField(required=False, help_text="From this day on.")
    until = DayField(required=False, help_text="Up to this day.")
    party = CodeField(required=False, help_text="Code of the party that it concerns.")
    actor = serializers.UUIDField(required=False)
    object = serializers.UUIDField(required=False)


class EventShape(serializers.Serializer[Any]):
    """Something that happened."""

    event = serializers.UUIDField()
    at = serializers.DateTimeField()
    type = serializers.CharField()
    says = serializers.CharField(help_text="In words; a name that was removed is left out.")
    reason = serializers.CharField()
    actor_kind = serializers.ChoiceField(ActorKind.choices)
    actor = serializers.UUIDField(allow_null=True)
    party = serializers.CharField(allow_null=True, help_text="Code of the party it concerns.")
    object_type = serializers.CharField()
    object = serializers.UUIDField(allow_null=True)
    details = serializers.DictField()
    leaf = serializers.IntegerField(
        allow_null=True, help_text="Its place in the event log; null while it waits for one."
    )


class Events(Operation):
    """Events."""

    operation = "events"
    reads = frozenset({KeyScope.EVENTS})

    @extend_schema(parameters=[EventQuery], responses=page_of(EventShape))
    def get(self, request: Request) -> Response:
        """Events that the key's party may read, the newest first."""
        said = query_of(request, EventQuery)
        require_sight(request, Action.READ_EVENTS)
        found = events_for_key(key_in(request))
        for name, field in ASKED.items():
            if name in said:
                found = found.filter(**{field: said[name]})
        if "party" in said:
            found = found.filter(party=get_object_or_404(Party, code=said["party"]).uuid)
        parties = list(Party.objects.all())
        codes = {each.uuid: each.code for each in parties}
        names = {each.uuid: each.name for each in parties}
        return Response(page(found, said, lambda each: _told(each, codes, names), of="events"))


ASKED = {
    "type": "type",
    "since": "at__date__gte",
    "until": "at__date__lte",
    "actor": "actor",
    "object": "object",
}


def _told(event: Event, codes: dict[UUID, str], names: dict[UUID, str]) -> dict[str, Any]:
    told = tell(event, names)
    return {
        "event": str(event.uuid),
        "at": at(event.at),
        "type": event.type,
        "says": told.says,
        "reason": event.reason,
        "actor_kind": event.actor_kind,
        "actor": str(event.actor) if event.actor else None,
        "party": codes.get(event.party) if event.party else None,
        "object_type": event.object_type,
        "object": str(event.object) if event.object else None,
        "details": dict(told.details),
        "leaf": told.index,
    }
