"""A waiver expires by itself: the day after its last, the issue is back in the agents' queue."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from audits.replay.findings.models import Issue
from audits.review.issues.assignments import escalate
from audits.review.issues.decisions import StepRequest, end_waivers, take_step
from compliance import clock
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.models import Event
from tests.audits.queue.issues import issue_of, unit_of_agent, work_on
from tests.compliance.pages.browsing import browser_of, words
from tests.compliance.people import party_for

if TYPE_CHECKING:
    from compliance.access.models import Party, Person

pytestmark = pytest.mark.django_db
WAIVED_ON = datetime(2025, 7, 14, 19, tzinfo=UTC)  # a Monday, noon in Washington
LAST = date(2025, 7, 31)
ON_THE_LAST_DAY = datetime(2025, 8, 1, 6, 59, tzinfo=UTC)  # a minute before midnight there
THE_DAY_AFTER = datetime(2025, 8, 1, 7, tzinfo=UTC)  # a Friday


@pytest.fixture
def room() -> Party:
    return party_for(Role.OPERATOR_MANAGER, "room")


@pytest.fixture
def waived(agent: Person, room: Party) -> Issue:
    made = issue_of(room, seen_by=unit_of_agent(agent))
    with clock.standing_at(WAIVED_ON):
        said = StepRequest(step="waive", reason="A <b>new</b> layout comes", until=LAST)
        take_step(issue=made, said=said, by=agent)
    return stands(made)


def stands(issue: Issue) -> Issue:
    with without_access_scope():
        return Issue.objects.select_related("work").get(pk=issue.pk)


def ended() -> int:
    return Event.objects.filter(type="issue.waiver_ended").count()


def test_it_stands_to_the_end_of_its_last_day_and_ends_once(agent, waived):
    edition = waived.work.edition
    with clock.standing_at(ON_THE_LAST_DAY):
        assert end_waivers() == 0
    assert stands(waived).state == Issue.State.WAIVED
    with clock.standing_at(THE_DAY_AFTER):
        assert end_waivers() == 1
        assert end_waivers() == 0
    back = stands(waived)
    assert (back.state, back.open, back.waived_until) == ("under_review", True, None)
    # Three business days from Friday, August 1: what was shown of it before is out of date.
    assert back.work.due == date(2025, 8, 6)
    assert back.work.edition > edition
    [event] = Event.objects.filter(type="issue.waiver_ended")
    assert event.payload["until"] == "2025-07-31"


def test_it_comes_back_with_the_old_decision(agent, waived):
    with clock.standing_at(THE_DAY_AFTER):
        end_waivers()
    browser = browser_of(agent)
    page = browser.get(reverse("issue", args=[waived.uuid]))
    assert "Its waiver ended on July 31, 2025. It was waived on July 14, 2025:" in words(page)
    assert "A &lt;b&gt;new&lt;/b&gt; layout comes" in page.text
    assert "back after a decision" in words(browser.get(reverse("work"), {"whose": "all"}))


def test_escalated_issue_is_escalated_again_when_it_returns(agent, room):
    made = issue_of(room, seen_by=unit_of_agent(agent))
    work_on(issue=made, unit=unit_of_agent(agent))
    escalate(issue=made, reason="Too much for me", by=agent)
    with clock.standing_at(WAIVED_ON):
        take_step(issue=made, said=StepRequest(step="waive", reason="Later", until=LAST), by=agent)
    with clock.standing_at(THE_DAY_AFTER):
        end_waivers()
    assert stands(made).work.escalated is None


def test_withdrawn_or_renewed_waiver_ends_no_earlier(agent, waived):
    with clock.standing_at(WAIVED_ON):
        take_step(issue=waived, said=StepRequest(step="reopen", reason="Too early"), by=agent)
        assert stands(waived).waived_until is None
        later = StepRequest(step="waive", reason="Layout is late", until=date(2025, 8, 31))
        take_step(issue=waived, said=later, by=agent)
    with clock.standing_at(THE_DAY_AFTER):
        assert end_waivers() == 0
    assert ended() == 0


def test_repeat_is_noted_once_on_the_open_issue(agent, room, waived):
    again = issue_of(room, seen_by=unit_of_agent(agent), again_after=waived)
    work_on(issue=again, unit=unit_of_agent(agent))
    with clock.standing_at(THE_DAY_AFTER):
        assert end_waivers() == 1
        assert end_waivers() == 0
    assert stands(waived).state == Issue.State.WAIVED
    assert stands(again).changed_since.startswith(
        "Of what was decided before it: Its waiver ended on July 31, 2025."
    )
    assert ended() == 1
