"""Due dates as a calendar that other programs subscribe to (RFC 5545).

Each is a whole day, the last one on which something may be done, in whatever time zone the reader's
calendar uses. In a module of its own because the library is large, and only this page needs it.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings
from icalendar import Calendar, Event

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from compliance.notifications.due_dates import DueDate

ASK_AGAIN = timedelta(hours=1)


def calendar_of(dates: Iterable[DueDate], *, at: datetime) -> bytes:
    """Return the calendar file as of an instant."""
    host = urlsplit(settings.SITE_URL).hostname or "localhost"
    made = Calendar()
    made.add("prodid", "-//Card game compliance//Due dates//EN")
    made.add("version", "2.0")
    made.add("x-wr-calname", f"Due dates: {settings.AGENCY_NAME}")
    made.add("refresh-interval", ASK_AGAIN, parameters={"VALUE": "DURATION"})
    made.add("x-published-ttl", "PT1H")  # ASK_AGAIN; an unknown property is written as given
    for due in dates:
        entry = Event()
        entry.add("uid", f"{due.key}@{host}")
        entry.add("dtstamp", at)
        entry.add("dtstart", due.on)
        entry.add("dtend", due.on + timedelta(days=1))
        entry.add("summary", due.outside)
        entry.add("url", f"{settings.SITE_URL}{due.link}")
        entry.add("transp", "TRANSPARENT")
        made.add_component(entry)
    written: bytes = made.to_ical()
    return written
