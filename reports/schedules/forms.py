"""Filters shared by the lists of reports and of orders, and the choice of a kind."""

from __future__ import annotations

from django_filters import ChoiceFilter, FilterSet

from compliance.ui.forms import DayFilter, PartyFilter
from reports.documents.registry import document_kinds


def kind_choices() -> list[tuple[str, str]]:
    """Return every kind of report by title."""
    kinds = sorted(document_kinds().values(), key=lambda kind: kind.title)
    return [(kind.name, kind.title) for kind in kinds]


class DayFilters(FilterSet):  # type: ignore[misc]
    """Filters of report lists: kind, party and day."""

    kind = ChoiceFilter(choices=kind_choices, empty_label="Any kind")
    party = PartyFilter()
    day = DayFilter(label="Gambling day")
