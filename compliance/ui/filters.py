"""Filters for all templates: dates with their zone, names in text, and browsers.

In the hour that the clock repeats, Django's own `T` is empty, where it is needed most. The engine
and the log parser put names in backticks, for terminals: "`main` is missing". A browser's user
agent is long; people know it by its name and their operating system's.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timezone
from typing import TYPE_CHECKING, Any

from django import template
from django.template import defaultfilters
from django.utils.html import format_html, format_html_join
from django.utils.timezone import localtime

from compliance.ui.lists import signed
from games.cents import in_dollars

if TYPE_CHECKING:
    from django.utils.safestring import SafeString


register = template.Library()
WHEN = "F j, Y, g:i A T"
DAY = "F j, Y"
NAME = re.compile(r"`([^`]+)`")
# In this order: each browser also names those before it, and a phone the system it is based on.
BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "CriOS/": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "Linux": "Linux",
}


@register.filter("date", expects_localtime=True, is_safe=False)
def date_with_zone(value: Any, form: str | None = None) -> Any:
    """Format a date or an instant, with its zone."""
    return defaultfilters.date(named_zone(value), form)


def named_zone(at: Any) -> Any:
    """Return the same instant at its offset, with the name of its zone at that time."""
    if not isinstance(at, datetime):
        return at
    offset, name = at.utcoffset(), at.tzname()
    return at if offset is None or name is None else at.replace(tzinfo=timezone(offset, name))


@register.filter
def when(at: datetime | None) -> str:
    """Format an instant in local time: July 12, 2025, 9:14 PM PDT."""
    return _formatted(at, WHEN)


@register.filter
def day(of: date | None) -> str:
    """Format a day, or the local day of an instant: July 12, 2025."""
    return _formatted(of, DAY)


def _formatted(value: date | None, form: str) -> str:
    shown = local(value) if isinstance(value, datetime) else value
    return "" if shown is None else str(date_with_zone(shown, form))


def local(at: datetime) -> datetime:
    """Convert an instant to local time; to UTC if it has no local date there."""
    try:
        return localtime(at)
    except OverflowError:
        return at.astimezone(UTC)


register.filter("dollars", in_dollars)
register.filter("signed_dollars", signed)


@register.filter("named")
def with_names(text: object) -> SafeString:
    """Put the names in backticks into `code` elements; escape everything."""
    parts = NAME.split(str(text))
    for place in range(1, len(parts), 2):
        parts[place] = format_html("<code>{}</code>", parts[place])
    return format_html_join("", "{}", ((part,) for part in parts))


@register.filter("browser")
def browser_name(user_agent: str) -> str:
    """Return the browser and system in a user agent; its own text if they are unknown."""
    browser = next((name for mark, name in BROWSERS.items() if mark in user_agent), "")
    system = next((name for mark, name in SYSTEMS.items() if mark in user_agent), "")
    return f"{browser} on {system}" if browser and system else user_agent
