"""The walls between parties: what one may see is never found by another.

One dimension, `parties`: the keys of the parties whose things are visible now. A query on a walled
model outside of `within` raises; inside it, rows of other parties do not exist.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from django_scopes import scope, scopes_disabled

from compliance.choices import PartyKind, Role
from compliance.permissions import COMMISSION_ROLES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from compliance.actor import Asker
    from compliance.models import ApiKey, Membership, Party, Person


@contextmanager
def within(parties: Collection[int] | None) -> Iterator[None]:
    """Sees what belongs to these parties, and nothing else; without parties, nothing.

    `None` is refused: django-scopes takes it for "no filter", which would open every wall.
    """
    if parties is None:
        msg = "Say whose things are visible: a collection of party keys, empty for nobody's."
        raise TypeError(msg)
    with scope(parties=list(parties)):
        yield


@contextmanager
def without_walls() -> Iterator[None]:
    """For the system's own work over all parties; a test lists who may."""
    with scopes_disabled():
        yield


def memberships_of(person: Person) -> list[Membership]:
    """The roles that a person holds now, each with its party."""
    with without_walls():
        return list(person.memberships.filter(ended__isnull=True).select_related("party"))


def visible_parties(memberships: Collection[Membership]) -> list[int]:
    """Whose things somebody with these roles may see: all, from within the commission.

    Beside a role of a party outside, an administrator's opens nothing: it reads no filing and no
    finding, and the other role would have it read everybody's.
    """
    from compliance.models import Party

    outside = any(held.role not in COMMISSION_ROLES for held in memberships)
    opening = COMMISSION_ROLES - {Role.ADMINISTRATOR} if outside else COMMISSION_ROLES
    if any(held.role in opening for held in memberships):
        with without_walls():
            return list(Party.objects.values_list("pk", flat=True))
    return sorted({held.party_id for held in memberships})


def seen_by(asker: Asker) -> list[int]:
    """Whose things a person, or a program with a key, may see."""
    from compliance.models import ApiKey

    if isinstance(asker, ApiKey):
        return parties_of_key(asker)
    return visible_parties(memberships_of(asker))


def belongs_to(asker: Asker, party: Party) -> bool:
    """Whether a person holds a role in a party, or a program's key is the party's."""
    from compliance.models import ApiKey

    if isinstance(asker, ApiKey):
        return asker.party_id == party.pk
    return any(held.party_id == party.pk for held in memberships_of(asker))


def parties_of_key(key: ApiKey) -> list[int]:
    """Whose things a program with a key may see: all, with one of the commission."""
    from compliance.models import Party

    if key.party.kind != PartyKind.COMMISSION_UNIT:
        return [key.party_id]
    with without_walls():
        return list(Party.objects.values_list("pk", flat=True))
