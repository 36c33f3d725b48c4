"""Weeks and months of gambling days: where one begins and ends, and what it is called."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

WEEKLY, MONTHLY = "weekly", "monthly"
PERIODS = (WEEKLY, MONTHLY)
DAY = timedelta(days=1)
SUNDAY = 6


@dataclass(frozen=True)
class Period:
    """Gambling days from the first to the last, both in it."""

    kind: str
    first: date
    last: date

    @property
    def days(self) -> Iterator[date]:
        """Its days in order."""
        day = self.first
        while day <= self.last:
            yield day
            day += DAY

    @property
    def before(self) -> Period:
        """The one that ends where this one begins."""
        return period_of(self.kind, self.first - DAY)

    @property
    def in_words(self) -> str:
        """As people call it."""
        if self.kind == MONTHLY:
            return f"{self.first:%B %Y}"
        return f"{self.first:%B %-d} to {self.last:%B %-d, %Y}"


def period_of(kind: str, day: date) -> Period:
    """The period of a kind that a gambling day lies in; weeks begin on Monday."""
    if kind == WEEKLY:
        first = day - day.weekday() * DAY
        return Period(kind, first, first + 6 * DAY)
    first = day.replace(day=1)
    return Period(kind, first, (first + 31 * DAY).replace(day=1) - DAY)


def ends_of(kind: str, first: date, last: date) -> list[date]:
    """The last days of all periods of a kind that end from one day to another."""
    ends = []
    end = period_of(kind, first).last
    while end <= last:
        ends.append(end)
        end = period_of(kind, end + DAY).last
    return ends
