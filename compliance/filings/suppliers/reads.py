"""Interests on a day, and whether equipment may be delivered on a day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compliance.access.permissions import PartyKind
from compliance.access.scope import without_access_scope
from compliance.filings.licenses.models import License, LicenseClass
from compliance.filings.licenses.reads import is_in_effect
from compliance.filings.suppliers.models import Equipment, Interest

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import date

    from compliance.access.models import Party
    from compliance.filings.games.models import Game


WHOLE = 10_000
STATE_LICENSES = frozenset(
    {
        LicenseClass.MANUFACTURER,
        LicenseClass.DISTRIBUTOR,
        LicenseClass.GAMBLING_SERVICE_SUPPLIER,
    }
)


def interests_on(supplier: Party, day: date) -> list[Interest]:
    """Return the interests in a supplier on a day, one for each holder."""
    newest: dict[str, Interest] = {}
    for each in Interest.objects.filter(supplier=supplier, from_date__lte=day).select_related(
        "document"
    ):
        newest[each.holder.casefold()] = each
    return [each for each in newest.values() if each.basis != Interest.Basis.ENDED]


def licenses_of_equipment(equipment: Equipment) -> list[License]:
    """Return the licenses on file by the numbers that were given, of the maker as named."""
    with without_access_scope():
        found = License.objects.filter(number__in=equipment.license_numbers)
        named = found.filter(holder__name__iexact=equipment.maker.strip())
        return list(named.select_related("holder", "issuer").prefetch_related("changes"))


def find_license_problems(
    equipment: Equipment, day: date, operator: Party | None = None
) -> list[str]:
    """Return why equipment may not be delivered on a day; to a card room, if no operator is given.

    A card room's comes from a maker or distributor with a state license. A tribal operation's comes
    from one that the state certified and the tribe licensed.
    """
    current = [each for each in licenses_of_equipment(equipment) if is_in_effect(each, day)]
    on = f"{day:%B} {day.day}, {day.year}"
    if operator is None or operator.kind != PartyKind.TRIBAL_OPERATION:
        if _has(current, STATE_LICENSES):
            return []
        return [
            f"{equipment}: no manufacturer's or distributor's license of {equipment.maker} with a "
            f"number given here is in effect on {on}."
        ]
    problems = []
    if not _has(current, {LicenseClass.STATE_CERTIFICATION}):
        problems.append(
            f"{equipment}: no state certification of {equipment.maker} with a number given here is "
            f"in effect on {on}."
        )
    of_tribe = [each for each in current if each.issuer_id == operator.agency_id]
    if not _has(of_tribe, {LicenseClass.TRIBAL_LICENSE}):
        problems.append(
            f"{equipment}: no license of {equipment.maker} by {operator.agency} with a number given"
            f" here is in effect on {on}."
        )
    return problems


def _has(licenses: Collection[License], kinds: Collection[LicenseClass]) -> bool:
    return any(each.kind in kinds for each in licenses)


def equipment_of_game(game: Game) -> list[Equipment]:
    """Return the equipment that was filed for a game."""
    with without_access_scope():
        return list(Equipment.objects.filter(game=game).select_related("supplier"))
