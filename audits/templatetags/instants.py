"""Instants of rounds in templates: a table's clock may be as wrong as the form allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template

from audits.web.rounds.times import by_form

if TYPE_CHECKING:
    from datetime import datetime

register = template.Library()


@register.filter
def on_the_clock(at: datetime | None, form: str) -> str:
    """An instant as `date` shows it; in UTC where the place of play has no date for it."""
    return "" if at is None else by_form(at, form)
