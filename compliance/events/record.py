"""Record events: each service does it in the transaction of the change.

Effects of an event, such as notifications, are written in the same transaction (`on_record`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from compliance.changes import mark_bound, unbound_changes
from compliance.events.actor import Actor
from compliance.events.canonical import canonical, new_salt, salted_digest
from compliance.events.digests import as_stored, personal_state, state_digest
from compliance.events.models import Event, PersonalData, Waiting
from compliance.events.signing import signature_of
from compliance.events.states import states_after
from compliance.events.types import EventType, EventTypeError, find_event_type
from compliance.history import History, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from compliance.access.models import Party
    from compliance.access.scope import Asker
    from compliance.changes import Change


SEAL = "compliance.event.seal"
_followers: list[Callable[[Event, Kind | None, Party | None], None]] = []


def on_record(follow: Callable[[Event, Kind | None, Party | None], None]) -> None:
    """Call a function with each event, in its transaction; an app does this in its `hooks`."""
    if follow not in _followers:
        _followers.append(follow)


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
    """Write one event in the current transaction.

    `about` has a `uuid`; if it is a history row, the event keeps its digest, so call this after the
    row and its parts are written. `before` and `after` are digests of its state (`state_digest`).
    The event also keeps the digests of all rows that changed since the transaction's last event, so
    call this after all changes.
    Raises an error without a transaction, and for an unregistered type, a payload that does not
    match the type, a missing reason, a value without canonical form, or an act that a person has to
    sign and did not.
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
    changes = unbound_changes(DEFAULT_DB_ALIAS)
    states = states_after(changes)
    if states.personal:
        private["states"] = states.personal
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
        states=states.salted(),
    )
    event.signature = signature_of(event, kind, of_object=_was_there(about, changes))
    seal = seal_of(event)  # raises for a value without canonical form, before anything is written
    event.save()
    mark_bound(changes, DEFAULT_DB_ALIAS)
    if private:
        PersonalData(event=event, salt=salt, data=private).save()
    Waiting(event=event, seal=seal).save(force_insert=True)
    for follow in _followers:
        follow(event, about, party)
    return event


def _was_there(about: Kind | None, changes: Iterable[Change]) -> bool:
    """Return whether a row was there before this transaction; history is always new."""
    if about is None or isinstance(about, History):
        return False
    return not any(
        change.values is not None and (change.model, change.key) == (type(about), about.pk)
        for change in changes
    )


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
    """Return the seal that proves that this system wrote the event."""
    return salted_hmac(SEAL, canonical(event.content()), secret=secret, algorithm="sha256").digest()


def is_sealed(waiting: Waiting) -> bool:
    """Return whether this system wrote the event as it is, with its secret or a former one."""
    return any(
        constant_time_compare(bytes(waiting.seal), seal_of(waiting.event, secret))
        for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    )
