"""Display of instants in the local time zone, with UTC where it has no valid date."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django.utils.formats import date_format

from compliance.ui.filters import local, named_zone

if TYPE_CHECKING:
    from datetime import datetime


CLOCK = "g:i:s A"
WHOLE = f"l, F j, Y, {CLOCK}"
SHORT = f"M j, Y, {CLOCK}"


def show_instant(at: datetime, form: str = WHOLE) -> str:
    """Format an instant with its time zone; in UTC if it has no local date."""
    return format_instant(at, f"{form} T")


def format_instant(at: datetime, form: str) -> str:
    """Format an instant; in UTC if it has no local date."""
    return str(date_format(named_zone(local(at)), form))


def show_duration(seconds: float) -> str:
    """Format a duration to the second, the minute, or the day."""
    whole = round(abs(seconds))
    hours, minutes = divmod(whole // 60, 60)
    if hours >= 48:
        return f"{hours // 24:,} days"
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {whole % 60} s" if minutes else f"{whole} s"


class InstantColumn(tables.Column):  # type: ignore[misc]
    """A table column that formats the instants of rounds."""

    def __init__(self, *, form: str, **more: Any) -> None:
        super().__init__(**more)
        self._form = form

    def render(self, value: datetime) -> str:
        """Format an instant in local time."""
        return format_instant(value, self._form)
