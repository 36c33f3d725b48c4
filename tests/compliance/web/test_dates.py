"""Every template names the time zone, even in the hour that occurs twice."""

from datetime import UTC, date, datetime

import pytest
from django.template import Context, Template


@pytest.mark.parametrize(
    ("hour", "minute", "says"),
    [
        # on November 2, 2025 the clock goes back from 2:00 PDT to 1:00 PST
        (7, 59, "Nov. 2, 2025, 12:59 AM PDT"),
        (8, 30, "Nov. 2, 2025, 1:30 AM PDT"),
        (9, 30, "Nov. 2, 2025, 1:30 AM PST"),
        (10, 0, "Nov. 2, 2025, 2:00 AM PST"),
    ],
)
def test_an_instant_is_shown_with_its_zone_in_autumn(hour, minute, says):
    at = datetime(2025, 11, 2, hour, minute, tzinfo=UTC)
    assert Template('{{ at|date:"N j, Y, g:i A T" }}').render(Context({"at": at})) == says


def test_a_day_and_nothing_at_all_are_shown_as_before():
    shown = Template('{{ day|date:"F j, Y" }}|{{ none|date:"F j, Y" }}')
    assert shown.render(Context({"day": date(2025, 7, 12), "none": None})) == "July 12, 2025|"
    assert (
        Template('{{ at|date:"c" }}').render(
            Context({"at": datetime(2025, 11, 2, 9, 30, tzinfo=UTC)})
        )
        == "2025-11-02T01:30:00-08:00"
    )
