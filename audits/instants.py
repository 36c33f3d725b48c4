"""Instants as segments and findings files hold them: microseconds since 1970-01-01 UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import tzinfo

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def instant(microseconds: int) -> datetime:
    """The instant that a number of microseconds stands for."""
    return EPOCH + timedelta(microseconds=microseconds)


def told(at: datetime, zone: tzinfo) -> str:
    """An instant as programs are told it: by the clock of a zone, as far as that has dates.

    A table's clock may be as wrong as the form allows, and the first hours of the year 1 lie before
    all dates in the west: they are told in UTC.
    """
    try:
        return at.astimezone(zone).isoformat()
    except OverflowError:
        return at.astimezone(UTC).isoformat()
