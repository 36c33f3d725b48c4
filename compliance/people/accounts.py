"""Accounts: closed and reopened by an administrator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.usersessions.models import UserSession
from django.db import transaction

from compliance import clock
from compliance.access.models import ApiKey, Person
from compliance.access.permissions import Action
from compliance.access.reads import active_administrators, require
from compliance.access.scope import without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.record import record
from compliance.people import events
from compliance.people.models import Invitation, KnownDevice

if TYPE_CHECKING:
    from collections.abc import Callable


CLOSED_WITH_IT = "The account of the person who made it was closed."
_followers: list[Callable[[Person, Person], None]] = []


def on_close(follow: Callable[[Person, Person], None]) -> None:
    """Call a function with each account that is closed, and the person closing it."""
    if follow not in _followers:
        _followers.append(follow)


@transaction.atomic
def close_account(*, person: Person, reason: str, by: Person) -> None:
    """Close an account: its sessions, API keys, calendar, invitations and devices end at once.

    Its roles stay on file, and are active again once it is reopened. Rejects the user's own
    account, which is why the last administrator's stays open; a closed account; a missing reason.
    """
    require(by, Action.CLOSE_ACCOUNTS)
    if by == person:
        msg = "You cannot close your own account. Ask another administrator."
        raise NotAllowedError(msg)
    _require_reason(reason)
    # Two administrators closing each other's accounts at the same time are serialized here, so the
    # one who closes always remains active.
    active = {each.pk for each in active_administrators().order_by("pk").select_for_update()}
    if by.pk not in active:
        msg = "Your own account was just closed."
        raise NotAllowedError(msg)
    if not Person.objects.filter(pk=person.pk, is_active=True).update(is_active=False):
        msg = "This account is already closed."
        raise RefusedError(msg)
    person.is_active = False
    ended = end_sessions(person)
    KnownDevice.objects.filter(person=person).delete()
    with without_access_scope():
        revoked = _end_keys(person, by)
        withdrawn = _end_invitations(person, by)
    for follow in _followers:
        follow(person, by)
    record(
        events.PERSON_DEACTIVATED,
        by=by,
        about=person,
        reason=reason,
        carries={"sessions": ended, "keys": revoked, "invitations": withdrawn},
    )


def end_sessions(person: Person) -> int:
    """Sign a person out everywhere; return how many sessions ended."""
    sessions = list(UserSession.objects.filter(user=person))
    for session in sessions:
        session.end()
    return len(sessions)


def _end_keys(person: Person, by: Person) -> int:
    found = list(ApiKey.objects.filter(by=person, revoked=None).select_related("party"))
    for key in found:
        ApiKey.objects.filter(pk=key.pk).update(revoked=clock.now())
        record(events.KEY_REVOKED, by=by, party=key.party, about=key, reason=CLOSED_WITH_IT)
    return len(found)


def _end_invitations(person: Person, by: Person) -> int:
    found = list(
        Invitation.objects.filter(by=person, accepted=None, withdrawn=None).select_related("party")
    )
    for invitation in found:
        Invitation.objects.filter(pk=invitation.pk).update(withdrawn=clock.now())
        record(events.INVITATION_WITHDRAWN, by=by, party=invitation.party, about=invitation)
    return len(found)


@transaction.atomic
def reopen_account(*, person: Person, reason: str, by: Person) -> None:
    """Let a person sign in again with the roles on file; all else that was ended stays ended.

    Rejects an open account, and a missing reason.
    """
    require(by, Action.CLOSE_ACCOUNTS)
    _require_reason(reason)
    if not Person.objects.filter(pk=person.pk, is_active=False).update(is_active=True):
        msg = "This account is already open."
        raise RefusedError(msg)
    person.is_active = True
    record(events.PERSON_REACTIVATED, by=by, about=person, reason=reason)


def _require_reason(reason: str) -> None:
    if not reason.strip():
        msg = "Give a reason. It goes on record."
        raise RefusedError(msg)
