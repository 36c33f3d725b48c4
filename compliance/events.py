"""The register of event types: what can happen, and the sentence that tells it.

Each room defines its types in its `event_types` and passes them to `services.record`. A type says
what its payload carries, so that the reference in `docs/reference/events.md` is made from it.
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
    """A kind of event. `says` is its sentence, with places for what it carries.

    `carries` and `personal` describe the payload's entries; those of `personal` are kept apart from
    the event. `needs_reason`: whoever does this has to say why. `open_to_party`: the party that it
    concerns may read it; other events are read within the commission alone.
    """

    name: str
    says: str
    carries: Mapping[str, str] = field(default_factory=dict)
    personal: Mapping[str, str] = field(default_factory=dict)
    needs_reason: bool = False
    open_to_party: bool = False


class EventTypeError(Exception):
    """An event type, or an event of it, is not as the register asks."""


def event_type(
    name: str,
    says: str,
    *,
    carries: Mapping[str, str] | None = None,
    personal: Mapping[str, str] | None = None,
    needs_reason: bool = False,
    open_to_party: bool = False,
) -> EventType:
    """Register an event type; refuse a name that is taken and a sentence that cannot be filled."""
    made = EventType(name, says, carries or {}, personal or {}, needs_reason, open_to_party)
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
    """Find an event type; None if this version of the software does not know it."""
    return _registered.get(name)
