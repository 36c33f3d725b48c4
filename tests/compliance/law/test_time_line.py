"""A rule's timeline: every day is in exactly one span, and gaps in knowledge are marked."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest

from compliance.law.values import read_rule, shipped_rules, time_line

TODAY = date(2026, 11, 19)


def rule(*values):
    entry = {"says": "A cap", "scope": "state", "unit": "cents", "value": [*values]}
    return read_rule("here", "cap", entry)


def value(begin, **more):
    return {
        "from": begin,
        "citation": "WAC 1",
        "filing": "WSR 1",
        "grade": "confirmed",
        "source": "read",
        **({"value": 100} if more.get("grade") != "unknown" else {}),
        **more,
    }


def spans_of(made, until=TODAY):
    return [
        (each.begin.year, each.end.year, each.sure.value) for each in time_line(made, until=until)
    ]


def test_gap_is_unknown_and_last_value_carries_forward():
    made = rule(
        value(date(2000, 1, 1), to=date(2004, 1, 1)),
        value(date(2009, 1, 1), verified_through=date(2020, 1, 1)),
    )
    assert spans_of(made) == [
        (2000, 2004, "confirmed"),
        (2004, 2009, "unknown"),
        (2009, 2020, "confirmed"),
        (2020, 2026, "carried"),
    ]


def test_unverified_and_ended_values_are_unknown():
    made = rule(
        value(date(2000, 1, 1), to=date(2004, 1, 1), grade="unknown"),
        value(date(2004, 1, 1), to=date(2010, 1, 1), grade="inferred"),
    )
    assert spans_of(made) == [
        (2000, 2004, "unknown"),
        (2004, 2010, "inferred"),
        (2010, 2026, "unknown"),
    ]


def test_future_value_is_not_drawn_before_its_day():
    made = rule(
        value(date(2000, 1, 1), to=date(2030, 1, 1)),
        value(date(2030, 1, 1), verified_through=date(2030, 1, 1)),
    )
    assert spans_of(made) == [(2000, 2026, "confirmed")]
    assert spans_of(rule(value(date(2030, 1, 1), verified_through=date(2030, 1, 1)))) == []


@pytest.mark.parametrize("made", shipped_rules().values(), ids=lambda each: each.name)
def test_every_day_from_the_first_value_on_is_in_one_span(made):
    spans = time_line(made, until=TODAY)
    assert spans[0].begin == made.values[0].from_
    assert spans[-1].end == TODAY
    assert all(one.end == after.begin for one, after in pairwise(spans))
    assert all(each.begin < each.end for each in spans)
