"""The first page of each role in the commission: last night, who has what, money and trends."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.urls import reverse

from audits.intake.days.models import GamblingDay
from audits.replay.findings.models import IssueNight
from audits.replay.models import Replay, ReplaySegment
from audits.review.releases.writes import release_issue
from compliance import clock
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from tests.audits.queue.issues import issue_of, unit_of_agent, work_on
from tests.audits.replay.ledger_rows import NIGHT, made_replay
from tests.compliance.pages.browsing import browser_as, browser_of, words
from tests.compliance.people import person_as

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
LONG_AFTER = datetime(2026, 11, 19, 19, tzinfo=UTC)


@pytest.fixture(autouse=True)
def much_later():
    with clock.standing_at(LONG_AFTER):
        yield


@pytest.fixture
def night(agent):
    """Return two issues of the last audited night: one since the night before, one new."""
    replay = made_replay(1)
    room, unit = replay.party, unit_of_agent(agent)
    begins = datetime(2025, 7, 12, 13, tzinfo=UTC)
    with without_access_scope():
        ReplaySegment.objects.filter(replay=replay).update(rounds=200)
        GamblingDay.objects.create(
            party=room, day=NIGHT, begins=begins, ends=begins, closes=begins,
            current=Replay.objects.get(pk=replay.pk),
        )  # fmt: skip
        known = issue_of(room, seen_by=unit, table="T1", over=5000, rounds=3, impact=9)
        new = issue_of(room, seen_by=unit, table="T2", under=200, rounds=1, impact=1)
        for issue, day in ((known, NIGHT - timedelta(days=1)), (known, NIGHT), (new, NIGHT)):
            IssueNight.objects.create(
                issue=issue, day=day, findings=2, rounds=2, over=issue.over, under=issue.under
            )
        work_on(issue=known, unit=unit)
    return known, new


def test_agent_sees_last_night_worst_first(agent, night):
    known, new = night
    answer = browser_of(agent).get(reverse("home"))
    shown = words(answer)
    assert "July 12, 2025, the last audited gambling day: 2 open issues, 1 of them new" in shown
    first, second = (answer.text.index(str(each.uuid)) for each in (known, new))
    assert first < second
    assert "Earlier nights with open issues: July 11, 2025 : 1 open issue" in shown
    assert "whose=all&amp;day=2025-07-11" in answer.text
    assert "Money and rates" not in shown


def test_director_sees_money_and_rates(night):
    shown = words(browser_as(Role.DIRECTOR).get(reverse("home")))
    assert "Rounds audited 200 Players overpaid $50.00 Players underpaid $2.00" in shown
    assert "Findings per 1,000 rounds 20.0" in shown  # 4 findings in 200 rounds
    assert "Last night" not in shown


def test_supervisor_sees_who_has_what(night, agent):
    with without_access_scope():
        unit = unit_of_agent(agent)
        supervisor = person_as(Role.SUPERVISOR, unit.code)
    answer = browser_of(supervisor).get(reverse("home"))
    shown = words(answer)
    assert "Who has what" in shown
    assert "Unassigned" in shown


def test_dashboard_opens_on_the_last_audited_day(agent, night):
    answer = browser_of(agent).get(reverse("dashboard"))
    assert answer.context["shown"].spans[-1].last == NIGHT == date(2025, 7, 12)
    assert answer.context["shown"].total("rounds") == 200
    assert "Through July 12, 2025, the last audited gambling day" in words(answer)


def test_morning_before_any_audit_says_so(agent):
    shown = words(browser_of(agent).get(reverse("home")))
    assert "No gambling day has been audited yet" in shown


def test_auditor_and_administrator_see_their_own_work(night, agent):
    issue, _ = night
    release_issue(issue=issue, by=agent)
    auditor = words(browser_as(Role.AUDITOR).get(reverse("home")))
    assert "Can the record be trusted?" in auditor
    assert "Issues released to operators" in auditor
    assert "Last night" not in auditor
    administrator = words(browser_as(Role.ADMINISTRATOR).get(reverse("home")))
    assert "No invitation is open." in administrator
    assert "Can the record be trusted?" not in administrator
