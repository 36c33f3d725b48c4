"""Write an event: every service does it in the transaction of the change it records.

Whoever is told of it gets a notice in the same transaction (`compliance.telling`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from compliance.actor import Actor
from compliance.events import EventType, EventTypeError, find_event_type
from compliance.models.event import Event, PersonalData, Waiting
from compliance.models.kinds import History, Kind
from compliance.proof.canonical import canonical, new_salt, salted_digest
from compliance.services.tell import tell_of
from compliance.state import as_stored, personal_state, state_digest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from compliance.actor import Asker
    from compliance.models.party import Party

SEAL = "compliance.event.seal"


def record(
    kind: EventType,
    *,
    by: Asker | Actor,
    about: Kind | None = None,
    party: Party | None = None,
    reason: str = "",
    before: str = "",
    after: str = "",
    carries: Mapping[str, Any] | None = None,
    personal: Mapping[str, Any] | None = None,
) -> Event:
    """Write one event in the transaction that is under way.

    `about` has a `uuid`; of a history row the event keeps the digest, so call this after the row
    and its parts are written. `before` and `after` are digests (`compliance.state.state_digest`).
    Refuses: no transaction, a type that is not registered, a payload that is not what the type
    says, a missing reason, a value without canonical form.
    """
    if not transaction.get_connection().in_atomic_block:
        message = f"{kind.name}: an event is written in the transaction of what it records."
        raise transaction.TransactionManagementError(message)
    carried = dict(carries or {})
    private = dict(personal or {})
    _check(kind, carried, private, reason)
    actor = by if isinstance(by, Actor) else Actor.of(by)
    if actor.name:
        private["actor"] = actor.name
    if about is not None:
        names = private if about.personal_fields else carried
        names["object"] = str(about)
        if isinstance(about, History) and not after:
            after = state_digest(about)
            if about.personal_fields:
                private["row"] = personal_state(as_stored(about))
    salt = new_salt()
    event = Event(
        at=timezone.now(),
        type=kind.name,
        actor_kind=actor.kind,
        actor=actor.uuid,
        party=party.uuid if party is not None else None,
        object_type=about._meta.label_lower if about is not None else "",
        object=about.uuid if about is not None else None,  # type: ignore[attr-defined]
        reason=reason,
        before=before,
        after=after,
        payload=carried,
        personal_digest=salted_digest(salt, private) if private else "",
    )
    seal = seal_of(event)  # refuses what has no canonical form, before anything is written
    event.save()
    if private:
        PersonalData(event=event, salt=salt, data=private).save()
    Waiting(event=event, seal=seal).save(force_insert=True)
    tell_of(event, about=about, party=party)
    return event


def _check(
    kind: EventType, carried: Mapping[str, Any], private: Mapping[str, Any], reason: str
) -> None:
    if find_event_type(kind.name) is not kind:
        message = f"{kind.name}: this event type is not registered."
        raise EventTypeError(message)
    for given, known in ((carried, kind.carries), (private, kind.personal)):
        if set(given) != set(known):
            message = f"{kind.name}: carries {sorted(known)}, was given {sorted(given)}."
            raise EventTypeError(message)
    if kind.needs_reason and not reason.strip():
        message = f"{kind.name}: a reason is required."
        raise EventTypeError(message)


def seal_of(event: Event, secret: str | bytes | None = None) -> bytes:
    """Make the seal that shows that this system wrote the event."""
    return salted_hmac(SEAL, canonical(event.content()), secret=secret, algorithm="sha256").digest()


def is_sealed(waiting: Waiting) -> bool:
    """Tell whether this system wrote the event as it stands, with its secret or a former one."""
    return any(
        constant_time_compare(bytes(waiting.seal), seal_of(waiting.event, secret))
        for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    )
