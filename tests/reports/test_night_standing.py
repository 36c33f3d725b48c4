"""What a nightly report says besides the night itself: waivers, and issues of earlier nights."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from audits.replay.findings.models import Issue
from audits.review.issues.decisions import StepRequest, take_step
from compliance import clock
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.filings.requests.models import Condition, ConditionMark
from reports.documents.sheets import sheet_of
from reports.schedules.making import make_report
from tests.audits.replay.nights import NIGHT, dealt, on_file, spoiled
from tests.compliance.controls.filing import Room, local
from tests.compliance.people import person_as
from tests.reports.nights import TOO_MUCH, about, closed, inputs_of, replayed

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
BEFORE = NIGHT - timedelta(days=1)


@pytest.fixture
def room() -> Room:
    """Return a room with ten rounds on Friday, twenty on Saturday, every tenth overpaid by $1."""
    room = Room()
    with without_access_scope():
        on_file(room.party, dealt(10, tables=("T1",), day=BEFORE))
        on_file(room.party, spoiled(dealt(20, tables=("T1",)), every=10, cents=TOO_MUCH))
    replayed(room.party)
    closed(room.party, BEFORE)
    return room


def waive(issue: Issue, until: date) -> None:
    data = StepRequest(step="waive", reason="The layout is being reprinted.", until=until)
    agent = person_as(Role.AGENT)
    with clock.standing_at(local(2025, 7, 10, 12)):
        take_step(issue=issue, said=data, by=agent)


def test_waived_issue_and_condition_are_named(room):
    with without_access_scope():
        issue = Issue.objects.filter(code="settlement.main").first()
        condition = Condition.objects.filter(approval=room.game_approval).first()
        mark = ConditionMark(
            condition=condition, mark=ConditionMark.Mark.WAIVED, until=NIGHT + timedelta(days=1),
            reason="Until the visit.", by=room.officer.uuid, at=local(2025, 7, 1, 12),
        )  # fmt: skip
        mark.save()
    waive(issue, NIGHT)
    report = make_report(kind="nightly", about=about(closed(room.party)))
    rows = sheet_of(inputs_of(report)).tables["waivers"].rows
    assert [row[-1] for row in rows] == ["The layout is being reprinted.", "Until the visit."]
    assert rows[0][0].startswith("Isolated payout errors")


def test_a_waiver_that_ended_before_the_night_is_none(room):
    with without_access_scope():
        issue = Issue.objects.filter(code="settlement.main").first()
    waive(issue, BEFORE)
    report = make_report(kind="nightly", about=about(closed(room.party)))
    assert "waivers" not in sheet_of(inputs_of(report)).tables


def report_of_sunday(room: Room, *, every: int) -> dict[str, Any]:
    sunday = NIGHT + timedelta(days=1)
    rounds = dealt(20, tables=("T1",), day=sunday)
    with without_access_scope():
        on_file(room.party, spoiled(rounds, every=every, cents=TOO_MUCH) if every else rounds)
    replayed(room.party)
    closed(room.party)
    return inputs_of(make_report(kind="nightly", about=about(closed(room.party, sunday))))


def test_an_issue_that_recurs_is_followed_up(room):
    data = report_of_sunday(room, every=10)["data"]
    (isolated,) = (each for each in data["issues"] if each["code"] == "settlement.main")
    (earlier,) = isolated["earlier"]
    assert earlier["last"] == str(NIGHT)
    assert earlier["short"] == isolated["short"] == isolated["id"][:8]


def test_an_open_issue_that_did_not_recur_is_followed_up(room):
    sheet = sheet_of(report_of_sunday(room, every=0))
    rows = {row[1]: row[2:] for row in sheet.tables["open-before"].rows}
    assert rows["isolated payout errors"] == ("New", "July 12, 2025")
