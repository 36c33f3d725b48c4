"""Reports by whom they are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, Q

from reports.models import Report, ReportVisibility

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from compliance.models import Party


def about(found: QuerySet[Report], party: Party) -> QuerySet[Report]:
    """Those about a party. A letter is about a decision, and shown to the party it concerns."""
    shown = ReportVisibility.objects.filter(report=OuterRef("pk"), party=party)
    return found.filter(Q(party=party) | Exists(shown))
