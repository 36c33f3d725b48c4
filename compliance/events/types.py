"""The registry of event types, each with the sentence that describes it.

Each package defines its types in its `events` and passes them to `record`. A type declares what its
payload contains; the reference in `docs/reference/events.md` is generated from it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from string import Formatter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


NAME = re.compile(r"[a-z_]+(\.[a-z_]+)+")
ALWAYS = frozenset({"actor", "object", "party", "reason"})
_registered: dict[str, EventType] = {}


@dataclass(frozen=True)
class EventType:
    """An event type. `says` is its sentence, with placeholders for the payload.

    `carries` and `personal` describe the payload's entries; the `personal` ones are stored apart
    from the event. `needs_reason`: the actor must give a reason. `open_to_party`: the party
    concerned may read it; only the commission reads other events. `signed`: people confirm it with
    their passkey.
    """

    name: str
    says: str
    carries: Mapping[str, str] = field(default_factory=dict)
    personal: Mapping[str, str] = field(default_factory=dict)
    needs_reason: bool = False
    open_to_party: bool = False
    signed: bool = False


class EventTypeError(Exception):
    """An event type, or an event, does not meet the registry's rules."""


def event_type(
    name: str,
    says: str,
    *,
    carries: Mapping[str, str] | None = None,
    personal: Mapping[str, str] | None = None,
    needs_reason: bool = False,
    open_to_party: bool = False,
    signed: bool = False,
) -> EventType:
    """Register an event type; reject a duplicate name or a sentence that cannot be filled in."""
    made = EventType(name, says, carries or {}, personal or {}, needs_reason, open_to_party, signed)
    if not NAME.fullmatch(name):
        message = f"{name}: an event type is named like `controls.approved`."
        raise EventTypeError(message)
    if name in _registered:
        message = f"{name}: there is already an event type of this name."
        raise EventTypeError(message)
    places = {place for _, place, _, _ in Formatter().parse(says) if place is not None}
    if not says or (unknown := places - ALWAYS - set(made.carries) - set(made.personal)):
        message = f"{name}: its sentence names {sorted(unknown) if says else 'nothing'}."
        raise EventTypeError(message)
    _registered[name] = made
    return made


def event_types() -> list[EventType]:
    """List all registered event types by name."""
    return [_registered[name] for name in sorted(_registered)]


def find_event_type(name: str) -> EventType | None:
    """Return an event type; None if this version of the software does not know it."""
    return _registered.get(name)
