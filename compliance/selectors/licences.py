"""Who holds a licence on a day, and what a tribe's compact says that day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compliance.models import CompactValue, Licence, LicenceChange
from compliance.models.licence import LicenceClass

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import date

    from compliance.models import Party

ENDS = {
    LicenceChange.Effect.SUSPENDED,
    LicenceChange.Effect.REVOKED,
    LicenceChange.Effect.SURRENDERED,
}
HOUSE_BANKED = frozenset({LicenceClass.HOUSE_BANKED_CARD_ROOM})
ANY_CARD_ROOM = HOUSE_BANKED | {LicenceClass.CLASS_F_CARD_ROOM, LicenceClass.CARD_ROOM}
SUPPLIERS = frozenset(
    {
        LicenceClass.MANUFACTURER,
        LicenceClass.DISTRIBUTOR,
        LicenceClass.GAMBLING_SERVICE_SUPPLIER,
        LicenceClass.STATE_CERTIFICATION,
    }
)


def holds_licence(holder: Party, kinds: Collection[LicenceClass], on: date) -> bool:
    """Whether a licence of one of these classes holds on a day."""
    return bool(licence_holders(kinds, on, among=(holder,)))


def licence_holders(
    kinds: Collection[LicenceClass], on: date, *, among: Collection[Party] | None = None
) -> set[int]:
    """The parties whose licence of one of these classes holds on a day, by their keys."""
    licences = Licence.objects.filter(kind__in=kinds, from_date__lte=on)
    if among is not None:
        licences = licences.filter(holder__in=among)
    return {
        licence.holder_id
        for licence in licences.prefetch_related("changes")
        if (licence.to_date is None or on < licence.to_date) and _stands(licence, on)
    }


def _stands(licence: Licence, on: date) -> bool:
    stands = True
    for change in licence.changes.all():
        if change.from_date <= on:
            stands = change.effect not in ENDS
    return stands


def compact_value(agency: Party, rule: CompactValue.Rule, on: date) -> CompactValue | None:
    """What a tribe's compact says of a rule on a day; None where no compact says anything."""
    return (
        CompactValue.objects.filter(compact__agency=agency, rule=rule, from_date__lte=on)
        .order_by("from_date", "id")
        .last()
    )
