"""Instants as stored in segments and findings files: microseconds since 1970-01-01 UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date, time, tzinfo

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def instant(microseconds: int) -> datetime:
    """Convert microseconds since 1970-01-01 UTC to a datetime."""
    return EPOCH + timedelta(microseconds=microseconds)


def microseconds(at: datetime) -> int:
    """Convert a datetime to microseconds since 1970-01-01 UTC."""
    return (at - EPOCH) // timedelta(microseconds=1)


def instants_at(day: date, clock: time, zone: tzinfo) -> list[datetime]:
    """Return, in order, the instants at which a zone's clock showed a time on a day.

    There are two if the clock was set back over that time, and none if it was set forward.
    """
    wanted = datetime.combine(day, clock)
    either = {wanted.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)}
    shown = (each for each in either if each.astimezone(zone).replace(tzinfo=None) == wanted)
    return sorted(shown)
