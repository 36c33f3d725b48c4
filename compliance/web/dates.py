"""Django's `date` in every template, with the zone in each hour of the year.

In the hour that the clock shows twice Django's own `T` is empty, where it is needed most.
"""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

from django import template
from django.template import defaultfilters

register = template.Library()


@register.filter("date", expects_localtime=True, is_safe=False)
def date_with_zone(value: Any, form: str | None = None) -> Any:
    """A date or an instant by a format of dates."""
    return defaultfilters.date(named_zone(value), form)


def named_zone(at: Any) -> Any:
    """The same instant at the offset that it has, by the name that its zone has then."""
    if not isinstance(at, datetime):
        return at
    offset, name = at.utcoffset(), at.tzname()
    return at if offset is None or name is None else at.replace(tzinfo=timezone(offset, name))
