"""Reads the event log: which events somebody may read, and the sentence of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from compliance.events import event_types, find_event_type
from compliance.models import Party
from compliance.models.event import ActorKind, Event
from compliance.permissions import COMMISSION_ROLES, Action, key_may, may

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from uuid import UUID

    from django.db.models import QuerySet

    from compliance.models import ApiKey, Membership

SOMEBODY = {
    ActorKind.PERSON: "Somebody whose name was removed",
    ActorKind.KEY: "A program",
    ActorKind.SYSTEM: "The system",
    ActorKind.ANYONE: "Somebody not signed in",
}


def readable_events(memberships: Iterable[Membership]) -> QuerySet[Event]:
    """Find the events that somebody with these roles may read, newest first.

    The whole log for those who oversee; what concerns parties for others of the commission; for a
    party's own people what concerns their party and is open to it.
    """
    held = list(memberships)
    events = Event.objects.select_related("personal", "placed").order_by("-id")
    if may(held, Action.READ_EVERY_EVENT):
        return events
    readers = [one for one in held if may([one], Action.READ_EVENTS)]
    if any(one.role in COMMISSION_ROLES for one in readers):
        return events.filter(party__isnull=False)
    own = [one.party.uuid for one in readers]
    return events.filter(party__in=own, type__in=open_types()) if own else events.none()


def events_for_key(key: ApiKey) -> QuerySet[Event]:
    """Find the events that a program with a key may read, newest first: as its people may."""
    events = Event.objects.select_related("personal", "placed").order_by("-id")
    if key_may(key, Action.READ_EVERY_EVENT):
        return events
    return events.filter(party=key.party.uuid, type__in=open_types())


def open_types() -> list[str]:
    """Name the event types that a party may read about itself."""
    return [kind.name for kind in event_types() if kind.open_to_party]


@dataclass(frozen=True)
class Told:
    """An event as people read it."""

    event: Event
    says: str
    details: Mapping[str, Any]
    private: Mapping[str, Any]
    private_removed: bool
    index: int | None


def tell_all(events: Iterable[Event]) -> list[Told]:
    """Put events into words; they need `personal` and `placed` selected."""
    told = list(events)
    parties = Party.objects.filter(uuid__in={event.party for event in told if event.party})
    names = dict(parties.values_list("uuid", "name"))
    return [tell(event, names) for event in told]


def tell(event: Event, parties: Mapping[UUID, str]) -> Told:
    """Put an event into words, with the names of parties; it needs `personal` and `placed`."""
    row = getattr(event, "personal", None)
    private: Mapping[str, Any] = (row.data if row is not None else None) or {}
    removed = bool(event.personal_digest) and not private
    kind = find_event_type(event.type)
    names = {
        **event.payload,
        **private,
        "actor": private.get("actor") or SOMEBODY[ActorKind(event.actor_kind)],
        "object": private.get("object")
        or event.payload.get("object")
        or ("(name removed)" if removed else event.object_type),
        "party": parties.get(event.party, event.party) if event.party else "",
        "reason": event.reason,
    }
    says = kind.says.format_map(_Removed(names)) if kind else f"An event of type {event.type}"
    placed = getattr(event, "placed", None)
    return Told(
        event=event,
        says=says,
        details={name: value for name, value in event.payload.items() if name != "object"},
        private=private,
        private_removed=removed,
        index=placed.index if placed is not None else None,
    )


class _Removed(dict[str, Any]):
    """Stands in for what was personal and is removed."""

    def __missing__(self, key: str) -> str:
        return "(removed)"
