"""The day of an instant: the calendar day in Washington, where the tables are."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo

DayOf = Callable[[int], int]
"""Returns the number of the day to which an instant (microseconds since 1970) belongs."""

ZONE: Final = "America/Los_Angeles"
MICROSECONDS_A_DAY: Final = 86_400_000_000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@cache
def _zone() -> ZoneInfo:
    return ZoneInfo(ZONE)


def microseconds(at: datetime) -> int:
    """Convert an instant to microseconds since 1970, as in rounds."""
    return (at - _EPOCH) // timedelta(microseconds=1)


def washington_day(at: int) -> int:
    """Return the calendar day, as `date.toordinal` counts; in UTC at the ends of the calendar."""
    try:
        return (_EPOCH + timedelta(microseconds=at)).astimezone(_zone()).toordinal()
    except OverflowError:
        return date(1970, 1, 1).toordinal() + at // MICROSECONDS_A_DAY
