"""What stands on the home page of a party's people: each room registers its parts at the start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from django.http import HttpRequest

    from compliance.choices import PartyKind
    from compliance.models import Party
    from compliance.permissions import Action


@dataclass(frozen=True, kw_only=True)
class HomePart:
    """A part of the home page of parties of some kinds, for whoever may do its action there.

    `shows` answers what the template is given as `shown`, beside the `party`; None where the part
    has nothing to do with whoever asks, and is left out.
    """

    name: str
    order: int
    kinds: Collection[PartyKind]
    action: Action
    template: str
    shows: Callable[[HttpRequest, Party], Any]


_parts: dict[str, HomePart] = {}


def register(part: HomePart) -> None:
    """Add a part; a room does this in `AppConfig.ready`."""
    _parts[part.name] = part


def parts_for(party: Party) -> list[HomePart]:
    """The parts of the home page of one party's people, in order."""
    found = [each for each in _parts.values() if party.kind in each.kinds]
    return sorted(found, key=lambda each: (each.order, each.name))
