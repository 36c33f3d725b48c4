"""A waiver ends by itself: the day after its last, the pattern is before the agents again."""

from __future__ import annotations

from datetime import UTC, date, datetime
from importlib import import_module
from typing import TYPE_CHECKING

import pytest
from django.apps import apps
from django.urls import reverse

from audits.models import Pattern
from audits.services.review import Said, take_step
from audits.services.waivers import end_waivers
from audits.services.work import escalate, work_on
from compliance import clock
from compliance.choices import Role
from compliance.models import Event
from compliance.walls import without_walls
from tests.audits.desk.patterns import pattern_of, unit_of_agent
from tests.compliance.pages.browsing import browser_of, words
from tests.compliance.people import party_for, person_as

if TYPE_CHECKING:
    from compliance.models import Party, Person

pytestmark = pytest.mark.django_db
WAIVED_ON = datetime(2025, 7, 14, 19, tzinfo=UTC)  # a Monday, noon in Washington
LAST = date(2025, 7, 31)
ON_THE_LAST_DAY = datetime(2025, 8, 1, 6, 59, tzinfo=UTC)  # a minute before midnight there
THE_DAY_AFTER = datetime(2025, 8, 1, 7, tzinfo=UTC)  # a Friday


@pytest.fixture
def agent() -> Person:
    return person_as(Role.AGENT)


@pytest.fixture
def room() -> Party:
    return party_for(Role.OPERATOR_MANAGER, "room")


@pytest.fixture
def waived(agent: Person, room: Party) -> Pattern:
    made = pattern_of(room, seen_by=unit_of_agent(agent))
    with clock.standing_at(WAIVED_ON):
        said = Said(step="waive", reason="A <b>new</b> layout comes", until=LAST)
        take_step(pattern=made, said=said, by=agent)
    return stands(made)


def stands(pattern: Pattern) -> Pattern:
    with without_walls():
        return Pattern.objects.select_related("work").get(pk=pattern.pk)


def ended() -> int:
    return Event.objects.filter(type="pattern.waiver_ended").count()


def test_it_stands_to_the_end_of_its_last_day_and_ends_once(agent, waived):
    edition = waived.work.edition
    with clock.standing_at(ON_THE_LAST_DAY):
        assert end_waivers() == 0
    assert stands(waived).state == Pattern.State.WAIVED
    with clock.standing_at(THE_DAY_AFTER):
        assert end_waivers() == 1
        assert end_waivers() == 0
    back = stands(waived)
    assert (back.state, back.open, back.waived_until) == ("under_review", True, None)
    # Three business days from Friday, August 1: what was shown of it before is stale.
    assert back.work.due == date(2025, 8, 6)
    assert back.work.edition > edition
    [event] = Event.objects.filter(type="pattern.waiver_ended")
    assert event.payload["until"] == "2025-07-31"


def test_it_comes_back_with_the_old_decision(agent, waived):
    with clock.standing_at(THE_DAY_AFTER):
        end_waivers()
    browser = browser_of(agent)
    page = browser.get(reverse("pattern", args=[waived.uuid]))
    assert "Its waiver ended on July 31, 2025. It was waived on July 14, 2025:" in words(page)
    assert "A &lt;b&gt;new&lt;/b&gt; layout comes" in page.text
    assert "back after a decision" in words(browser.get(reverse("work"), {"whose": "all"}))


def test_it_is_before_the_supervisors_anew_when_it_was_before(agent, room):
    made = pattern_of(room, seen_by=unit_of_agent(agent))
    work_on(pattern=made, unit=unit_of_agent(agent))
    escalate(pattern=made, reason="Too much for me", by=agent)
    with clock.standing_at(WAIVED_ON):
        take_step(pattern=made, said=Said(step="waive", reason="Later", until=LAST), by=agent)
    with clock.standing_at(THE_DAY_AFTER):
        end_waivers()
    assert stands(made).work.escalated is None


def test_a_waiver_that_was_taken_back_or_renewed_ends_no_earlier(agent, waived):
    with clock.standing_at(WAIVED_ON):
        take_step(pattern=waived, said=Said(step="reopen", reason="Too early"), by=agent)
        assert stands(waived).waived_until is None
        later = Said(step="waive", reason="Layout is late", until=date(2025, 8, 31))
        take_step(pattern=waived, said=later, by=agent)
    with clock.standing_at(THE_DAY_AFTER):
        assert end_waivers() == 0
    assert ended() == 0


def test_where_it_happened_again_the_open_pattern_is_told_once(agent, room, waived):
    again = pattern_of(room, seen_by=unit_of_agent(agent), again_after=waived)
    work_on(pattern=again, unit=unit_of_agent(agent))
    with clock.standing_at(THE_DAY_AFTER):
        assert end_waivers() == 1
        assert end_waivers() == 0
    assert stands(waived).state == Pattern.State.WAIVED
    assert stands(again).changed_since.startswith(
        "Of what was decided before it: Its waiver ended on July 31, 2025."
    )
    assert ended() == 1


def test_waivers_of_before_there_was_an_end_have_the_end_that_was_decided(waived):
    with without_walls():
        Pattern.objects.update(waived_until=None)
        import_module("audits.migrations.0009_waivers_end").fill(apps, None)
    assert stands(waived).waived_until == LAST
