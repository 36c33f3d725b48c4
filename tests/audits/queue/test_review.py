"""Decisions: one table of steps, a reason each, two people for large amounts."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from audits.replay.findings.models import Issue
from audits.review.cases.writes import open_case
from audits.review.issues.assignments import arrange_cover, assign, claim
from audits.review.issues.decisions import StepRequest, note, refuse_proposal, second, take_step
from audits.review.issues.models import Decision, Proposal, ReviewNote
from audits.review.issues.steps import CLOSED, EMPTIES, OPEN, STEPS, steps_from
from audits.review.queue.writes import Decide, carry_out, chosen
from compliance import clock
from compliance.access.permissions import Role
from compliance.access.scope import memberships_of, visible_parties, within, without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.models import Event
from tests.audits.queue.issues import issue_of, unit_of_agent, work_on
from tests.compliance.people import made_person, party_for, person_as

if TYPE_CHECKING:
    from compliance.access.models import Party, Person

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
State = Issue.State


@pytest.fixture
def colleague(agent: Person) -> Person:
    return made_person("colleague", unit_of_agent(agent), Role.AGENT)


@pytest.fixture
def room() -> Party:
    return party_for(Role.OPERATOR_MANAGER, "room")


@pytest.fixture
def issue(agent: Person, room: Party) -> Issue:
    return issue_of(room, seen_by=unit_of_agent(agent))


def stands(issue: Issue) -> Issue:
    with without_access_scope():
        return Issue.objects.get(pk=issue.pk)


def decisions_on(issue: Issue) -> list[Decision]:
    with without_access_scope():
        return list(Decision.objects.filter(issue=issue))


def test_decision_keeps_person_reason_and_previous_state(agent, issue):
    take_step(issue=issue, said=StepRequest(step="dismiss", reason="Misread by us."), by=agent)
    assert stands(issue).state == State.NO_VIOLATION
    assert not stands(issue).open
    [decision] = decisions_on(issue)
    assert (decision.was, decision.state) == (State.NEW, State.NO_VIOLATION)
    assert (decision.reason, decision.by) == ("Misread by us.", agent.uuid)
    event = Event.objects.get(type="issue.decided")
    assert event.reason == "Misread by us."
    assert event.payload["state"] == "no_violation"


@pytest.mark.parametrize("name", STEPS)
def test_every_step_wants_a_reason(agent, issue, name):
    with without_access_scope():
        Issue.objects.filter(pk=issue.pk).update(state=min(STEPS[name].of))
    case = open_case(party=issue.party, title="Payouts", reason="Seen.", by=agent)
    said = StepRequest(step=name, reason="  ", until=date(2999, 1, 1), case=case)
    with pytest.raises(RefusedError, match="reason is required"):
        take_step(issue=issue, said=said, by=agent)
    assert decisions_on(issue) == []


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("name", STEPS)
def test_a_step_goes_from_its_own_states_and_from_no_other(agent, issue, name, state):
    with without_access_scope():
        Issue.objects.filter(pk=issue.pk).update(state=state, open=state in OPEN)
    case = open_case(party=issue.party, title="Payouts", reason="Seen.", by=agent)
    said = StepRequest(step=name, reason="Seen.", until=date(2999, 1, 1), case=case)
    if state in STEPS[name].of:
        take_step(issue=issue, said=said, by=agent)
        assert stands(issue).state == STEPS[name].to
    else:
        with pytest.raises(RefusedError, match="does not go from"):
            take_step(issue=issue, said=said, by=agent)


def test_every_state_is_reachable_and_has_a_way_on():
    for state in State:
        assert steps_from(Issue(state=state))
    assert {step.to for step in (*STEPS.values(), EMPTIES)} | {State.NEW} == set(State)
    assert not OPEN & CLOSED


@pytest.mark.parametrize(
    "role", [role for role in Role if role not in (Role.AGENT, Role.SUPERVISOR)]
)
def test_only_who_reviews_decides(role, issue):
    person = person_as(role, "elsewhere" if role == Role.OPERATOR_MANAGER else None)
    with pytest.raises(NotAllowedError):
        take_step(issue=issue, said=StepRequest(step="confirm", reason="So."), by=person)


@pytest.mark.parametrize(
    ("said", "missing"),
    [
        (StepRequest(step="ask", reason="How was it paid?"), "date is missing"),
        (
            StepRequest(step="waive", reason="Layout on order.", until=date(2020, 1, 1)),
            "in the past",
        ),
        (StepRequest(step="refer", reason="A habit."), "choose the case"),
        (StepRequest(step="forget", reason="Away with it."), "does not go"),
    ],
)
def test_what_a_step_wants_besides_is_asked_for(agent, issue, said, missing):
    with pytest.raises(RefusedError, match=missing):
        take_step(issue=issue, said=said, by=agent)
    assert stands(issue).state == State.NEW


def test_issue_cannot_join_a_case_on_another_operator(agent, issue):
    other = party_for(Role.OPERATOR_MANAGER, "other")
    case = open_case(party=other, title="Theirs", reason="Seen.", by=agent)
    with pytest.raises(RefusedError, match="this issue on The room"):
        take_step(issue=issue, said=StepRequest(step="refer", reason="So.", case=case), by=agent)


def test_a_stale_page_decides_nothing(agent, colleague, issue):
    shown = work_on(issue=issue, unit=unit_of_agent(agent)).edition
    take_step(issue=issue, said=StepRequest(step="take_up", reason="Mine."), by=colleague)
    with pytest.raises(RefusedError, match="changed this issue while"):
        take_step(
            issue=issue, said=StepRequest(step="dismiss", reason="No."), by=agent, edition=shown
        )
    assert stands(issue).state == State.UNDER_REVIEW


def test_double_click_decides_once(agent, colleague, issue):
    shown = work_on(issue=issue, unit=unit_of_agent(agent)).edition
    said = StepRequest(step="confirm", reason="Paid by the layout.")
    first = take_step(issue=issue, said=said, by=agent, edition=shown)
    assert take_step(issue=issue, said=said, by=agent, edition=shown) == first
    assert decisions_on(issue) == [first]
    for other, whose in (
        (StepRequest(step="confirm", reason="Other words."), agent),
        (said, colleague),
    ):
        with pytest.raises(RefusedError, match="while you were looking"):
            take_step(issue=issue, said=other, by=whose, edition=shown)
    assert Event.objects.filter(type="issue.decided").count() == 1


def test_a_double_click_proposes_and_notes_once(agent, room, settings):
    unit = unit_of_agent(agent)
    dear = issue_of(room, seen_by=unit, table="T9", over=settings.SECOND_APPROVAL_ABOVE + 1)
    shown = work_on(issue=dear, unit=unit).edition
    said = StepRequest(step="confirm", reason="Paid by the layout.")
    first = take_step(issue=dear, said=said, by=agent, edition=shown)
    assert take_step(issue=dear, said=said, by=agent, edition=shown) == first
    assert note(issue=dear, text="Ask.", by=agent) == note(issue=dear, text="Ask. ", by=agent)
    with without_access_scope():
        assert (Proposal.objects.count(), ReviewNote.objects.count()) == (1, 1)


class TestFourEyes:
    @pytest.fixture
    def dear(self, agent, room) -> Issue:
        """Return an issue $600.01 overpaid and $400 underpaid: just over the configured $1,000."""
        return issue_of(room, seen_by=unit_of_agent(agent), table="T9", over=60001, under=-40000)

    def test_large_amount_is_only_proposed_by_one_person(self, agent, dear):
        made = take_step(issue=dear, said=StepRequest(step="dismiss", reason="No."), by=agent)
        assert isinstance(made, Proposal)
        assert stands(dear).state == State.NEW
        assert decisions_on(dear) == []

    def test_exactly_the_set_amount_is_closed_by_one(self, agent, room):
        level = issue_of(room, seen_by=unit_of_agent(agent), table="T8", over=60000, under=-40000)
        take_step(issue=level, said=StepRequest(step="dismiss", reason="No."), by=agent)
        assert not stands(level).open

    def test_a_step_that_closes_nothing_needs_one(self, agent, dear):
        take_step(issue=dear, said=StepRequest(step="take_up", reason="Mine."), by=agent)
        assert stands(dear).state == State.UNDER_REVIEW

    def test_who_proposed_does_not_agree_to_it(self, agent, dear):
        made = take_step(issue=dear, said=StepRequest(step="dismiss", reason="No."), by=agent)
        with pytest.raises(NotAllowedError, match="A second person has to decide"):
            second(proposal=made, by=agent)
        assert stands(dear).open

    def test_a_second_person_closes_it_and_both_are_named(self, agent, colleague, dear):
        made = take_step(issue=dear, said=StepRequest(step="dismiss", reason="No."), by=agent)
        decision = second(proposal=made, by=colleague)
        assert (decision.by, decision.seconded_by) == (agent.uuid, colleague.uuid)
        assert decision.moved == 100001
        assert not stands(dear).open
        with without_access_scope():
            assert not Proposal.objects.exists()

    def test_a_second_proposal_waits_for_the_first(self, agent, colleague, dear):
        take_step(issue=dear, said=StepRequest(step="dismiss", reason="No."), by=agent)
        with pytest.raises(RefusedError, match="proposed already"):
            take_step(issue=dear, said=StepRequest(step="confirm", reason="Yes."), by=colleague)

    def test_a_step_that_overtakes_a_proposal_says_so_in_the_log(self, agent, colleague, dear):
        take_step(issue=dear, said=StepRequest(step="dismiss", reason="No."), by=agent)
        take_step(issue=dear, said=StepRequest(step="take_up", reason="Wait."), by=colleague)
        with without_access_scope():
            assert not Proposal.objects.exists()
        [event] = Event.objects.filter(type="issue.proposal_refused")
        assert event.reason == "Another step was taken instead: Take up the review."
        assert event.payload["state"] == "no_violation"

    def test_bulk_decision_does_not_bypass_second_person(self, agent, colleague, dear):
        made = take_step(issue=dear, said=StepRequest(step="dismiss", reason="No."), by=agent)
        today = clock.today()
        claim(issue=dear, by=agent)
        arrange_cover(absent=agent, covering=colleague, first=today, last=today, by=agent)
        assign(issue=dear, to=colleague, by=agent)
        act = Decide(StepRequest(step="dismiss", reason="No."))
        with within(visible_parties(memberships_of(agent))):
            issues = chosen([dear.uuid])
            editions = {each.uuid: each.work.edition for each in issues}
            [outcome] = carry_out(issues=issues, editions=editions, act=act, by=agent)
        assert "proposed already" in outcome.why_not
        with pytest.raises(NotAllowedError, match="A second person has to decide"):
            second(proposal=made, by=agent)
        assert stands(dear).open

    def test_rejected_proposal_leaves_issue_open_with_reason(self, agent, colleague, dear):
        made = take_step(issue=dear, said=StepRequest(step="dismiss", reason="No."), by=agent)
        refuse_proposal(proposal=made, reason="Ask first.", by=colleague)
        assert stands(dear).open
        assert Event.objects.get(type="issue.proposal_refused").reason == "Ask first."
        with pytest.raises(RefusedError, match="meanwhile"):
            second(proposal=made, by=colleague)


def test_repeated_issues_decision_is_not_withdrawn(agent, issue):
    take_step(issue=issue, said=StepRequest(step="explain", reason="New dealer."), by=agent)
    issue_of(issue.party, seen_by=unit_of_agent(agent), again_after=issue)
    with pytest.raises(RefusedError, match="happened again"):
        take_step(issue=issue, said=StepRequest(step="reopen", reason="Not so."), by=agent)
    assert not stands(issue).open


def test_an_operator_reads_neither_notes_nor_decisions(agent, issue):
    manager = made_person("manager", issue.party, Role.OPERATOR_MANAGER)
    note(issue=issue, text="Ask the pit boss.", by=agent)
    take_step(issue=issue, said=StepRequest(step="confirm", reason="Plain."), by=agent)
    with without_access_scope():
        held = list(manager.memberships.all())
    with within(visible_parties(held)):
        assert not ReviewNote.objects.exists()
        assert not Decision.objects.exists()
    with pytest.raises(NotAllowedError):
        note(issue=issue, text="Mine.", by=manager)


def test_an_empty_note_is_refused(agent, issue):
    with pytest.raises(RefusedError, match="Write what"):
        note(issue=issue, text=" \n", by=agent)
