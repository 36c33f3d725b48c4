"""Instants as pages show them: by the clock of the place of play, as far as that has dates."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django.utils.formats import date_format
from django.utils.timezone import localtime

from compliance.web.dates import named_zone

if TYPE_CHECKING:
    from datetime import datetime

CLOCK = "g:i:s A"
WHOLE = f"l, F j, Y, {CLOCK}"
SHORT = f"M j, Y, {CLOCK}"


def shown(at: datetime, form: str = WHOLE) -> str:
    """An instant by a format of dates, with its zone; in UTC where no local date has it."""
    return by_form(at, f"{form} T")


def by_form(at: datetime, form: str) -> str:
    """An instant by a format of dates; in UTC where no local date has it."""
    return str(date_format(named_zone(local(at)), form))


def local(at: datetime) -> datetime:
    """An instant by the clock of the place of play; in UTC where no local date has it."""
    try:
        return localtime(at)
    except OverflowError:
        return at.astimezone(UTC)


def apart(seconds: float) -> str:
    """A stretch of time in words, to the second or to the minute."""
    whole = round(abs(seconds))
    hours, minutes = divmod(whole // 60, 60)
    if hours >= 48:
        return f"{hours // 24:,} days"
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {whole % 60} s" if minutes else f"{whole} s"


class InstantColumn(tables.Column):  # type: ignore[misc]
    """A column of instants of rounds, by a format of dates."""

    def __init__(self, *, form: str, **more: Any) -> None:
        super().__init__(**more)
        self._form = form

    def render(self, value: datetime) -> str:
        """An instant by the clock of the place of play."""
        return by_form(value, self._form)
