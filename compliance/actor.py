"""Who did it: a person, a program with a key, the system itself, or somebody not signed in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from compliance.models.event import ActorKind

if TYPE_CHECKING:
    from uuid import UUID

    from compliance.models.person import Person


@dataclass(frozen=True)
class Actor:
    """Who an event names as its actor; the name is personal data and kept apart."""

    kind: ActorKind
    uuid: UUID | None = None
    name: str = ""

    @classmethod
    def of(cls, person: Person) -> Actor:
        """Name a person."""
        return cls(ActorKind.PERSON, person.uuid, person.name)


SYSTEM = Actor(ActorKind.SYSTEM)
ANYONE = Actor(ActorKind.ANYONE)
