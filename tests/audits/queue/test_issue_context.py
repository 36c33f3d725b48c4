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


def test_issue_is_summed_by_table_and_line(agent, room):
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
    assert drawn(answer) == []  # one night has nothing to compare


def test_newest_night_is_shown_by_table_and_hour(agent, room):
    this = found(room, agent, over=700, under=0)
    nine = 1_752_379_200_000_000  # July 13, 2025, 04:00 UTC: nine in the evening of the 12th
    hour = 3_600_000_000
    hours = [["T1", nine, 2, 500, 0, 2, 2], ["T2", nine + 2 * hour, 8, 200, 0, 8, 8]]
    with without_access_scope():
        IssueNight.objects.filter(issue=this).update(by_hour=hours)
    browser = browser_of(agent)
    answer = browser.get(page(this))
    strip = answer.context["evidence"].strip
    assert strip.hours == ["9 PM", "10 PM", "11 PM"]
    # the darkest of four shades is the most rounds; 2 of 8 is the lightest
    assert strip.rows == [("T1", [(2, 1), (0, 0), (0, 0)]), ("T2", [(0, 0), (0, 0), (8, 4)])]
    with without_access_scope():
        IssueNight.objects.create(
            issue=this, day=date(2025, 7, 13), findings=1, rounds=1, over=0, under=0
        )
    # the nights' rows move no money, so their rounds are drawn
    two = browser.get(page(this))
    assert drawn(two) == ["Rounds by gambling day. Jul 12: 3; Jul 13: 1"]


def test_dealers_are_summed_and_concentrations_described(agent, room):
    this = found(room, agent)
    dealer = {"attribute": "dealer", "value": "d-7", "rounds": 9, "of": 10, "chance": -6.2}
    player = {"attribute": "player", "value": "p-1", "rounds": 30, "of": 30, "chance": -30.5}
    with without_access_scope():
        IssueNight.objects.filter(issue=this).update(
            by_dealer=[["", 1, 0, 0], ["d-7", 9, 5000, 0]], concentrations=[dealer, player]
        )
    says = words(browser_of(agent).get(page(this)))
    assert "9 of 10 rounds were dealt by dealer d-7." in says
    assert "By chance, this would happen about once in 1,000,000 times." in says
    assert "30 of 30 rounds are of player p-1." in says
    assert "less than once in a billion times" in says
    assert "d-7 9 +$50.00" in says
    assert "Not named in the log 1" in says


def test_earlier_decisions_are_shown_to_the_commission_only(agent, room):
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
