"""Keys of programs: made and revoked by a party's own people, and asked for at every request."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from ipaddress import ip_network
from typing import TYPE_CHECKING

from allauth.mfa.models import Authenticator
from django.db import transaction

from compliance import clock
from compliance.choices import PartyKind
from compliance.event_types import keys as events
from compliance.models import ApiKey, KeptAnswer
from compliance.models.event import timestamp
from compliance.permissions import ACTIONS_OF_SCOPE, Action, KeyScope, may, roles_for
from compliance.services.people import require
from compliance.services.record import record
from compliance.services.refused import NotAllowedError, RefusedError
from compliance.turns import take_turn as turn_of
from compliance.walls import memberships_of, without_walls

if TYPE_CHECKING:
    from collections.abc import Collection

    from compliance.models import Membership, Party, Person

LONGEST = 366
MOST_NETWORKS = 20
ANSWERS_KEPT = timedelta(days=7)
MARK = "cg_"
"""What every secret begins with, so that one that leaked is recognised."""


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
    """Make a key that serves for so many days: the key, and its secret, which nobody keeps.

    Refuses: somebody who is not of the party, or has no second factor; no scope; one that its
    maker's own roles in the party do not cover; what is no network; more days than a year has.
    """
    require(by, Action.MANAGE_KEYS, party)
    own = [held for held in memberships_of(by) if held.party_id == party.pk]
    if not may(own, Action.MANAGE_KEYS, party):
        msg = f"A key of {party.name} is made by its own people."
        raise NotAllowedError(msg)
    require_second_factor(by)
    if not scopes:
        msg = "Say what the key is good for."
        raise RefusedError(msg)
    for scope in scopes:
        if scope not in scopes_open_to(own):
            msg = f"Nobody gives a program more than they may do: {scope.label.lower()}."
            raise RefusedError(msg)
    if not 1 <= days <= LONGEST:
        msg = f"A key serves from 1 to {LONGEST} days, and is made anew after that."
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
    """Make a key useless at once, with a reason.

    Refuses: somebody who may not; no reason; a key that was revoked before.
    """
    require(by, Action.MANAGE_KEYS, key.party)
    if not reason.strip():
        msg = "Say why the key is revoked."
        raise RefusedError(msg)
    with without_walls():
        revoked = ApiKey.objects.filter(pk=key.pk, revoked=None).update(revoked=clock.now())
    if not revoked:
        msg = "This key was revoked before."
        raise RefusedError(msg)
    record(events.KEY_REVOKED, by=by, party=key.party, about=key, reason=reason)


def scopes_open_to(memberships: Collection[Membership]) -> list[KeyScope]:
    """The scopes of which these roles allow something that their kind of party does at all."""
    return [scope for scope in KeyScope if _covers(memberships, scope)]


def _covers(memberships: Collection[Membership], scope: KeyScope) -> bool:
    """Whether these roles allow all of a scope that anybody of their party could do."""
    wanted = {
        action
        for action in ACTIONS_OF_SCOPE[scope]
        for held in memberships
        if roles_for(action, PartyKind(held.party.kind))
    }
    return bool(wanted) and all(may(memberships, action) for action in wanted)


def require_second_factor(by: Person) -> None:
    """Raise `RefusedError` unless somebody has a second factor: a key works without one."""
    kinds = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
    if not Authenticator.objects.filter(user=by, type__in=kinds).exists():
        msg = "Set up a second factor first: a key opens what your password alone should not."
        raise RefusedError(msg)


def take_turn(*, key: ApiKey, address: str, a_minute: int, at_once: int) -> float:
    """Count one request of a key: 0 where it may go on, else the seconds to wait."""
    return turn_of(
        ApiKey._base_manager.filter(pk=key.pk),
        a_minute=a_minute,
        at_once=at_once,
        last_used=clock.now(),
        last_address=address,
    )


def forget_answers() -> None:
    """Remove answers that were kept for as long as a request may be sent again."""
    with without_walls():
        KeptAnswer.objects.filter(at__lt=clock.now() - ANSWERS_KEPT).delete()


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
            msg = f"{each!r} is no network. Write 203.0.113.7, or 203.0.113.0/24."
            raise RefusedError(msg) from None
    return found
