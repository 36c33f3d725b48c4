"""What was removed, and what is held."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone

from compliance.models import LegalHold, Tombstone

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet


def why_removed(digest: str) -> str:
    """Tell when and under which class content was removed; nothing of what was not."""
    stone = (
        Tombstone.objects.filter(digest=digest).select_related("removal").order_by("-pk").first()
    )
    if stone is None:
        return ""
    removal = stone.removal
    return (
        f"It was removed on {timezone.localdate(removal.at)} under {removal.under} (kept for "
        f"{removal.years} years; {removal.rule}). Its digest stays: {digest}."
    )


def all_holds() -> QuerySet[LegalHold]:
    """Every hold, the newest first, with its end where it was lifted."""
    return LegalHold.objects.select_related("lifted")


def what_is_held() -> frozenset[UUID]:
    """What files may say they are of, and then must not be removed."""
    in_force = LegalHold.objects.filter(lifted=None)
    return frozenset(in_force.values_list("covers", flat=True))
