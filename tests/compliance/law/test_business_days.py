"""WAC 230-06-051, counted by hand on a calendar."""

from datetime import date

import pytest

from compliance.law.business_days import is_business_day, last_day
from compliance.law.values import LawError


@pytest.mark.parametrize(
    ("start", "days", "end"),
    [
        # Thursday 2025-07-10; the period begins on Friday: Fri, Mon, Tue
        (date(2025, 7, 10), 3, date(2025, 7, 15)),
        # Wednesday before Independence Day 2025 (a Friday): Thu, Mon, Tue
        (date(2025, 7, 2), 3, date(2025, 7, 8)),
        # thirty days from 2025-06-04 end on Friday, July 4, so it is Monday, July 7
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
        "2025-07-05",  # a Saturday
        "2025-07-06",  # a Sunday
        "2025-01-01",  # New Year's Day
        "2026-01-19",  # the third Monday of January
        "2026-02-16",  # the third Monday of February
        "2024-05-27",  # the last Monday of May, which has four
        "2027-05-31",  # the last Monday of May, which has five
        "2025-06-19",  # Juneteenth
        "2025-07-04",
        "2025-09-01",  # the first Monday of September, on its first day
        "2026-09-07",  # the first Monday of September, on the last day it can be
        "2025-11-11",
        "2026-11-26",  # the fourth Thursday of November
        "2023-11-23",  # the fourth Thursday of November, which has five
        "2013-11-29",  # the day after Thanksgiving, before it had a name
        "2025-11-28",  # Native American Heritage Day
        "2025-12-25",
    ],
)
def test_a_weekend_or_legal_holiday_is_no_business_day(day):
    assert not is_business_day(date.fromisoformat(day))


@pytest.mark.parametrize(
    "day",
    [
        "2020-07-03",  # July 4 is a Saturday
        "2021-07-05",  # July 4 is a Sunday
        "2028-11-10",  # Veterans' Day is a Saturday
        "2021-12-24",  # Christmas Day is a Saturday
        "2022-12-26",  # Christmas Day is a Sunday
        "2021-12-31",  # New Year's Day of the next year is a Saturday
        "2023-01-02",  # New Year's Day is a Sunday
        "2022-06-20",  # Juneteenth, a Sunday: the first as a legal holiday
    ],
)
def test_a_holiday_on_a_weekend_moves_to_the_nearest_weekday(day):
    assert not is_business_day(date.fromisoformat(day))


@pytest.mark.parametrize(
    "day",
    [
        "2021-06-18",  # Juneteenth was a federal holiday by then, and the state's since 2021-07-25
        "2020-06-19",
        "2025-10-13",  # Columbus Day, a federal holiday
        "2021-07-06",  # after the Monday in place of July 4
        "2026-11-25",  # before Thanksgiving
        "2025-12-26",
    ],
)
def test_a_day_of_no_state_law_is_a_business_day(day):
    assert is_business_day(date.fromisoformat(day))


def test_days_whose_law_was_not_read_are_refused():
    assert is_business_day(date(2003, 7, 28))
    with pytest.raises(LawError, match="before 2003-07-27 have not been read"):
        is_business_day(date(2003, 7, 25))
