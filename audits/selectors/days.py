"""Gambling days: which logs speak of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audits.models import RoundLog
from audits.selectors.segments import current_segments
from compliance.walls import without_walls

if TYPE_CHECKING:
    from datetime import date

    from compliance.models import Party


def logs_of_day(party: Party, day: date) -> list[RoundLog]:
    """Every log on file with rounds of a day, in the order in which they were registered."""
    named = {sha256 for each in current_segments(party, day=day) for sha256 in each.logs}
    with without_walls():
        return list(RoundLog.objects.filter(party=party, sha256__in=named).order_by("at", "id"))
