"""Template filters for instants of rounds, since a table's clock may be wildly wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template

from audits.local_times import format_instant

if TYPE_CHECKING:
    from datetime import datetime

register = template.Library()


@register.filter
def on_the_clock(at: datetime | None, form: str) -> str:
    """Format an instant like `date`; in UTC if it has no local date."""
    return "" if at is None else format_instant(at, form)
