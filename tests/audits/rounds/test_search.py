"""Any round can be found by number, or by table and approximate time, by those with access."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from audits.instants import instants_at
from audits.intake.rounds import rounds_after, rounds_around, rounds_before
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from tests.audits.replay.nights import dealt
from tests.audits.submission.logs import EVENING, WEST, evening, ingested, played, written
from tests.compliance.pages.browsing import browser_as, words
from tests.compliance.people import party_for

if TYPE_CHECKING:
    from django.test import Client

    from compliance.access.models import Party

pytestmark = pytest.mark.django_db
FIND = "/rounds/find/"


@pytest.fixture
def clerk() -> Client:
    """Return a clerk at Cedar, where T3 dealt a round a minute from 8:00 to 8:59 PM on March 6."""
    browser = browser_as(Role.OPERATOR_CLERK, "cedar")
    with without_access_scope():
        ingested(cedar(), written(evening(60)))
    return browser


def cedar() -> Party:
    return party_for(Role.OPERATOR_CLERK, "cedar")


def asked(clock: str, day: str = "2026-03-06", table: str = "T3", **more: str) -> dict[str, str]:
    return {"table": table, "day": day, "time": clock, **more}


def shown(answer) -> list[str]:
    return [row["round"].id for row in answer.context["table_of_rounds"].data]


@pytest.mark.parametrize(
    ("day", "clock", "instants"),
    [
        (date(2026, 3, 6), time(20), [datetime(2026, 3, 7, 4, tzinfo=UTC)]),
        (date(2026, 3, 8), time(2, 30), []),  # set forward from two to three
        (
            date(2025, 11, 2),  # set back from two to one
            time(1, 30),
            [datetime(2025, 11, 2, 8, 30, tzinfo=UTC), datetime(2025, 11, 2, 9, 30, tzinfo=UTC)],
        ),
    ],
)
def test_a_clock_shows_a_time_once_twice_or_never(day, clock, instants):
    assert instants_at(day, clock, ZoneInfo("America/Los_Angeles")) == instants


def test_rounds_of_a_table_are_in_order_across_games_and_logs():
    room = cedar()
    begin = EVENING - timedelta(days=1)
    [pick_2] = dealt(1, game="pick-2-poker", tables=("T3",))
    pick_2 |= {"round": "other-game", "at": (EVENING + timedelta(seconds=90)).isoformat()}
    with without_access_scope():
        ingested(room, written(evening(3)))
        ingested(room, written([*evening(2, first=101, begin=begin), pick_2]), name="late.jsonl")
        around = rounds_around(room, "T3", EVENING + timedelta(seconds=59), 10)
        ids = [each.id for each in around.rounds]
        assert ids == [
            *("T3-000101", "T3-000102"),
            *("T3-000001", "T3-000002", "other-game", "T3-000003"),
        ]
        assert (around.earlier, around.later) == (False, False)
        middle = around.rounds[3]
        before = rounds_before(room, "T3", middle.key, 2)
        after = rounds_after(room, "T3", middle.key, 1)
    assert [each.id for each in before.rounds] == ids[1:3]
    assert (before.earlier, before.later) == (True, True)
    assert [each.id for each in after.rounds] == [ids[4]]
    assert after.later


def test_one_round_of_a_number_is_shown_at_once(clerk):
    answer = clerk.get(FIND, {"id": " T3-000007 "})
    assert answer.url == reverse("round", args=["cedar", "T3-000007"])
    assert "Round T3-000007" in words(clerk.get(answer.url))


def test_unknown_number_says_none_and_what_to_do(clerk):
    says = words(clerk.get(FIND, {"id": "t3-000007"}))
    assert "No round t3-000007 is on file" in says
    assert "Capital and lowercase letters differ" in says


def test_a_number_that_two_operators_used_is_asked_back(clerk):
    other = party_for(Role.OPERATOR_MANAGER, "other")
    with without_access_scope():
        ingested(other, written(evening(1)))
    auditor = browser_as(Role.AUDITOR)
    answer = auditor.get(FIND, {"id": "T3-000001"})
    assert "2 operators used the ID" in words(answer)
    for code in ("cedar", "other"):
        assert reverse("round", args=[code, "T3-000001"]) in answer.text
    assert clerk.get(FIND, {"id": "T3-000001"}).url == reverse("round", args=["cedar", "T3-000001"])


def test_rounds_around_a_time_are_twelve_each_way(clerk):
    answer = clerk.get(FIND, asked("20:30"))
    # T3-000031 ended at half past eight
    assert shown(answer) == [f"T3-{number:06}" for number in range(19, 43)]
    assert [
        row["round"].id for row in answer.context["table_of_rounds"].data if row["is_chosen"]
    ] == ["T3-000031"]
    assert "Friday, March 6, 2026, 8:30 PM PST" in words(answer)


@pytest.mark.parametrize("clock", ["20:30", "20:30:00", "8:30 PM", "08:30 pm", "8:30pm"])
def test_a_time_is_written_as_clocks_are_read(clerk, clock):
    assert shown(clerk.get(FIND, asked(clock)))[12] == "T3-000031"


def test_pages_go_on_to_every_round_once_and_come_back(clerk):
    first = clerk.get(FIND, asked("20:30"))
    earlier = clerk.get(FIND + first.context["earlier"])
    later = clerk.get(FIND + first.context["later"])
    found = shown(earlier) + shown(first) + shown(later)
    assert found == [f"T3-{number:06}" for number in range(1, 61)]
    assert not earlier.context["earlier"]
    assert not later.context["later"]
    assert shown(clerk.get(FIND + later.context["back"])) == shown(first)


@pytest.mark.parametrize("mark", ["x", "", "W10:1wx:abc", "\x00", "é" * 300])
def test_a_mark_that_is_not_ours_is_passed_over(clerk, mark):
    assert len(shown(clerk.get(FIND, asked("20:30", mark=mark)))) == 24


def test_the_hour_that_the_clock_showed_twice_is_asked_back():
    browser = browser_as(Role.OPERATOR_CLERK, "cedar")
    first = datetime(2025, 11, 2, 1, 30, tzinfo=WEST)
    again = (first.astimezone(UTC) + timedelta(hours=1)).astimezone(WEST)
    with without_access_scope():
        ingested(cedar(), written([played("first", first), played("again", again)]))
    answer = browser.get(FIND, asked("01:30", day="2025-11-02"))
    assert "showed this time twice" in words(answer)
    assert "1:30 AM PDT" in answer.context["when"]
    assert [row["is_chosen"] for row in answer.context["table_of_rounds"].data] == [True, False]
    other = browser.get(FIND + answer.context["other_on"])
    assert "1:30 AM PST" in other.context["when"]
    assert [row["is_chosen"] for row in other.context["table_of_rounds"].data] == [False, True]


def test_skipped_local_hour_is_the_one_after_it(clerk):
    answer = clerk.get(FIND, asked("02:30", day="2026-03-08"))
    assert "never showed this time" in words(answer)
    assert "3:30 AM PDT" in answer.context["when"]


def test_a_time_far_from_any_round_says_how_far(clerk):
    says = words(clerk.get(FIND, asked("23:00")))
    assert "No round of this table ended within half an hour" in says
    assert "Mar 6, 2026, 8:59:00 PM PST, 2 h 1 min earlier" in says


def test_early_hours_of_an_evening_have_the_next_date(clerk):
    answer = clerk.get(FIND, asked("01:00"))
    assert "see Saturday, March 7" in words(answer)
    on = clerk.get(FIND + answer.context["night_on"]["on"])
    assert "March 7, 2026, 1:00 AM" in on.context["when"]


def test_table_is_found_in_any_case_and_others_named(clerk):
    assert len(shown(clerk.get(FIND, asked("20:30", table="t3")))) == 24
    answer = clerk.get(FIND, asked("20:30", table="T33"))
    assert "No round of table T33" in words(answer)
    assert [(each["table"], each["games"]) for each in answer.context["near"]] == [
        ("T3", "Pyramid poker")
    ]
    assert len(shown(clerk.get(FIND + answer.context["near"][0]["on"]))) == 24
    nothing = clerk.get(FIND, asked("20:30", day="2020-01-01", table="T9"))
    assert reverse("rounds") in nothing.text.partition('id="found"')[2]


@pytest.mark.parametrize(
    ("page_text", "says"),
    [
        ({"time": "25:00"}, "Enter a time like 21:40 or 9:40 PM."),
        ({"day": "2026-02-30"}, "Enter a valid date"),
        ({"day": "0001-01-01"}, "A year from 1970"),
        ({"day": ""}, "This field is required"),
        ({"table": "T\u202e3"}, "a sign that nobody sees"),
        ({"table": "T" * 33}, "at most 32 characters"),
    ],
)
def test_a_question_that_cannot_be_read_says_what_to_write(clerk, page_text, says):
    answer = clerk.get(FIND, asked("20:30") | page_text)
    assert answer.status_code == 422
    assert says in words(answer)


def test_another_operators_tables_cannot_be_asked_for(clerk):
    party_for(Role.OPERATOR_MANAGER, "other")
    with without_access_scope():
        ingested(party_for(Role.OPERATOR_MANAGER, "other"), written(evening(3, first=500)))
    assert shown(clerk.get(FIND, asked("20:01", operator="other")))[0] == "T3-000001"
    assert "No round T3-000500" in words(clerk.get(FIND, {"id": "T3-000500"}))
    auditor = browser_as(Role.AUDITOR)
    assert auditor.get(FIND, asked("20:01")).status_code == 422
    theirs = auditor.get(FIND, asked("20:01", operator="other"))
    assert shown(theirs) == ["T3-000500", "T3-000501", "T3-000502"]


def test_search_queries_do_not_grow_with_history(clerk):
    counted = []
    for more_on_file in (True, False):
        for question in ({"id": "T3-000031"}, asked("20:30")):
            clerk.get(FIND, question)
            with CaptureQueriesContext(connection) as queries:
                clerk.get(FIND, question)
            counted.append(len(queries))
        for day in range(1, 4 if more_on_file else 1):
            with without_access_scope():
                log = evening(5, 1000 * day, EVENING - timedelta(days=day))
                ingested(cedar(), written(log), name=f"{day}.jsonl")
    assert counted[:2] == counted[2:]
