"""Who is notified of questions, answers, findings and logs; no operator before the release."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse

from audits.review.disclosures.writes import disclose
from audits.review.issues.assignments import assign, claim, escalate
from audits.review.issues.decisions import StepRequest, refuse_proposal, take_step
from audits.review.issues.questions import answer_question
from audits.review.releases.writes import release_issue
from compliance.access.permissions import Action, PartyKind, Role
from compliance.access.scope import memberships_of, visible_parties, within, without_access_scope
from compliance.notifications.due_dates import due_dates
from compliance.notifications.models import Notice
from tests.audits.queue.issues import issue_of, unit_of_agent
from tests.audits.queue.test_answers import UNTIL
from tests.compliance.people import made_party, made_person, party_for, person_as

pytestmark = pytest.mark.django_db


def told(person):
    with without_access_scope():
        return [(each.kind, each.says) for each in Notice.objects.filter(person=person)[::-1]]


def kinds(person):
    return [kind for kind, _ in told(person)]


def due(person):
    memberships = memberships_of(person)
    with within(visible_parties(memberships)):
        return [(each.on, each.outside) for each in due_dates(person, memberships)]


@pytest.fixture
def manager(agent):
    return person_as(Role.OPERATOR_MANAGER, "room")


@pytest.fixture
def issue(agent, manager):
    return issue_of(party_for(Role.OPERATOR_MANAGER, "room"), seen_by=unit_of_agent(agent))


def ask(issue, agent):
    take_step(issue=issue, said=StepRequest(step="ask", reason="Which?", until=UNTIL), by=agent)


def test_question_reaches_operator_only_with_release(agent, manager, issue):
    stranger = person_as(Role.OPERATOR_MANAGER, "other")
    ask(issue, agent)
    assert told(manager) == []
    assert due(manager) == []
    release_issue(issue=issue, by=agent)
    assert kinds(manager) == ["findings_released", "question"]
    assert told(manager)[1][1].endswith("Answer by Jan 4, 2999.")
    assert "Which?" not in str(told(manager))
    assert due(manager) == [(UNTIL, Action.ANSWER_QUESTIONS.label)]
    assert told(stranger) == due(stranger) == []


def test_released_question_notifies_at_once(agent, manager, issue):
    release_issue(issue=issue, by=agent)
    take_step(issue=issue, said=StepRequest(step="take_up", reason="Looks bad"), by=agent)
    ask(issue, agent)
    take_step(issue=issue, said=StepRequest(step="go_on", reason="Too late"), by=agent)
    assert kinds(manager) == ["findings_released", "question"]


def test_answer_notifies_who_asked_and_who_has_the_issue(agent, manager, issue):
    unit = unit_of_agent(agent)
    second, third = (made_person(name, unit, Role.AGENT) for name in ("second", "third"))
    ask(issue, agent)
    release_issue(issue=issue, by=agent)
    claim(issue=issue, by=second)
    answer_question(issue=issue, text="The old one", by=manager)
    assert kinds(agent) == kinds(second) == ["answer"]
    assert "The old one" not in str(told(agent))
    assert told(third) == []


def test_assigned_issue_notifies_and_overdue_escalates(agent, issue):
    unit = unit_of_agent(agent)
    boss = made_person("boss", unit, Role.SUPERVISOR)
    claim(issue=issue, by=agent)
    assert kinds(agent) == []  # nobody is notified of assigning to themselves
    second = made_person("second", unit, Role.AGENT)
    assign(issue=issue, to=second, by=agent)
    assert kinds(second) == ["issue_given"]
    assert [says for _, says in due(second)] == ["Decide an issue in your queue"]
    assert due(agent) == []
    escalate(issue=issue, reason="Too much money", by=second)
    assert kinds(boss) == ["issue_late"]
    assert kinds(second) == ["issue_given"]  # the person who did it knows


def test_proposal_and_rejection_notify_the_right_people(agent, manager, settings):
    unit = unit_of_agent(agent)
    second = made_person("second", unit, Role.AGENT)
    dear = issue_of(
        party_for(Role.OPERATOR_MANAGER, "room"),
        seen_by=unit,
        over=settings.SECOND_APPROVAL_ABOVE + 1,
    )
    made = take_step(issue=dear, said=StepRequest(step="dismiss", reason="Misread"), by=agent)
    assert kinds(agent) == []
    assert kinds(second) == ["decision_proposed"]
    assert "Misread" not in str(told(second))
    refuse_proposal(proposal=made, reason="Ask first.", by=second)
    assert [says.endswith("Ask first.") for _, says in told(agent)] == [True]
    assert kinds(second) == ["decision_proposed"]
    assert told(manager) == []


def test_tribal_agency_is_notified_of_its_operation_only(agent):
    agency = made_party(PartyKind.TRIBAL_AGENCY, "agency")
    operation = made_party(PartyKind.TRIBAL_OPERATION, "casino", agency=agency)
    reviewer = made_person("reviewer", agency, Role.AGENCY_REVIEWER)
    other = person_as(Role.AGENCY_REVIEWER, "other-agency")
    issue = issue_of(operation, seen_by=unit_of_agent(agent))
    release_issue(issue=issue, by=agent)
    assert kinds(reviewer) == ["findings_released"]
    assert told(other) == []
    with without_access_scope():
        link = Notice.objects.get(person=reviewer).link
    assert link == reverse("issue", args=[issue.uuid])


def test_release_mentions_only_money_owed_to_players(agent, manager):
    room, unit = party_for(Role.OPERATOR_MANAGER, "room"), unit_of_agent(agent)
    much = issue_of(room, seen_by=unit, table="T1", over=500)
    little = issue_of(room, seen_by=unit, table="T2", under=500)
    again = issue_of(room, seen_by=unit, table="T3", under=500, code="settlement.balance")
    for issue in (much, again, little):
        release_issue(issue=issue, by=agent)
    with without_access_scope():
        assert Notice.objects.get(kind="restitution", person=manager).link == "/restitution/"
    assert [says for kind, says in told(manager) if kind == "restitution"] == [
        "Players were underpaid: Payout error, table T2."
    ]


def test_own_disclosure_notifies_agents_only(agent, manager):
    person_as(Role.OPERATOR_MANAGER, "other")
    disclose(
        party=party_for(Role.OPERATOR_MANAGER, "room"),
        day=date(2025, 7, 12),
        facts="A card fell.",
        by=manager,
    )
    assert kinds(agent) == ["disclosure"]
    assert "card" not in str(told(agent))
    with without_access_scope():
        assert Notice.objects.get().person == agent
