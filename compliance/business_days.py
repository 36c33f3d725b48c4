"""Counting days as WAC 230-06-051 does, over Washington's holidays."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holidays import HolidayBase

DAY = timedelta(days=1)
SHORT = 7


@cache
def _holidays() -> HolidayBase:
    import holidays  # an eighth of a second of import that few processes need

    return holidays.country_holidays("US", subdiv="WA")


def is_business_day(day: date) -> bool:
    """Whether a day is neither a Saturday, a Sunday nor a legal holiday."""
    return day.weekday() < 5 and day not in _holidays()


def last_day(start: date, days: int) -> date:
    """The last day of a period that begins on the day after `start`.

    Of fewer than seven days only business days count. Of a longer one all count, but it does not
    end on a Saturday, a Sunday or a holiday: then it ends on the next business day.
    """
    day = start
    left = days
    while left:
        day += DAY
        if days >= SHORT or is_business_day(day):
            left -= 1
    while not is_business_day(day):
        day += DAY
    return day
