"""Counting of days under WAC 230-06-051, with Washington's legal holidays by date (RCW 1.16.050).

The counting rule says "holiday" and does not define it. That it means the state's legal holidays is
inferred from WAC 10-08-080, the rule for all state agencies; a holiday of federal law alone is a
business day. The section was read as amended by 2003 c 68, 2007 c 61, 2014 c 177 and 2021 c 295,
the last time as of February 2, 2023; later days carry that text forward.
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from compliance.law.values import LawError

if TYPE_CHECKING:
    from collections.abc import Callable

DAY = timedelta(days=1)
SHORT = 7
MONDAY, THURSDAY = 0, 3
KNOWN_FROM: Final = date(2003, 7, 27)
"""Since when 2003 c 68 was in effect. No earlier text has been read."""


class LegalHoliday(NamedTuple):
    """A day of RCW 1.16.050(1) in every year, since a day."""

    name: str
    falls_on: Callable[[int], date]
    since: date = KNOWN_FROM


def _nth(weekday: int, number: int, month: int, year: int) -> date:
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (number - 1))


LEGAL_HOLIDAYS: Final = (
    LegalHoliday("New Year's Day", lambda year: date(year, 1, 1)),
    LegalHoliday("Martin Luther King Jr. Day", lambda year: _nth(MONDAY, 3, 1, year)),
    LegalHoliday("Presidents' Day", lambda year: _nth(MONDAY, 3, 2, year)),
    LegalHoliday("Memorial Day", lambda year: _nth(MONDAY, 1, 6, year) - 7 * DAY),
    # 2021 c 295 s 2; before, a day of remembrance and no legal holiday
    LegalHoliday("Juneteenth", lambda year: date(year, 6, 19), date(2021, 7, 25)),
    LegalHoliday("Independence Day", lambda year: date(year, 7, 4)),
    LegalHoliday("Labor Day", lambda year: _nth(MONDAY, 1, 9, year)),
    LegalHoliday("Veterans' Day", lambda year: date(year, 11, 11)),
    LegalHoliday("Thanksgiving Day", lambda year: _nth(THURSDAY, 4, 11, year)),
    # named by 2014 c 177 s 2; before, "the day immediately following Thanksgiving Day"
    LegalHoliday("Native American Heritage Day", lambda year: _nth(THURSDAY, 4, 11, year) + DAY),
    LegalHoliday("Christmas Day", lambda year: date(year, 12, 25)),
)


@cache
def _holidays(year: int) -> frozenset[date]:
    """Return the legal holidays that fall in or next to a year, where a weekend moves them.

    From Sunday to Monday, from Saturday to Friday. That is known from what courts quote of the
    section; since when the Friday counts has not been read.
    """
    days = (
        day
        for each in LEGAL_HOLIDAYS
        for day in (each.falls_on(year), each.falls_on(year + 1))
        if day >= each.since
    )
    moved = {5: -DAY, 6: DAY}
    return frozenset(day + moved.get(day.weekday(), timedelta()) for day in days)


def is_business_day(day: date) -> bool:
    """Return whether a day is neither a Saturday, a Sunday nor a legal holiday.

    Raises an error for a day of which the law has not been read.
    """
    if day < KNOWN_FROM:
        msg = f"{day}: Washington's legal holidays before {KNOWN_FROM} have not been read."
        raise LawError(msg)
    return day.weekday() < 5 and day not in _holidays(day.year)


def last_day(start: date, days: int) -> date:
    """Return the last day of a period that begins on the day after `start`.

    In a period under seven days, only business days count. In a longer one all days count, but if
    it would end on a Saturday, a Sunday or a holiday, it ends on the next business day.
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
