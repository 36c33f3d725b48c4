"""Who did it: a person, a program with a key, the system itself, or somebody not signed in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from compliance.models.event import ActorKind

if TYPE_CHECKING:
    from typing import TypeAlias
    from uuid import UUID

    from compliance.models.api_key import ApiKey
    from compliance.models.person import Person

    Asker: TypeAlias = Person | ApiKey


@dataclass(frozen=True)
class Actor:
    """Who an event names as its actor; the name is personal data and kept apart."""

    kind: ActorKind
    uuid: UUID | None = None
    name: str = ""

    @classmethod
    def of(cls, asker: Asker) -> Actor:
        """Name a person, or a program by its key."""
        kind = ActorKind.PERSON if asker._meta.model_name == "person" else ActorKind.KEY
        return cls(kind, asker.uuid, asker.name)


SYSTEM = Actor(ActorKind.SYSTEM)
ANYONE = Actor(ActorKind.ANYONE)
