"""A question to the operator: readable and answerable there once it was released, not before."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from audits.replay.findings.models import Issue
from audits.review.issues.decisions import StepRequest, second, take_step
from audits.review.issues.models import Decision, Work
from audits.review.issues.questions import answer_question
from audits.review.releases.writes import release_issue
from compliance import clock
from compliance.access.permissions import Role
from compliance.access.scope import memberships_of, without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.models import Event
from compliance.people.writes import end_role, give_role
from tests.audits.queue.issues import issue_of, unit_of_agent
from tests.compliance.pages.browsing import browser_of, words
from tests.compliance.people import made_person, party_for, person_as

if TYPE_CHECKING:
    from compliance.access.models import Person

pytestmark = pytest.mark.django_db
UNTIL = date(2999, 1, 4)


@pytest.fixture
def manager(agent: Person) -> Person:
    return person_as(Role.OPERATOR_MANAGER, "room")


@pytest.fixture
def asked(agent: Person, manager: Person) -> Issue:
    issue = issue_of(party_for(Role.OPERATOR_MANAGER, "room"), seen_by=unit_of_agent(agent))
    take_step(issue=issue, said=StepRequest(step="take_up", reason="Looks bad"), by=agent)
    said = StepRequest(step="ask", reason="Which <layout>?", until=UNTIL)
    take_step(issue=issue, said=said, by=agent)
    return issue


def test_answer_to_released_question_returns_the_issue(agent, manager, asked):
    page = reverse("issue", args=[asked.uuid])
    room, queue = browser_of(manager), browser_of(agent)
    assert room.get(page).status_code == 404
    assert "cannot read the question yet" in words(queue.get(page))
    release_issue(issue=asked, by=agent)
    assert "waits for your answer" in words(room.get("/findings/"))
    shown = room.get(page)
    assert "Which &lt;layout&gt;?" in shown.text
    assert "Question, to be answered by January 4, 2999" in words(shown)
    assert "Looks bad" not in words(shown)
    address = reverse("answer_question", args=[asked.uuid])
    assert room.post(address, {"answer-text": " "}).status_code == 422
    for _ in range(2):  # a double click
        assert room.post(address, {"answer-text": "The <old> one"}).status_code == 302
    with without_access_scope():
        assert Issue.objects.get().state == Issue.State.UNDER_REVIEW
        assert Decision.objects.filter(step="answer").count() == 1
        assert clock.today() < Work.objects.get().due < UNTIL
    assert Event.objects.get(type="issue.answered").reason == "The <old> one"
    assert "The &lt;old&gt; one" in room.get(page).text
    assert "The commission is reviewing this" in words(room.get(page))
    assert "waits for your answer" not in words(room.get("/findings/"))
    assert f"{manager.name} answered for the operator The <old> one" in words(queue.get(page))


def test_an_answer_makes_the_agents_page_stale(agent, manager, asked):
    release_issue(issue=asked, by=agent)
    with without_access_scope():
        shown = Work.objects.get().edition
    answer_question(issue=asked, text="The old one", by=manager)
    with pytest.raises(RefusedError, match="while you were looking"):
        take_step(
            issue=asked, said=StepRequest(step="confirm", reason="Silent"), by=agent, edition=shown
        )


def test_operator_alone_answers_released_findings(agent, manager, asked):
    with pytest.raises(RefusedError, match="was not released"):
        answer_question(issue=asked, text="So", by=manager)
    release_issue(issue=asked, by=agent)
    stranger = made_person(
        "stranger", party_for(Role.OPERATOR_MANAGER, "other"), Role.OPERATOR_MANAGER
    )
    for person in (agent, stranger):
        with pytest.raises(NotAllowedError):
            answer_question(issue=asked, text="So", by=person)
    take_step(issue=asked, said=StepRequest(step="go_on", reason="Too late"), by=agent)
    answer_question(issue=asked, text="We found the layout.", by=manager)
    take_step(issue=asked, said=StepRequest(step="confirm", reason="Seen"), by=agent)
    answer_question(issue=asked, text="We replaced it.", by=manager)
    with without_access_scope():
        assert Issue.objects.get().state == Issue.State.CONFIRMED  # an answer decides nothing
        assert Decision.objects.filter(step="answer").count() == 2


def test_operators_answerer_never_decides_about_it(agent, manager, asked, settings):
    release_issue(issue=asked, by=agent)
    answer_question(issue=asked, text="The old one", by=manager)
    held = memberships_of(manager)[0]
    give_role(person=manager, party=unit_of_agent(agent), role=Role.AGENT, by=None)
    said = StepRequest(step="dismiss", reason="It was the old one.")
    with pytest.raises(NotAllowedError, match="your party filed"):
        take_step(issue=asked, said=said, by=manager)
    end_role(membership=held, reason="left", by=person_as(Role.ADMINISTRATOR))
    with pytest.raises(NotAllowedError, match="your party filed"):
        take_step(issue=asked, said=said, by=manager)
    settings.SECOND_APPROVAL_ABOVE = -1
    proposal = take_step(issue=asked, said=said, by=agent)
    with pytest.raises(NotAllowedError, match="your party filed"):
        second(proposal=proposal, by=manager)
    with without_access_scope():
        assert Issue.objects.get().state == Issue.State.UNDER_REVIEW
