"""Who holds which role in a party, and who is invited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone

from compliance.choices import PartyKind
from compliance.models import ApiKey, Invitation, Membership, Party, Person
from compliance.permissions import ROLES_OF_ACTION

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet

    from compliance.permissions import Action


def people_of(party: Party) -> QuerySet[Membership]:
    """Roles held now, by name; people who were made inactive hold none that counts."""
    return Membership.objects.filter(
        party=party, ended__isnull=True, person__is_active=True
    ).select_related("person")


def open_invitations(party: Party) -> QuerySet[Invitation]:
    """Invitations that still serve."""
    return Invitation.objects.filter(
        party=party,
        accepted__isnull=True,
        withdrawn__isnull=True,
        expires__gt=timezone.now(),
    ).select_related("by")


def name_of_asker(uuid: UUID | None) -> str | None:
    """What a person or a program is called; None for nobody, or a program of another party."""
    if uuid is None:
        return None
    person = Person.objects.filter(uuid=uuid).first()
    if person is not None:
        return person.name
    key = ApiKey.objects.filter(uuid=uuid).first()
    return f"the program “{key.name}”" if key else None


def commission_units() -> QuerySet[Party]:
    """The units of the commission."""
    return Party.objects.filter(kind=PartyKind.COMMISSION_UNIT)


def who_may(action: Action, party: Party | None = None) -> QuerySet[Membership]:
    """Roles held now that allow an action: in a party, or without one within the commission."""
    held = Membership.objects.filter(
        role__in=ROLES_OF_ACTION[action], ended__isnull=True, person__is_active=True
    ).select_related("person")
    if party is None:
        return held.filter(party__kind=PartyKind.COMMISSION_UNIT)
    return held.filter(party=party)
