"""Administrators of two units and their proposals, for tests of access changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone

from compliance.access.permissions import Role
from compliance.people.access_changes import invite_person
from tests.compliance.people import party_for, person_as

if TYPE_CHECKING:
    from compliance.access.models import Membership, Party, Person
    from compliance.people.models import AccessChange


def has_signed_in(person: Person) -> Person:
    person.last_login = timezone.now()
    person.save()
    return person


def two_administrators() -> tuple[Person, Person]:
    """Create one in each of two units, both already signed in."""
    first = person_as(Role.ADMINISTRATOR, "field")
    return has_signed_in(first), has_signed_in(person_as(Role.ADMINISTRATOR, "licensing"))


def invitation_of(email: str, by: Person, role: Role = Role.AGENT) -> AccessChange:
    change = invite_person(
        party=party_for(role, "field"), role=role, email=email, reason="New hire.", by=by
    )
    assert change is not None
    return change


def role_of(person: Person, party: Party | None = None) -> Membership | None:
    found = person.memberships.filter(ended=None).select_related("party", "person")
    return (found.filter(party=party) if party else found).first()
