"""The clock used by services; a demonstration sets it back to create past data."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import connection
from django.utils import timezone

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date, datetime, tzinfo

_set: ContextVar[datetime | None] = ContextVar("clock", default=None)


def now() -> datetime:
    """Return the current instant for services."""
    return _set.get() or timezone.now()


def by_database() -> datetime:
    """Return the current instant by the database's clock, which all machines share.

    SQLite has no clock except that of the machine it runs on.
    """
    if (instant := _set.get()) is not None:
        return instant
    if connection.vendor == "sqlite":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        read: datetime = cursor.fetchone()[0]
    return read


def today() -> date:
    """Return today's civil date at the agency."""
    return timezone.localdate(now())


def zone() -> ZoneInfo:
    """Return the local time zone of the tables."""
    return ZoneInfo(settings.TIME_ZONE)


def to_local(at: datetime, zone: tzinfo) -> str:
    """Format an instant for programs, in a zone's time as far as its dates go.

    A table's clock may be as wrong as the format allows, and the first hours of the year 1 are
    before all dates in the west: they are formatted in UTC.
    """
    try:
        return at.astimezone(zone).isoformat()
    except OverflowError:
        return at.astimezone(UTC).isoformat()


@contextmanager
def standing_at(instant: datetime) -> Iterator[None]:
    """Let services act as of a past instant; never in production."""
    if settings.PRODUCTION:
        msg = "In production the clock is not set."
        raise RuntimeError(msg)
    token = _set.set(instant)
    try:
        yield
    finally:
        _set.reset(token)
