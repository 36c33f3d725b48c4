"""The clock that services go by; a demonstration sets it back to tell of months gone by."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils import timezone

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date, datetime, tzinfo

_set: ContextVar[datetime | None] = ContextVar("clock", default=None)


def now() -> datetime:
    """The instant at which a service acts."""
    return _set.get() or timezone.now()


def today() -> date:
    """The civil date at the agency."""
    return timezone.localdate(now())


def told(at: datetime, zone: tzinfo) -> str:
    """An instant as programs are told it: by the clock of a zone, as far as that has dates.

    A table's clock may be as wrong as the form allows, and the first hours of the year 1 lie before
    all dates in the west: they are told in UTC.
    """
    try:
        return at.astimezone(zone).isoformat()
    except OverflowError:
        return at.astimezone(UTC).isoformat()


@contextmanager
def standing_at(instant: datetime) -> Iterator[None]:
    """Let services act as at an instant that has passed; never in production."""
    if settings.PRODUCTION:
        msg = "In production the clock is not set."
        raise RuntimeError(msg)
    token = _set.set(instant)
    try:
        yield
    finally:
        _set.reset(token)
