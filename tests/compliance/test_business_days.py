"""WAC 230-06-051, counted by hand on a calendar."""

from datetime import date

import pytest

from compliance.business_days import is_business_day, last_day


@pytest.mark.parametrize(
    ("start", "days", "end"),
    [
        # Thursday 2025-07-10; the period begins on Friday: Fri, Mon, Tue
        (date(2025, 7, 10), 3, date(2025, 7, 15)),
        # Wednesday before Independence Day 2025 (a Friday): Thu, Mon, Tue
        (date(2025, 7, 2), 3, date(2025, 7, 8)),
        # thirty days from 2025-06-04 end on Friday 4 July: on to Monday 7 July
        (date(2025, 6, 4), 30, date(2025, 7, 7)),
        # seven days count every day: Thursday to Thursday
        (date(2025, 7, 10), 7, date(2025, 7, 17)),
        # seven days that end on a Sunday end on Monday
        (date(2025, 7, 13), 7, date(2025, 7, 21)),
        # six days skip the weekend: Fri Mon Tue Wed Thu Fri
        (date(2025, 7, 10), 6, date(2025, 7, 18)),
    ],
)
def test_a_period_ends_on_the_day_the_rule_gives(start, days, end):
    assert last_day(start, days) == end


@pytest.mark.parametrize(
    "day",
    [
        date(2025, 7, 4),
        date(2025, 7, 5),
        date(2025, 7, 6),
        date(2025, 6, 19),
        date(2025, 11, 28),  # the day after Thanksgiving is a holiday of the state
    ],
)
def test_these_are_no_business_days(day):
    assert not is_business_day(day)
