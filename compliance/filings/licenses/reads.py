"""License holders on a day, and a tribe's compact values on a day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compliance.filings.licenses.models import CompactValue, License, LicenseChange, LicenseClass
from compliance.remembered import remembered

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import date

    from compliance.access.models import Party


ENDS = {
    LicenseChange.Effect.SUSPENDED,
    LicenseChange.Effect.REVOKED,
    LicenseChange.Effect.SURRENDERED,
}
HOUSE_BANKED = frozenset({LicenseClass.HOUSE_BANKED_CARD_ROOM})
ANY_CARD_ROOM = HOUSE_BANKED | {LicenseClass.CLASS_F_CARD_ROOM, LicenseClass.CARD_ROOM}
SUPPLIERS = frozenset(
    {
        LicenseClass.MANUFACTURER,
        LicenseClass.DISTRIBUTOR,
        LicenseClass.GAMBLING_SERVICE_SUPPLIER,
        LicenseClass.STATE_CERTIFICATION,
    }
)


def holds_license(holder: Party, kinds: Collection[LicenseClass], on: date) -> bool:
    """Return whether a license of one of these classes is in effect on a day."""
    return any(each.kind in kinds and is_in_effect(each, on) for each in _licenses_of(holder))


@remembered
def _licenses_of(holder: Party) -> list[License]:
    return list(License.objects.filter(holder=holder).prefetch_related("changes"))


def license_holders(
    kinds: Collection[LicenseClass], on: date, *, among: Collection[Party] | None = None
) -> set[int]:
    """Return the keys of the parties with a license of one of these classes on a day."""
    licenses = License.objects.filter(kind__in=kinds, from_date__lte=on)
    if among is not None:
        licenses = licenses.filter(holder__in=among)
    return {
        license.holder_id
        for license in licenses.prefetch_related("changes")
        if is_in_effect(license, on)
    }


def is_in_effect(license: License, on: date) -> bool:
    """Return whether a license is in effect on a day: granted, and not suspended or ended."""
    holds = license.from_date <= on and (license.to_date is None or on < license.to_date)
    for change in license.changes.all():
        if change.from_date <= on:
            holds = change.effect not in ENDS
    return holds


def compact_value(agency: Party, rule: CompactValue.Rule, on: date) -> CompactValue | None:
    """Return a tribe's compact value for a rule on a day; None if no compact has one."""
    return (
        CompactValue.objects.filter(compact__agency=agency, rule=rule, from_date__lte=on)
        .order_by("from_date", "id")
        .last()
    )
