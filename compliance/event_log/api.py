"""The event log: what happened, in words and as recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from compliance.access.models import Party
from compliance.access.permissions import Action, KeyScope
from compliance.api.fields import CodeField, DayField, InstantField, PageQuery, page, page_of
from compliance.api.operation import Operation, key_in, require_sight
from compliance.api.reading import query_of
from compliance.event_log.reads import describe_event, events_for_key
from compliance.events.models import ActorKind, Event

if TYPE_CHECKING:
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

    event = serializers.UUIDField(source="event.uuid")
    at = InstantField(source="event.at")
    type = serializers.CharField(source="event.type")
    says = serializers.CharField(help_text="In words; a name that was removed is left out.")
    reason = serializers.CharField(source="event.reason")
    actor_kind = serializers.ChoiceField(ActorKind.choices, source="event.actor_kind")
    actor = serializers.UUIDField(source="event.actor", allow_null=True)
    party = serializers.CharField(
        source="party.code", allow_null=True, help_text="Code of the party it concerns."
    )
    object_type = serializers.CharField(source="event.object_type")
    object = serializers.UUIDField(source="event.object", allow_null=True)
    details = serializers.DictField()
    leaf = serializers.IntegerField(
        source="index",
        allow_null=True,
        help_text="Its place in the event log; null while it waits for one.",
    )


class Events(Operation):
    """Events."""

    operation = "events"
    reads = frozenset({KeyScope.EVENTS})

    @extend_schema(parameters=[EventQuery], responses=page_of(EventShape))
    def get(self, request: Request) -> Response:
        """Events that the key's party may read, the newest first."""
        query = query_of(request, EventQuery)
        require_sight(request, Action.READ_EVENTS)
        events = events_for_key(key_in(request))
        for name, field in FILTERS.items():
            if name in query:
                events = events.filter(**{field: query[name]})
        if "party" in query:
            events = events.filter(party=get_object_or_404(Party, code=query["party"]).uuid)
        parties = {each.uuid: each for each in Party.objects.all()}

        def describe(event: Event) -> dict[str, Any]:
            return EventShape(describe_event(event, parties)).data

        return Response(page(events, query, describe, of="events"))


FILTERS = {
    "type": "type",
    "since": "at__date__gte",
    "until": "at__date__lte",
    "actor": "actor",
    "object": "object",
}
