"""Removed files, current holds, and the objects on which a hold can be placed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils import timezone

from compliance.access.models import Party
from compliance.access.permissions import OPERATOR_KINDS
from compliance.retention.models import LegalHold, Tombstone

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from django.db.models import QuerySet


def why_removed(digest: str) -> str:
    """Return when and under which class content was removed; empty if it was not."""
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
    """Return every hold, newest first, with its end if it was lifted."""
    return LegalHold.objects.select_related("lifted")


def identifiers_on_hold() -> frozenset[UUID]:
    """Return the identifiers on hold: files that list one must not be removed."""
    in_effect = LegalHold.objects.filter(lifted=None)
    return frozenset(in_effect.values_list("covers", flat=True))


@dataclass(frozen=True)
class HoldTarget:
    """An object: its number, the identifier that its files list, its name, and its owner."""

    uuid: UUID
    covers: UUID
    name: str
    party: Party | None


@dataclass(frozen=True)
class HoldKind:
    """A kind of object. `says` explains how to name one; `find` returns None if there is none."""

    name: str
    label: str
    says: str
    find: Callable[[str], HoldTarget | None]


_kinds: dict[str, HoldKind] = {}


def register(kind: HoldKind) -> None:
    """Register a kind of object for holds; an app does this in its `hooks`."""
    _kinds[kind.name] = kind


def kinds() -> dict[str, HoldKind]:
    """Return every kind by name."""
    return _kinds


def find_operator(code: str) -> HoldTarget | None:
    """Return an operator by its code."""
    party = Party.objects.filter(code=code, kind__in=OPERATOR_KINDS).first()
    return HoldTarget(party.uuid, party.uuid, f"operator {party}", party) if party else None
