"""Queries for what operators disclosed of a gambling day or a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audits.review.disclosures.models import Disclosure

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from compliance.access.models import Party


def disclosures_about(party: Party, places: Iterable[tuple[date, str]]) -> list[Disclosure]:
    """Return what an operator disclosed of tables on some gambling days, oldest first.

    A place or a disclosure without a table is about the whole day.
    """
    wanted = set(places)
    days = {day for day, _ in wanted}
    found = Disclosure.objects.filter(party=party, day__in=days).order_by("day", "pk")
    return [
        each
        for each in found
        if not each.table or (each.day, each.table) in wanted or (each.day, "") in wanted
    ]
