"""Instants of rounds in templates: a table's clock may be as wrong as the form allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template
from django.utils.formats import date_format

from audits.web.rounds.times import local

if TYPE_CHECKING:
    from datetime import datetime

register = template.Library()


@register.filter
def on_the_clock(at: datetime | None, form: str) -> str:
    """An instant as `date` shows it; in UTC where the place of play has no date for it."""
    return "" if at is None else str(date_format(local(at), form))
