"""Actors: a person, a program with a key, the system itself, or an anonymous user."""

from __future__ import annotations

import getpass
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from compliance.events.models import ActorKind

if TYPE_CHECKING:
    from uuid import UUID

    from compliance.access.scope import Asker


@dataclass(frozen=True)
class Actor:
    """The actor of an event; the name is personal data and kept separately."""

    kind: ActorKind
    uuid: UUID | None = None
    name: str = ""

    @classmethod
    def of(cls, asker: Asker) -> Actor:
        """Return the actor for a person, or for a program by its key."""
        kind = ActorKind.PERSON if asker._meta.model_name == "person" else ActorKind.KEY
        return cls(kind, asker.uuid, asker.name)


def at_the_console() -> Actor:
    """Return the operating system account that a command runs under."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # a container's user may have no name
        name = f"user {os.getuid()}"
    return Actor(ActorKind.SYSTEM, name=f"{name}, at the command line")


SYSTEM = Actor(ActorKind.SYSTEM)
ANYONE = Actor(ActorKind.ANYONE)
