"""Next to an issue: charts of its nights and tables, and earlier decisions on the same."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.urls import reverse

from audits.replay.findings.models import IssueNight, IssuePart
from audits.review.issues.decisions import StepRequest, take_step
from audits.review.releases.writes import release_issue
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from tests.audits.queue.test_issue_pages import found, page
from tests.compliance.pages.browsing import browser_as, browser_of, words
from tests.compliance.people import party_for

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]


@pytest.fixture
def room(agent):
    return party_for(Role.OPERATOR_MANAGER, "room")


def drawn(answer) -> list[str]:
    return re.findall(r'<svg [^>]*role="img" aria-label="([^"]+)"', answer.text)


def test_issue_is_summed_by_table_and_line_and_drawn(agent, room):
    this = found(room, agent, over=5100, under=-2500, rounds=6, cause="isolated")
    parts = [
        ("T1", "flush", 2, 5000, 0),
        ("T2", "flush", 3, 100, 0),
        ("T2", "straight", 1, 0, 2500),
    ]
    with without_access_scope():
        for table, line, rounds, over, under in parts:
            IssuePart.objects.create(
                issue=this, day=date(2025, 7, 12), table=table, code="settlement.three_card",
                wager="three_card", line=line, findings=rounds, rounds=rounds, over=over,
                under=under,
            )  # fmt: skip
    answer = browser_of(agent).get(page(this))
    rows = [(each.name, each.rounds) for each in answer.context["tables"].data]
    assert rows == [("T1", 2), ("T2", 4)]
    assert "T2 4 +$1.00 −$25.00" in words(answer)
    assert "Three card, Straight 1 $0.00 −$25.00" in words(answer)
    # one night has nothing to compare
    assert drawn(answer) == [
        "Money by table, overpaid above the line, underpaid below it. "
        "T1: $50.00 and $0.00; T2: $1.00 and $25.00",
    ]


def test_an_issue_of_one_table_alone_needs_no_chart_of_tables(agent, room):
    answer = browser_of(agent).get(page(found(room, agent)))
    assert "At which tables" not in words(answer)


def test_an_issue_of_one_night_is_drawn_by_the_hour_and_one_of_two_by_the_night(agent, room):
    this = found(room, agent, over=700, under=0)
    nine = 1_752_379_200_000_000  # July 13, 2025, 04:00 UTC: nine in the evening of the 12th
    hours = [[nine, 2, 500, 0], [nine + 2 * 3_600_000_000, 1, 200, 0]]
    with without_access_scope():
        IssueNight.objects.filter(issue=this).update(by_hour=hours)
    browser = browser_of(agent)
    answer = browser.get(page(this))
    assert "Jul 12, 9 PM PDT 2 +$5.00 $0.00" in words(answer)
    assert "Jul 12, 10 PM PDT 0 $0.00 $0.00" in words(answer)
    assert drawn(answer) == [
        "Money by hour, overpaid above the line, underpaid below it. Jul 12, 9 PM PDT: $5.00 and "
        "$0.00; Jul 12, 10 PM PDT: $0.00 and $0.00; Jul 12, 11 PM PDT: $2.00 and $0.00"
    ]
    with without_access_scope():
        IssueNight.objects.create(
            issue=this, day=date(2025, 7, 13), findings=1, rounds=1, over=0, under=0
        )
    two = browser.get(page(this))
    assert "By the hour" not in words(two)
    # the nights' rows move no money, so their rounds are drawn
    assert drawn(two) == ["Rounds by gambling day. Jul 12: 3; Jul 13: 1"]


def test_how_the_same_was_decided_before_is_told_to_the_commission_alone(agent, room):
    former = found(room, agent, table="T2")
    take_step(issue=former, said=StepRequest(step="take_up", reason="Why?"), by=agent)
    take_step(
        issue=former, said=StepRequest(step="dismiss", reason="A <b>misread</b> log"), by=agent
    )
    unreleased = found(room, agent, table="T7")
    this = found(room, agent)
    answer = browser_of(agent).get(page(this))
    assert "Payout error (Pyramid poker, T2)" in words(answer)
    assert "Not a violation: A &lt;b&gt;misread&lt;/b&gt; log" in answer.text
    assert page(unreleased) in answer.text
    for each in (former, this):
        release_issue(issue=each, by=agent)
    theirs = browser_as(Role.OPERATOR_MANAGER, "room").get(page(this))
    assert page(former) in theirs.text
    assert page(unreleased) not in theirs.text
    for secret in ("Not a violation", "misread"):
        assert secret not in theirs.text


def test_a_first_issue_says_that_nothing_came_before(agent, room):
    answer = browser_of(agent).get(page(found(room, agent)))
    assert "No earlier issue of this code and game is on file" in words(answer)


def test_each_round_leads_to_its_page(agent, room):
    answer = browser_of(agent).get(page(found(room, agent)))
    assert reverse("round", args=["room", "R-0"]) in answer.text
