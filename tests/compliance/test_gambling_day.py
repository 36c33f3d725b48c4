"""Three separate clocks: instants, civil days, gambling days. Expected values are by hand."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compliance.law.gambling_day import CutOff, day_start, gambling_day

WEST = ZoneInfo("America/Los_Angeles")
ALWAYS = datetime(2000, 1, 1, tzinfo=UTC)
SIX = [CutOff(ALWAYS, time(6))]


def local(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=WEST)


def test_a_round_after_midnight_belongs_to_the_night_before():
    assert gambling_day(local(2025, 7, 13, 2), SIX, WEST) == date(2025, 7, 12)
    assert gambling_day(local(2025, 7, 13, 5, 59), SIX, WEST) == date(2025, 7, 12)
    assert gambling_day(local(2025, 7, 13, 6), SIX, WEST) == date(2025, 7, 13)


def test_gambling_day_spans_two_civil_dates():
    before, after = local(2023, 9, 24, 23, 59), local(2023, 9, 25, 0, 1)
    assert gambling_day(before, SIX, WEST) == gambling_day(after, SIX, WEST) == date(2023, 9, 24)
    assert (before.date(), after.date()) == (date(2023, 9, 24), date(2023, 9, 25))


@pytest.mark.parametrize(
    ("day", "hours"),
    [
        (date(2025, 3, 8), 23),  # clocks go forward on Sunday, March 9
        (date(2025, 11, 1), 25),  # clocks go back on Sunday, November 2
        (date(2025, 7, 12), 24),
    ],
)
def test_nights_of_daylight_saving_are_shorter_and_longer(day, hours):
    start, end = day_start(day, SIX, WEST), day_start(day + timedelta(days=1), SIX, WEST)
    assert end - start == timedelta(hours=hours)


def test_the_hour_that_comes_twice_is_one_night():
    first = datetime(2025, 11, 2, 1, 30, tzinfo=WEST, fold=0)
    second = datetime(2025, 11, 2, 1, 30, tzinfo=WEST, fold=1)
    assert second.astimezone(UTC) - first.astimezone(UTC) == timedelta(hours=1)
    assert gambling_day(first, SIX, WEST) == gambling_day(second, SIX, WEST) == date(2025, 11, 1)


def test_a_later_cut_off_lengthens_the_day_of_the_change():
    changed = [*SIX, CutOff(local(2025, 7, 12, 20), time(8))]
    assert day_start(date(2025, 7, 12), changed, WEST) == local(2025, 7, 12, 6)
    assert day_start(date(2025, 7, 13), changed, WEST) == local(2025, 7, 13, 8)


def test_an_earlier_cut_off_shortens_it():
    changed = [*SIX, CutOff(local(2025, 7, 12, 20), time(4))]
    assert day_start(date(2025, 7, 13), changed, WEST) == local(2025, 7, 13, 4)


def test_change_between_cut_offs_starts_the_day():
    # at 05:00 the old cut-off (06:00) is still ahead, the new one (04:00) has passed
    changed = [*SIX, CutOff(local(2025, 7, 13, 5), time(4))]
    assert day_start(date(2025, 7, 13), changed, WEST) == local(2025, 7, 13, 5)
    assert gambling_day(local(2025, 7, 13, 4, 59), changed, WEST) == date(2025, 7, 12)


def test_a_change_after_both_leaves_the_day_as_it_began():
    changed = [*SIX, CutOff(local(2025, 7, 13, 7), time(8))]
    assert day_start(date(2025, 7, 13), changed, WEST) == local(2025, 7, 13, 6)


def test_operators_with_other_cut_offs_have_other_days():
    noon = [CutOff(ALWAYS, time(12))]
    at = local(2025, 7, 13, 9)
    assert gambling_day(at, SIX, WEST) == date(2025, 7, 13)
    assert gambling_day(at, noon, WEST) == date(2025, 7, 12)


@given(
    minutes=st.integers(0, 60 * 24 * 10),
    change=st.integers(60 * 24 * 2, 60 * 24 * 8),
    old=st.integers(0, 23),
    new=st.integers(0, 23),
)
def test_days_tile_whatever_the_cut_off_is_changed_to(minutes, change, old, new):
    begin = datetime(2025, 3, 4, tzinfo=UTC)  # ten days around the clock change
    cut_offs = [
        CutOff(ALWAYS, time(old)),
        CutOff(begin + timedelta(minutes=change), time(new)),
    ]
    at = begin + timedelta(minutes=minutes)
    day = gambling_day(at, cut_offs, WEST)
    assert day_start(day, cut_offs, WEST) <= at
    assert at < day_start(day + timedelta(days=1), cut_offs, WEST)
