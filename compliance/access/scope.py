"""The access scope: no party can find data that only another party may see.

It has one dimension, `parties`: the keys of the parties whose data is visible now. A query on a
scoped model outside of `within` raises; inside it, rows of other parties do not exist.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from django_scopes import scope, scopes_disabled

from compliance.access.permissions import COMMISSION_ROLES, PartyKind, Role

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import TypeAlias

    from compliance.access.models import ApiKey, Membership, Party, Person


if TYPE_CHECKING:
    Asker: TypeAlias = Person | ApiKey


@contextmanager
def within(parties: Collection[int] | None) -> Iterator[None]:
    """Limit the access scope to these parties; without parties, nothing is visible.

    `None` is rejected: django-scopes reads it as "no filter", which would expose every party's
    data.
    """
    if parties is None:
        msg = "Name the parties whose data is visible; an empty collection shows nothing."
        raise TypeError(msg)
    with scope(parties=list(parties)):
        yield


@contextmanager
def without_access_scope() -> Iterator[None]:
    """Lift the access scope for the system's own work; a test lists the allowed callers."""
    with scopes_disabled():
        yield


def memberships_of(person: Person) -> list[Membership]:
    """Return a person's current roles, each with its party."""
    with without_access_scope():
        return list(person.memberships.filter(ended__isnull=True).select_related("party"))


def visible_parties(memberships: Collection[Membership]) -> list[int]:
    """Return the parties these roles can see: all of them, for roles in the commission.

    Combined with a role in an outside party, an administrator's role adds nothing: an administrator
    reads no filings or findings, and the other role would then read everyone's.
    """
    from compliance.access.models import Party

    outside = any(membership.role not in COMMISSION_ROLES for membership in memberships)
    opening = COMMISSION_ROLES - {Role.ADMINISTRATOR} if outside else COMMISSION_ROLES
    if any(membership.role in opening for membership in memberships):
        with without_access_scope():
            return list(Party.objects.values_list("pk", flat=True))
    return sorted({membership.party_id for membership in memberships})


def seen_by(asker: Asker) -> list[int]:
    """Return the parties that a person or an API key can see."""
    from compliance.access.models import ApiKey

    if isinstance(asker, ApiKey):
        return parties_of_key(asker)
    return visible_parties(memberships_of(asker))


def belongs_to(asker: Asker, party: Party) -> bool:
    """Return whether a person has a role in a party, or an API key belongs to it."""
    from compliance.access.models import ApiKey

    if isinstance(asker, ApiKey):
        return asker.party_id == party.pk
    return any(membership.party_id == party.pk for membership in memberships_of(asker))


def parties_of_key(key: ApiKey) -> list[int]:
    """Return the parties an API key can see: all of them, for a commission key."""
    from compliance.access.models import Party

    if key.party.kind != PartyKind.COMMISSION_UNIT:
        return [key.party_id]
    with without_access_scope():
        return list(Party.objects.values_list("pk", flat=True))
