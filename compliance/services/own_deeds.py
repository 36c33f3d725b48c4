"""What somebody did themselves, whatever role they hold by now: they decide nothing about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compliance.models import ApiKey
from compliance.permissions import COMMISSION_ROLES
from compliance.services.refused import NotAllowedError
from compliance.walls import memberships_of, without_walls

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

    from compliance.models import Party, Person

OWN = "Nobody decides on what they, or their own party filed."


def is_of(by: Person, deeds_of: Iterable[UUID]) -> bool:
    """Whether one of these who did something is somebody, or a program whose key they made."""
    named = set(deeds_of)
    if by.uuid in named:
        return True
    with without_walls():
        return ApiKey.objects.filter(by=by, uuid__in=named).exists()


def require_not_of(by: Person, deeds_of: Iterable[UUID]) -> None:
    """Raise `NotAllowedError` where one of these is somebody, or a program whose key they made."""
    if is_of(by, deeds_of):
        raise NotAllowedError(OWN)


def require_outside(by: Person, party: Party) -> None:
    """Raise `NotAllowedError` where somebody belongs to a party for which others decide."""
    if any(
        held.party_id == party.pk and held.role not in COMMISSION_ROLES
        for held in memberships_of(by)
    ):
        raise NotAllowedError(OWN)
