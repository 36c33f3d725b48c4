"""The newest reports of a party, as a part of its home page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.models import Report

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest

    from compliance.models import Party

NEWEST = 5


def newest(_: HttpRequest, party: Party) -> QuerySet[Report]:
    """The newest reports that are shown to a party."""
    return Report.objects.filter(shown_to__party=party).order_by("-at", "-pk")[:NEWEST]
