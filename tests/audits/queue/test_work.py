"""Whose queue an issue is in, and its due date."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from audits.review.issues.assignments import (
    arrange_cover,
    assign,
    claim,
    due_of,
    end_cover,
    escalate,
    escalate_late,
)
from audits.review.issues.models import Work
from compliance import clock
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from tests.audits.queue.issues import OPENED, issue_of, unit_of_agent, work_on
from tests.compliance.people import made_person, party_for

if TYPE_CHECKING:
    from audits.replay.findings.models import Issue
    from compliance.access.models import Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def colleague(agent: Person) -> Person:
    return made_person("colleague", unit_of_agent(agent), Role.AGENT)


@pytest.fixture
def supervisor(agent: Person) -> Person:
    return made_person("supervisor", unit_of_agent(agent), Role.SUPERVISOR)


@pytest.fixture
def issue(agent: Person) -> Issue:
    room = party_for(Role.OPERATOR_MANAGER, "room")
    return issue_of(room, seen_by=unit_of_agent(agent))


def test_concurrent_assignment_goes_to_the_first(agent, colleague, issue):
    assert claim(issue=issue, by=agent).assigned_to == agent
    with pytest.raises(RefusedError, match="Agent-One took this issue before you"):
        claim(issue=issue, by=colleague)


def test_assigning_your_own_issue_changes_nothing(agent, issue):
    before = claim(issue=issue, by=agent).edition
    assert claim(issue=issue, by=agent).edition == before


@pytest.mark.parametrize(
    ("weight", "due"),
    [
        # opened on Monday, July 14, 2025: three business days; six; fourteen calendar days
        ("money", date(2025, 7, 17)),
        ("procedure", date(2025, 7, 22)),
        ("notice", date(2025, 7, 28)),
    ],
)
def test_severe_issue_is_due_sooner_in_business_days(agent, issue, weight, due):
    issue.weight = weight
    assert due_of(issue) == due


def test_the_day_of_opening_is_that_of_the_place_of_play(issue):
    issue.opened = datetime(2025, 7, 15, 6, tzinfo=UTC)  # still Monday evening in Washington
    assert due_of(issue) == date(2025, 7, 17)


def test_people_reassign_their_own_and_supervisors_anyones(agent, colleague, supervisor, issue):
    with pytest.raises(NotAllowedError):
        assign(issue=issue, to=colleague, by=agent)
    claim(issue=issue, by=agent)
    assert assign(issue=issue, to=colleague, by=agent).assigned_to == colleague
    with pytest.raises(NotAllowedError):
        assign(issue=issue, to=agent, by=agent)
    assert assign(issue=issue, to=agent, by=supervisor).assigned_to == agent
    assert assign(issue=issue, to=None, by=supervisor).assigned is None


def test_nobody_is_assigned_what_they_may_not_do(supervisor, issue):
    licensing = made_person("licensing", unit_of_agent(supervisor), Role.LICENSING)
    with pytest.raises(RefusedError, match="does not review findings"):
        assign(issue=issue, to=licensing, by=supervisor)


def test_what_is_late_comes_before_the_supervisors_once(agent, issue):
    work = work_on(issue=issue, unit=unit_of_agent(agent))
    with clock.standing_at(OPENED + timedelta(days=3)):  # on the due day itself
        assert escalate_late() == 0
    with clock.standing_at(OPENED + timedelta(days=4)):
        assert escalate_late() == 1
        assert escalate_late() == 0
    with without_access_scope():
        assert Work.objects.get(pk=work.pk).escalated is not None
    with pytest.raises(RefusedError, match="already"):
        escalate(issue=issue, reason="Too much for me.", by=agent)


def test_a_cover_is_arranged_for_oneself_or_by_a_supervisor(agent, colleague, supervisor):
    today = clock.today()
    cover = arrange_cover(absent=agent, covering=colleague, first=today, last=today, by=agent)
    with pytest.raises(NotAllowedError):
        arrange_cover(absent=colleague, covering=agent, first=today, last=today, by=agent)
    arrange_cover(absent=colleague, covering=agent, first=today, last=today, by=supervisor)
    end_cover(cover=cover, by=agent)
    with pytest.raises(RefusedError, match="ended already"):
        end_cover(cover=cover, by=agent)


@pytest.mark.parametrize(("first", "last"), [(0, -1), (-3, -1)])
def test_a_cover_that_covers_no_day_is_refused(agent, colleague, first, last):
    day = timedelta(days=1)
    with pytest.raises(RefusedError, match="today or later"):
        arrange_cover(
            absent=agent,
            covering=colleague,
            first=clock.today() + first * day,
            last=clock.today() + last * day,
            by=agent,
        )


def test_only_reviewers_cover_and_never_themselves(agent):
    today = clock.today()
    with pytest.raises(RefusedError, match="themselves"):
        arrange_cover(absent=agent, covering=agent, first=today, last=today, by=agent)
    licensing = made_person("licensing", unit_of_agent(agent), Role.LICENSING)
    with pytest.raises(RefusedError, match="does not review"):
        arrange_cover(absent=agent, covering=licensing, first=today, last=today, by=agent)
