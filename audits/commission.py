"""Commission units and the operators they oversee."""

from __future__ import annotations

from compliance.access.models import Membership, Party, Person
from compliance.access.permissions import (
    OPERATOR_KINDS,
    ROLES_OF_ACTION,
    Action,
    PartyKind,
    may,
)
from compliance.access.scope import memberships_of, without_access_scope
from compliance.errors import RefusedError


def commission_unit() -> Party:
    """Return the unit that was registered first; people of any unit see what every unit sees.

    Raises `Party.DoesNotExist` if no unit is registered, since there is then nobody to audit for.
    """
    with without_access_scope():
        return Party.objects.filter(kind=PartyKind.COMMISSION_UNIT).order_by("pk")[:1].get()


def unit_of(person: Person) -> Party:
    """Return the commission unit in which a person reviews findings."""
    seeing = [each for each in memberships_of(person) if may([each], Action.SEE_FINDINGS)]
    if not seeing:
        msg = "This is open to people of the commission alone."
        raise RefusedError(msg)
    return seeing[0].party


def people_who_may(action: Action) -> list[Person]:
    """Return everyone whose role currently allows an action, by name."""
    current = Membership.objects.filter(
        role__in=ROLES_OF_ACTION[action], ended=None, person__is_active=True
    ).values("person")
    return list(Person.objects.filter(pk__in=current).order_by("name", "pk"))


def operators() -> dict[str, Party]:
    """Return the operators in the access scope by code, sorted by name."""
    return {each.code: each for each in Party.objects.filter(kind__in=OPERATOR_KINDS)}
