"""Parts of the home page, and the system's capabilities: each app registers its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from django.http import HttpRequest

    from compliance.access.models import Party
    from compliance.access.permissions import Action, PartyKind


@dataclass(frozen=True, kw_only=True)
class HomePart:
    """A part of the home page of some kinds of parties, for users with permission for its action.

    `shows` returns the template's `shown`, beside the `party`; None if the part does not apply to
    the user, and is left out.
    """

    name: str
    order: int
    kinds: Collection[PartyKind]
    action: Action
    template: str
    shows: Callable[[HttpRequest, Party], Any]


_parts: dict[str, HomePart] = {}


def register_home_part(part: HomePart) -> None:
    """Add a part; an app does this in its `hooks`."""
    _parts[part.name] = part


def parts_for(party: Party) -> list[HomePart]:
    """Return the home page parts for one party's people, in order."""
    found = [each for each in _parts.values() if party.kind in each.kinds]
    return sorted(found, key=lambda each: (each.order, each.name))


@dataclass(frozen=True, kw_only=True)
class Capability:
    """A working feature; `url_name` is its page, if there is one."""

    title: str
    says: str
    order: int
    url_name: str = ""


_capabilities: dict[str, Capability] = {}


def register_capability(capability: Capability) -> None:
    """Add a capability; an app does this in its `hooks`."""
    _capabilities[capability.title] = capability


def capabilities() -> list[Capability]:
    """Return all capabilities, in order."""
    return sorted(_capabilities.values(), key=lambda each: (each.order, each.title))
