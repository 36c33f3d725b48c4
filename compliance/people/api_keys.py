"""API keys of programs: created and revoked by a party's own people, checked at every request."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from ipaddress import ip_network
from typing import TYPE_CHECKING

from allauth.mfa.models import Authenticator
from django.db import transaction

from compliance import clock
from compliance.access.models import ApiKey
from compliance.access.permissions import (
    ACTIONS_OF_SCOPE,
    Action,
    KeyScope,
    PartyKind,
    may,
    roles_for,
)
from compliance.access.reads import require
from compliance.access.scope import memberships_of, without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.models import timestamp
from compliance.events.record import record
from compliance.people import events

if TYPE_CHECKING:
    from collections.abc import Collection

    from compliance.access.models import Membership, Party, Person


LONGEST = 366
MOST_NETWORKS = 20
MARK = "cg_"
"""The prefix of every secret, so that a leaked one is recognized."""


@transaction.atomic
def make_key(
    *,
    party: Party,
    name: str,
    scopes: Collection[KeyScope],
    networks: Collection[str],
    days: int,
    by: Person,
) -> tuple[ApiKey, str]:
    """Create a key that is valid for `days`; return it with its secret, which is not stored.

    Rejects a user outside the party, or without a second factor; no scope; a scope that the user's
    own roles in the party do not cover; an invalid network; more days than a year has.
    """
    require(by, Action.MANAGE_KEYS, party)
    own = [membership for membership in memberships_of(by) if membership.party_id == party.pk]
    if not may(own, Action.MANAGE_KEYS, party):
        msg = f"A key of {party.name} is made by its own people."
        raise NotAllowedError(msg)
    require_second_factor(by)
    if not scopes:
        msg = "Choose what the key allows."
        raise RefusedError(msg)
    for scope in scopes:
        if scope not in scopes_open_to(own):
            msg = f"You cannot give a key more than your own role allows: {scope.label.lower()}."
            raise RefusedError(msg)
    if not 1 <= days <= LONGEST:
        msg = f"A key is valid for 1 to {LONGEST} days. Create a new one after that."
        raise RefusedError(msg)
    secret = MARK + secrets.token_urlsafe(32)
    now = clock.now()
    key = ApiKey(
        party=party,
        name=name.strip(),
        begins=secret[:9],
        secret_sha256=_digest(secret),
        scopes=sorted(scopes),
        networks=_networks(networks),
        by=by,
        made=now,
        expires=now + timedelta(days=days),
    )
    key.clean_fields(exclude={"last_used", "revoked", "networks"})
    key.save()
    record(
        events.KEY_MADE,
        by=by,
        party=party,
        about=key,
        carries={
            "scopes": key.scopes,
            "networks": key.networks,
            "expires": timestamp(key.expires),
        },
    )
    return key, secret


@transaction.atomic
def revoke_key(*, key: ApiKey, reason: str, by: Person) -> None:
    """Revoke a key, effective immediately, with a reason.

    Rejects a user without permission; a missing reason; a key that was already revoked.
    """
    require(by, Action.MANAGE_KEYS, key.party)
    if not reason.strip():
        msg = "Say why the key is revoked."
        raise RefusedError(msg)
    with without_access_scope():
        revoked = ApiKey.objects.filter(pk=key.pk, revoked=None).update(revoked=clock.now())
    if not revoked:
        msg = "This key was revoked before."
        raise RefusedError(msg)
    record(events.KEY_REVOKED, by=by, party=key.party, about=key, reason=reason)


def scopes_open_to(memberships: Collection[Membership]) -> list[KeyScope]:
    """Return the scopes that these roles allow in full, as far as they fit the kind of party."""
    return [scope for scope in KeyScope if _covers(memberships, scope)]


def _covers(memberships: Collection[Membership], scope: KeyScope) -> bool:
    """Return whether these roles allow every action in a scope that their kind of party has."""
    wanted = {
        action
        for action in ACTIONS_OF_SCOPE[scope]
        for membership in memberships
        if roles_for(action, PartyKind(membership.party.kind))
    }
    return bool(wanted) and all(may(memberships, action) for action in wanted)


def require_second_factor(by: Person) -> None:
    """Raise `RefusedError` unless the person has a second factor: a key works without one."""
    kinds = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
    if not Authenticator.objects.filter(user=by, type__in=kinds).exists():
        msg = "Set up a second factor first: a key opens what your password alone should not."
        raise RefusedError(msg)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _networks(written: Collection[str]) -> list[str]:
    if len(written) > MOST_NETWORKS:
        msg = f"Name up to {MOST_NETWORKS} networks."
        raise RefusedError(msg)
    found = []
    for each in written:
        try:
            found.append(str(ip_network(each.strip())))
        except ValueError:
            msg = f"{each!r} is not a network. Write 203.0.113.7 or 203.0.113.0/24."
            raise RefusedError(msg) from None
    return found
