"""Find people, roles and API keys, and require permissions."""

from __future__ import annotations

import hashlib
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING

from allauth.account.models import EmailAddress

from compliance import clock
from compliance.access.models import ApiKey, Membership, Party, Person
from compliance.access.permissions import (
    COMMISSION_ROLES,
    ROLES_OF_ACTION,
    Action,
    PartyKind,
    Role,
    key_may,
    may,
    roles_for,
)
from compliance.access.rate_limit import take_turn as turn_of
from compliance.access.scope import memberships_of, without_access_scope
from compliance.errors import NotAllowedError
from compliance.text import canonical_address

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

    from django.db.models import QuerySet

    from compliance.access.scope import Asker


def people_of(party: Party) -> QuerySet[Membership]:
    """Return the current roles in a party, by name; leave out people who were made inactive."""
    return Membership.objects.filter(
        party=party, ended__isnull=True, person__is_active=True
    ).select_related("person")


def is_address_of(person: Person, address: str) -> bool:
    """Return whether an address reaches a mailbox that the person signs in with."""
    own = [person.email, *EmailAddress.objects.filter(user=person).values_list("email", flat=True)]
    return canonical_address(address) in map(canonical_address, own)


def name_of_asker(uuid: UUID | None) -> str | None:
    """Return the name of a person or program; None if unknown or another party's program."""
    if uuid is None:
        return None
    person = Person.objects.filter(uuid=uuid).first()
    if person is not None:
        return person.name
    key = ApiKey.objects.filter(uuid=uuid).first()
    return f"the program “{key.name}”" if key else None


def names_of(people: Iterable[UUID | None]) -> dict[UUID | None, str]:
    """Return the names of people by UUID; unknown ones are missing."""
    found = Person.objects.filter(uuid__in=[each for each in set(people) if each])
    return {each.uuid: each.name for each in found}


def commission_units() -> QuerySet[Party]:
    """Return the units of the commission."""
    return Party.objects.filter(kind=PartyKind.COMMISSION_UNIT)


def active_administrators() -> QuerySet[Person]:
    """Return the active people who are administrators and can sign in."""
    with without_access_scope():
        holding = Membership.objects.filter(role=Role.ADMINISTRATOR, ended__isnull=True)
    return Person.objects.filter(is_active=True, pk__in=holding.values("person"))


def who_may(action: Action, party: Party | None = None) -> QuerySet[Membership]:
    """Return the current roles that allow an action: in a party, or else within the commission."""
    memberships = Membership.objects.filter(
        role__in=ROLES_OF_ACTION[action], ended__isnull=True, person__is_active=True
    ).select_related("person")
    if party is None:
        return memberships.filter(party__kind=PartyKind.COMMISSION_UNIT)
    return memberships.filter(party=party)


def keys_of(party: Party) -> QuerySet[ApiKey]:
    """Return every key of a party, newest first."""
    return ApiKey.objects.filter(party=party).select_related("by")


def key_of(secret: str) -> ApiKey | None:
    """Return the key with this secret, if it is valid.

    A key is valid only while a member of its party is responsible for it: once a party's last
    manager leaves, or its accounts are closed, its programs can no longer act.
    """
    digest = hashlib.sha256(secret.encode(errors="replace")).hexdigest()
    with without_access_scope():
        found = (
            ApiKey.objects.filter(secret_sha256=digest, revoked=None, expires__gt=clock.now())
            .select_related("party")
            .first()
        )
        if found is None:
            return None
        return found if is_answered_for(found.party) else None


def is_answered_for(party: Party) -> bool:
    """Return whether a member can still manage a party's keys; call it without an access scope."""
    return Membership.objects.filter(
        party=party,
        role__in=roles_for(Action.MANAGE_KEYS, PartyKind(party.kind)),
        ended=None,
        person__is_active=True,
    ).exists()


def comes_from(key: ApiKey, address: str) -> bool:
    """Return whether a key may be used from an address."""
    if not key.networks:
        return True
    try:
        at = ip_address(address)
    except ValueError:
        return False
    mapped = getattr(at, "ipv4_mapped", None)
    return any((mapped or at) in ip_network(each) for each in key.networks)


def take_turn(*, key: ApiKey, address: str, a_minute: int, at_once: int) -> float:
    """Count one request of a key: return 0 if it may proceed, else the seconds to wait."""
    return turn_of(
        ApiKey._base_manager.filter(pk=key.pk),
        a_minute=a_minute,
        at_once=at_once,
        last_used=clock.now(),
        last_address=address,
    )


OWN = "You cannot decide on something that you or your party filed."


def is_of(by: Person, deeds_of: Iterable[UUID]) -> bool:
    """Return whether one of these actors is this person, or a program whose key they made."""
    named = set(deeds_of)
    if by.uuid in named:
        return True
    with without_access_scope():
        return ApiKey.objects.filter(by=by, uuid__in=named).exists()


def require_not_of(by: Person, deeds_of: Iterable[UUID]) -> None:
    """Raise `NotAllowedError` if one of these is this person, or a program whose key they made."""
    if is_of(by, deeds_of):
        raise NotAllowedError(OWN)


def require_outside(by: Person, party: Party) -> None:
    """Raise `NotAllowedError` if the person belongs to a party that others decide for."""
    if any(
        membership.party_id == party.pk and membership.role not in COMMISSION_ROLES
        for membership in memberships_of(by)
    ):
        raise NotAllowedError(OWN)


def require(by: Asker, action: Action, party: Party | None = None) -> None:
    """Raise `NotAllowedError` unless the roles or key of `by` allow the action (on the party)."""
    if isinstance(by, ApiKey):
        if not key_may(by, action, party):
            msg = f"This is not open to this key: {action.label.lower()}."
            raise NotAllowedError(msg)
    elif not may(roles := memberships_of(by), action, party):
        msg = f"This is not open to your role: {action.label.lower()}."
        if (
            party is not None
            and party.pk in {each.party_id for each in roles}
            and may(roles, action)
        ):
            msg = f"{OWN} You belong to {party} as well."
        raise NotAllowedError(msg)
