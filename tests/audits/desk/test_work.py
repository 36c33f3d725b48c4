"""Whose desk a pattern is on, and by when."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from audits.models import Work
from audits.services.work import (
    arrange_cover,
    assign,
    claim,
    due_of,
    end_cover,
    escalate,
    escalate_late,
    work_on,
)
from compliance import clock
from compliance.choices import Role
from compliance.services.refused import NotAllowedError, RefusedError
from compliance.walls import without_walls
from tests.audits.desk.patterns import OPENED, pattern_of, unit_of_agent
from tests.compliance.people import made_person, party_for, person_as

if TYPE_CHECKING:
    from audits.models import Pattern
    from compliance.models import Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent() -> Person:
    return person_as(Role.AGENT)


@pytest.fixture
def colleague(agent: Person) -> Person:
    return made_person("colleague", unit_of_agent(agent), Role.AGENT)


@pytest.fixture
def supervisor(agent: Person) -> Person:
    return made_person("supervisor", unit_of_agent(agent), Role.SUPERVISOR)


@pytest.fixture
def pattern(agent: Person) -> Pattern:
    room = party_for(Role.OPERATOR_MANAGER, "room")
    return pattern_of(room, seen_by=unit_of_agent(agent))


def test_what_two_claim_at_once_is_the_firsts_and_the_second_is_told(agent, colleague, pattern):
    assert claim(pattern=pattern, by=agent).assigned_to == agent
    with pytest.raises(RefusedError, match="Agent-One took this pattern before you"):
        claim(pattern=pattern, by=colleague)


def test_to_claim_what_one_has_changes_nothing(agent, pattern):
    before = claim(pattern=pattern, by=agent).edition
    assert claim(pattern=pattern, by=agent).edition == before


@pytest.mark.parametrize(
    ("weight", "due"),
    [
        # opened on Monday 14 July 2025: three business days; six; fourteen days of the calendar
        ("money", date(2025, 7, 17)),
        ("procedure", date(2025, 7, 22)),
        ("notice", date(2025, 7, 28)),
    ],
)
def test_what_weighs_more_is_due_sooner_counted_in_business_days(agent, pattern, weight, due):
    pattern.weight = weight
    assert due_of(pattern) == due


def test_the_day_of_opening_is_that_of_the_place_of_play(pattern):
    pattern.opened = datetime(2025, 7, 15, 6, tzinfo=UTC)  # still Monday evening in Washington
    assert due_of(pattern) == date(2025, 7, 17)


def test_one_hands_over_what_one_has_and_a_supervisor_gives_anybodys(
    agent, colleague, supervisor, pattern
):
    with pytest.raises(NotAllowedError):
        assign(pattern=pattern, to=colleague, by=agent)
    claim(pattern=pattern, by=agent)
    assert assign(pattern=pattern, to=colleague, by=agent).assigned_to == colleague
    with pytest.raises(NotAllowedError):
        assign(pattern=pattern, to=agent, by=agent)
    assert assign(pattern=pattern, to=agent, by=supervisor).assigned_to == agent
    assert assign(pattern=pattern, to=None, by=supervisor).assigned is None


def test_nobody_is_given_work_that_is_not_theirs_to_do(supervisor, pattern):
    licensing = made_person("licensing", unit_of_agent(supervisor), Role.LICENSING)
    with pytest.raises(RefusedError, match="does not review findings"):
        assign(pattern=pattern, to=licensing, by=supervisor)


def test_what_is_late_comes_before_the_supervisors_once(agent, pattern):
    work = work_on(pattern=pattern, unit=unit_of_agent(agent))
    with clock.standing_at(OPENED + timedelta(days=3)):  # on the due day itself
        assert escalate_late() == 0
    with clock.standing_at(OPENED + timedelta(days=4)):
        assert escalate_late() == 1
        assert escalate_late() == 0
    with without_walls():
        assert Work.objects.get(pk=work.pk).escalated is not None
    with pytest.raises(RefusedError, match="already"):
        escalate(pattern=pattern, reason="Too much for me.", by=agent)


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


def test_nobody_covers_for_themselves_and_only_who_reviews_covers(agent):
    today = clock.today()
    with pytest.raises(RefusedError, match="themselves"):
        arrange_cover(absent=agent, covering=agent, first=today, last=today, by=agent)
    licensing = made_person("licensing", unit_of_agent(agent), Role.LICENSING)
    with pytest.raises(RefusedError, match="does not review"):
        arrange_cover(absent=agent, covering=licensing, first=today, last=today, by=agent)
