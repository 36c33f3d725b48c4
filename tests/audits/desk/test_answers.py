"""A question to the operator: read and answered there once it was released, and not before."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from audits.models import Decision, Pattern, Work
from audits.services.answers import answer_question
from audits.services.release import release_pattern
from audits.services.review import Said, second, take_step
from compliance import clock
from compliance.choices import Role
from compliance.models import Event
from compliance.services.people import end_role, give_role
from compliance.services.refused import NotAllowedError, RefusedError
from compliance.walls import memberships_of, without_walls
from tests.audits.desk.patterns import pattern_of, unit_of_agent
from tests.compliance.pages.browsing import browser_of, words
from tests.compliance.people import made_person, party_for, person_as

if TYPE_CHECKING:
    from compliance.models import Person

pytestmark = pytest.mark.django_db
UNTIL = date(2999, 1, 4)


@pytest.fixture
def agent() -> Person:
    return person_as(Role.AGENT)


@pytest.fixture
def manager(agent: Person) -> Person:
    return person_as(Role.OPERATOR_MANAGER, "room")


@pytest.fixture
def asked(agent: Person, manager: Person) -> Pattern:
    pattern = pattern_of(party_for(Role.OPERATOR_MANAGER, "room"), seen_by=unit_of_agent(agent))
    take_step(pattern=pattern, said=Said(step="take_up", reason="Looks bad"), by=agent)
    said = Said(step="ask", reason="Which <layout>?", until=UNTIL)
    take_step(pattern=pattern, said=said, by=agent)
    return pattern


def test_a_question_is_read_once_released_and_the_answer_brings_the_pattern_back(
    agent, manager, asked
):
    page = reverse("pattern", args=[asked.uuid])
    room, desk = browser_of(manager), browser_of(agent)
    assert room.get(page).status_code == 404
    assert "cannot read the question yet" in words(desk.get(page))
    release_pattern(pattern=asked, by=agent)
    assert "waits for your answer" in words(room.get("/findings/"))
    shown = room.get(page)
    assert "Which &lt;layout&gt;?" in shown.text
    assert "to be answered by January 4, 2999" in words(shown)
    assert "Looks bad" not in words(shown)
    address = reverse("answer_question", args=[asked.uuid])
    assert room.post(address, {"answer-text": " "}).status_code == 422
    for _ in range(2):  # a double click
        assert room.post(address, {"answer-text": "The <old> one"}).status_code == 302
    with without_walls():
        assert Pattern.objects.get().state == Pattern.State.UNDER_REVIEW
        assert Decision.objects.filter(step="answer").count() == 1
        assert clock.today() < Work.objects.get().due < UNTIL
    assert Event.objects.get(type="pattern.answered").reason == "The <old> one"
    assert "The &lt;old&gt; one" in room.get(page).text
    assert "Send the answer" not in words(room.get(page))
    assert "waits for your answer" not in words(room.get("/findings/"))
    assert f"The operator answered The <old> one {manager.name}" in words(desk.get(page))


def test_an_answer_makes_the_agents_page_stale(agent, manager, asked):
    release_pattern(pattern=asked, by=agent)
    with without_walls():
        shown = Work.objects.get().edition
    answer_question(pattern=asked, text="The old one", by=manager)
    with pytest.raises(RefusedError, match="while you were looking"):
        take_step(
            pattern=asked, said=Said(step="confirm", reason="Silent"), by=agent, edition=shown
        )


def test_nobody_else_answers_and_nothing_is_answered_that_is_not_asked(agent, manager, asked):
    with pytest.raises(RefusedError, match="Nothing is asked"):  # not released
        answer_question(pattern=asked, text="So", by=manager)
    release_pattern(pattern=asked, by=agent)
    stranger = made_person(
        "stranger", party_for(Role.OPERATOR_MANAGER, "other"), Role.OPERATOR_MANAGER
    )
    for somebody in (agent, stranger):
        with pytest.raises(NotAllowedError):
            answer_question(pattern=asked, text="So", by=somebody)
    take_step(pattern=asked, said=Said(step="go_on", reason="Too late"), by=agent)
    with pytest.raises(RefusedError, match="Nothing is asked"):
        answer_question(pattern=asked, text="So", by=manager)


def test_who_answered_for_the_operator_decides_nothing_about_it_then_or_later(
    agent, manager, asked, settings
):
    release_pattern(pattern=asked, by=agent)
    answer_question(pattern=asked, text="The old one", by=manager)
    held = memberships_of(manager)[0]
    give_role(person=manager, party=unit_of_agent(agent), role=Role.AGENT, by=None)
    said = Said(step="dismiss", reason="It was the old one.")
    with pytest.raises(NotAllowedError, match="own party filed"):
        take_step(pattern=asked, said=said, by=manager)
    end_role(membership=held, reason="left", by=person_as(Role.ADMINISTRATOR))
    with pytest.raises(NotAllowedError, match="own party filed"):
        take_step(pattern=asked, said=said, by=manager)
    settings.FOUR_EYES_ABOVE = -1
    proposal = take_step(pattern=asked, said=said, by=agent)
    with pytest.raises(NotAllowedError, match="own party filed"):
        second(proposal=proposal, by=manager)
    with without_walls():
        assert Pattern.objects.get().state == Pattern.State.UNDER_REVIEW
