"""What a person signs: acts are collected in a rehearsal, shown, signed, and then done.

`record` asks `signature_of` for each event whose type is signed. A rehearsal does everything and is
rolled back, so that a person signs exactly what the event says.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.utils import timezone

from compliance.errors import RefusedError
from compliance.events.models import ActorKind
from compliance.events.signatures import act_digest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from uuid import UUID

    from compliance.events.models import Event
    from compliance.events.types import EventType


NO_PASSKEY = "no passkey was used"
BY_KEY = "done by a program with an API key"
CHANGED = "This is no longer what you confirmed. Look at it again, then confirm it."
REQUIRED = (
    "This needs your personal signature. Confirm it on its page with a passkey: you can add one "
    "under Account, Two-factor authentication, Security keys."
)


@dataclass
class Confirmation:
    """A person who confirms acts: to be signed in a rehearsal, or signed by `proof`."""

    person: UUID
    proof: Mapping[str, Any] | None = None
    acts: list[str] = field(default_factory=list)
    says: list[str] = field(default_factory=list)
    """The acts in words."""

    def sign(self, event: Event, kind: EventType, act: str) -> dict[str, Any]:
        """Return an event's signature. Refuses an act that was not confirmed."""
        if self.proof is None:
            self.acts.append(act)
            self.says.append(_in_words(event, kind))
            return {"unsigned": NO_PASSKEY}
        if act not in self.acts:
            raise RefusedError(CHANGED)
        self.acts.remove(act)
        return dict(self.proof)


_current: ContextVar[Confirmation | None] = ContextVar("confirmation", default=None)


@contextmanager
def confirming(confirmation: Confirmation) -> Iterator[Confirmation]:
    """Sign the acts of this block, or collect them for the signature."""
    token = _current.set(confirmation)
    try:
        yield confirmation
    finally:
        _current.reset(token)


def is_rehearsal() -> bool:
    """Return whether all that happens now is rolled back: nothing may leave the system."""
    confirmation = _current.get()
    return confirmation is not None and confirmation.proof is None


def are_signatures_required() -> bool:
    """Return whether acts need a personal signature today."""
    since = settings.SIGNATURES_REQUIRED_FROM
    return bool(since) and timezone.now().date().isoformat() >= since


def signature_of(event: Event, kind: EventType, *, of_object: bool) -> dict[str, Any] | None:
    """Return an event's personal signature, or why it has none; None if it needs none.

    Refuses an unsigned act on a day on which acts need a signature.
    """
    if not kind.signed or event.actor_kind not in {ActorKind.PERSON, ActorKind.KEY}:
        return None
    confirmation = _current.get()
    if confirmation is not None and confirmation.person == event.actor:
        act = act_digest(event.content(), of_object=of_object)
        return confirmation.sign(event, kind, act)
    if are_signatures_required():
        raise RefusedError(REQUIRED)
    return {"unsigned": NO_PASSKEY if event.actor_kind == ActorKind.PERSON else BY_KEY}


def _in_words(event: Event, kind: EventType) -> str:
    """Return the sentence of an event for the person who does it."""
    names = {**event.payload, "actor": "You", "party": "the party", "reason": event.reason}
    return kind.says.format_map({**dict.fromkeys(kind.personal, "…"), "object": "this", **names})
