"""Read the event log: which events a user may read, and their sentences."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from compliance.access.models import Party
from compliance.access.permissions import COMMISSION_ROLES, Action, key_may, may
from compliance.events.models import ActorKind, Event
from compliance.events.signatures import is_signed, key_digest
from compliance.events.types import event_types, find_event_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from uuid import UUID

    from django.db.models import QuerySet

    from compliance.access.models import ApiKey, Membership


ACTORS = {
    ActorKind.PERSON: "Someone whose name was removed",
    ActorKind.KEY: "A program",
    ActorKind.SYSTEM: "The system",
    ActorKind.ANYONE: "Someone not signed in",
}


def readable_events(memberships: Iterable[Membership]) -> QuerySet[Event]:
    """Find the events that a user with these roles may read, newest first.

    Oversight roles read the whole log; others in the commission read events about parties; a
    party's own people read the events about their party that are open to it.
    """
    roles = list(memberships)
    events = Event.objects.select_related("personal", "placed").order_by("-id")
    if may(roles, Action.READ_EVERY_EVENT):
        return events
    readers = [each for each in roles if may([each], Action.READ_EVENTS)]
    if any(each.role in COMMISSION_ROLES for each in readers):
        return events.filter(party__isnull=False)
    own = [each.party.uuid for each in readers]
    return events.filter(party__in=own, type__in=open_types()) if own else events.none()


def events_for_key(key: ApiKey) -> QuerySet[Event]:
    """Find the events that an API key may read, newest first: the same as its people."""
    events = Event.objects.select_related("personal", "placed").order_by("-id")
    if key_may(key, Action.READ_EVERY_EVENT):
        return events
    return events.filter(party=key.party.uuid, type__in=open_types())


def open_types() -> list[str]:
    """List the event types that a party may read about itself."""
    return [kind.name for kind in event_types() if kind.open_to_party]


@dataclass(frozen=True)
class EventDescription:
    """An event as shown to people."""

    event: Event
    says: str
    party: Party | None
    details: Mapping[str, Any]
    private: Mapping[str, Any]
    private_removed: bool
    index: int | None

    @property
    def signature(self) -> str:
        """Return in words whether the actor signed it; empty if nobody signs such an event."""
        signature = self.event.signature
        if not signature:
            return ""
        if not is_signed(self.event.content()):
            return f"None: {signature['unsigned']}."
        key = key_digest(b64decode(signature["key"]))
        return f"Signed by the actor with a passkey ({key})."


def describe_events(events: Iterable[Event]) -> list[EventDescription]:
    """Describe events; `personal` and `placed` must be selected."""
    found = list(events)
    parties = Party.objects.filter(uuid__in={event.party for event in found if event.party})
    by_uuid = {party.uuid: party for party in parties}
    return [describe_event(event, by_uuid) for event in found]


def describe_event(event: Event, parties: Mapping[UUID, Party]) -> EventDescription:
    """Describe an event, given the parties; `personal` and `placed` must be selected."""
    row = getattr(event, "personal", None)
    kept: Mapping[str, Any] = (row.data if row is not None else None) or {}
    private = {name: value for name, value in kept.items() if name != "states"}
    removed = bool(event.personal_digest) and not kept
    kind = find_event_type(event.type)
    party = parties.get(event.party) if event.party else None
    names = {
        **event.payload,
        **private,
        "actor": private.get("actor") or ACTORS[ActorKind(event.actor_kind)],
        "object": private.get("object")
        or event.payload.get("object")
        or ("(name removed)" if removed else event.object_type),
        "party": party or event.party or "",
        "reason": event.reason,
    }
    says = kind.says.format_map(_Removed(names)) if kind else f"An event of type {event.type}"
    placed = getattr(event, "placed", None)
    return EventDescription(
        event=event,
        says=says,
        party=party,
        details={name: value for name, value in event.payload.items() if name != "object"},
        private=private,
        private_removed=removed,
        index=placed.index if placed is not None else None,
    )


class _Removed(dict[str, Any]):
    """A placeholder for personal data that was removed."""

    def __missing__(self, key: str) -> str:
        return "(removed)"
