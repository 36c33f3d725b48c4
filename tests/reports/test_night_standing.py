"""What a nightly report says besides the night itself: waivers, and the nights before."""

from __future__ import annotations

from datetime import date, timedelta
from io import BytesIO

import pytest
from pypdf import PdfReader

from audits.intake.days.models import GamblingDay
from audits.replay.findings.models import Issue
from audits.review.issues.decisions import StepRequest, take_step
from compliance import clock
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.filings.requests.models import Condition, ConditionMark
from reports.documents.sheets import sheet_of
from reports.rendering.blocks import Bars, Heading
from reports.schedules.making import make_report
from tests.audits.replay.nights import NIGHT, dealt, on_file, spoiled
from tests.compliance.controls.filing import Room, local
from tests.compliance.people import person_as
from tests.reports.made import body_of
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


def test_an_issue_and_a_condition_that_are_waived_that_night_are_named(room):
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
    assert sheet_of(inputs_of(report)).tables["waivers"].rows == ()


def test_the_nights_before_are_drawn_from_their_own_reports(room):
    with without_access_scope():
        friday = GamblingDay.objects.select_related("party").get(day=BEFORE)
    make_report(kind="nightly", about=about(friday))
    report = make_report(kind="nightly", about=about(closed(room.party)))
    charts = {each.caption: each for each in sheet_of(inputs_of(report)).blocks
              if isinstance(each, Bars)}  # fmt: skip
    rounds = charts["Rounds audited, night by night"]
    assert [(bar.name, bar.value) for bar in rounds.bars] == [
        ("Fri, Jul 11", 10), ("Sat, Jul 12", 20),
    ]  # fmt: skip
    money = charts["Money, night by night"]
    assert [bar.says for bar in money.bars] == ["$2.00"]


def test_contents_follow_first_page_and_link_all_parts(room):
    report = make_report(kind="nightly", about=about(closed(room.party)))
    sheet, reader = sheet_of(inputs_of(report)), PdfReader(BytesIO(body_of(report)))
    headings = [each.says for each in sheet.blocks if isinstance(each, Heading)]
    text = "".join(page.extract_text() for page in reader.pages)
    assert text.index("Contents") > text.index("Top issues")

    def titles(outline):
        for each in outline:
            yield from titles(each) if isinstance(each, list) else [each.title]

    assert list(titles(reader.outline)) == headings
    assert "Waivers" in headings
