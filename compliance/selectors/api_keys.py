"""Keys of programs: those of a party, and the one that a secret opens."""

from __future__ import annotations

import hashlib
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING

from compliance import clock
from compliance.choices import PartyKind
from compliance.models import ApiKey, Membership
from compliance.permissions import Action, roles_for
from compliance.walls import without_walls

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from compliance.models import Party


def keys_of(party: Party) -> QuerySet[ApiKey]:
    """Every key of a party, the newest first."""
    return ApiKey.objects.filter(party=party).select_related("by")


def key_of(secret: str) -> ApiKey | None:
    """The key that a secret opens, while it serves.

    It serves while somebody of its party answers for it: a party whose last manager has left, or
    whose accounts were closed, has no program that still acts.
    """
    digest = hashlib.sha256(secret.encode(errors="replace")).hexdigest()
    with without_walls():
        found = (
            ApiKey.objects.filter(secret_sha256=digest, revoked=None, expires__gt=clock.now())
            .select_related("party")
            .first()
        )
        if found is None:
            return None
        return found if is_answered_for(found.party) else None


def is_answered_for(party: Party) -> bool:
    """Whether somebody of a party may still make what its programs need; outside of all walls."""
    return Membership.objects.filter(
        party=party,
        role__in=roles_for(Action.MANAGE_KEYS, PartyKind(party.kind)),
        ended=None,
        person__is_active=True,
    ).exists()


def comes_from(key: ApiKey, address: str) -> bool:
    """Whether a key may be used from an address."""
    if not key.networks:
        return True
    try:
        at = ip_address(address)
    except ValueError:
        return False
    mapped = getattr(at, "ipv4_mapped", None)
    return any((mapped or at) in ip_network(each) for each in key.networks)
