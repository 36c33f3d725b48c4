"""What one can ask the log for: the same for the page and the export."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_filters
from django import forms

from compliance.events import event_types
from compliance.models import Event

if TYPE_CHECKING:
    from django.db.models import QuerySet


class EventFilters(django_filters.FilterSet):  # type: ignore[misc]
    """Chooses events by type, day, party, actor and object."""

    type = django_filters.ChoiceFilter(
        label="What happened",
        choices=lambda: [(kind.name, kind.name) for kind in event_types()],
        empty_label="Everything",
    )
    since = django_filters.DateFilter(
        label="From", field_name="at", lookup_expr="date__gte",
        widget=forms.DateInput(attrs={"type": "date"}),
    )  # fmt: skip
    until = django_filters.DateFilter(
        label="To", field_name="at", lookup_expr="date__lte",
        widget=forms.DateInput(attrs={"type": "date"}),
    )  # fmt: skip
    party = django_filters.UUIDFilter(label="Party", widget=forms.HiddenInput())
    actor = django_filters.UUIDFilter(label="Actor", widget=forms.HiddenInput())
    object = django_filters.UUIDFilter(label="Object", widget=forms.HiddenInput())

    class Meta:
        model = Event
        fields: tuple[str, ...] = ()

    def chosen(self) -> QuerySet[Any] | None:
        """Answer the events asked for; None where the question cannot be read."""
        return self.qs if self.is_valid() else None

    def in_words(self) -> str:
        """Say what was asked, as the address has it."""
        asked = self.form.cleaned_data if self.is_valid() else {}
        return "&".join(f"{name}={value}" for name, value in asked.items() if value)
