"""Who holds which role in a party, and who is invited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone

from compliance.models import Invitation, Membership

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from compliance.models import Party


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
