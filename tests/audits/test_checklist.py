"""The room's checklist says what is due before it is late, and what is missing after."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

import pytest
from django.urls import reverse

from audits.intake.table_records.comparison import CASH, Entry
from audits.intake.table_records.writes import record_tables
from audits.review.disclosures.writes import disclose
from audits.review.nightly_run.checklist import CheckedDay, recent_days
from compliance import clock
from compliance.access.permissions import Role
from tests.audits.by_hand import every, registered, segment
from tests.compliance.controls.filing import Room, local
from tests.compliance.pages.browsing import browser_as, words

pytestmark = pytest.mark.django_db
# A Friday: the controls let the room open at ten and close at four; the log is due at noon.
DAY = date(2025, 3, 7)
OPENS, CLOSES, DUE = local(2025, 3, 7, 10), local(2025, 3, 8, 4), local(2025, 3, 8, 12)


@pytest.fixture
def room() -> Room:
    return Room()


def on(room: Room, now: datetime) -> CheckedDay:
    with clock.standing_at(now):
        return next(each for each in recent_days(room.party, now) if each.day.day == DAY)


def state(room: Room, now: datetime) -> str:
    with clock.standing_at(now):
        return on(room, now).state


def test_log_is_due_before_it_is_late(room: Room) -> None:
    assert on(room, DUE).day.closes == DUE
    assert state(room, local(2025, 3, 7, 22)) == "playing"
    assert state(room, DUE - timedelta(hours=1)) == "due"
    assert state(room, DUE + timedelta(hours=1)) == "missing"


def test_submitted_day_is_complete_or_says_what_lacks(room: Room) -> None:
    log = registered(room.party, "friday", DUE - timedelta(hours=2))
    segment(DAY, log, {"T1": every(60, OPENS, CLOSES)})
    assert state(room, DUE) == "done"
    gap = registered(room.party, "again", DUE - timedelta(hours=1))
    played = [*every(60, OPENS, local(2025, 3, 7, 15)), *every(60, local(2025, 3, 7, 22), CLOSES)]
    segment(DAY, gap, {"T1": played}, generation=2)
    assert state(room, DUE) == "incomplete"
    assert [(each.code, each.table) for each in on(room, DUE).missing] == [("night.gap", "T1")]


def test_page_shows_days_of_the_own_room_alone(room: Room) -> None:
    clerk = browser_as(Role.OPERATOR_CLERK, "room")
    with clock.standing_at(DUE - timedelta(hours=1)):
        shown = words(clerk.get(reverse("checklist", args=["room"])))
    assert "Friday, March 7, 2025" in shown
    assert "Due by March 8, 12:00 PM" in shown
    assert (
        browser_as(Role.OPERATOR_CLERK, "other").get("/rounds/checklist/room/").status_code == 404
    )


def test_gap_is_explained_and_cash_compared_on_the_checklist(room: Room) -> None:
    log = registered(room.party, "friday", DUE - timedelta(hours=2))
    played = [*every(60, OPENS, local(2025, 3, 7, 15)), *every(60, local(2025, 3, 7, 22), CLOSES)]
    segment(DAY, log, {"T1": played})
    clerk = browser_as(Role.OPERATOR_CLERK, "room")
    place = reverse("checklist", args=["room"])
    with clock.standing_at(DUE + timedelta(hours=1)):
        shown = clerk.get(place)
        link = f"{reverse('new_disclosure')}?day=2025-03-07&amp;table=T1"
        assert link in shown.content.decode().replace("&table", "&amp;table")
        form = clerk.get(link.replace("&amp;", "&")).content.decode()
        assert 'value="2025-03-07"' in form
        disclose(
            party=room.party, day=DAY, table="T1", facts="The shuffler broke.", by=room.manager
        )
        span = {"begins": OPENS, "ends": OPENS + timedelta(hours=1)}
        empty = Entry(subject=CASH, table="T2", opener=0, fills=0, credits=0, closer=300_00, drop=0,
                      **span)  # fmt: skip
        record_tables(party=room.party, entries=[empty], by=room.manager)
        shown = words(clerk.get(place))
    assert ": The shuffler broke." in shown
    assert "$300.00 by cash, $0.00 by 0 rounds" in shown
    assert re.search(r"Differ by [-−]\$300.00", shown)


def test_nothing_is_missing_while_the_log_may_still_come(room: Room) -> None:
    assert on(room, DUE - timedelta(hours=1)).missing == []
    assert [each.code for each in on(room, DUE).missing] == ["night.no_log"]
