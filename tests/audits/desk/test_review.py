"""Decisions: one table of steps, a reason each, two people where much money moved."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from audits.models import Decision, Pattern, Proposal, ReviewNote
from audits.review_steps import CLOSED, OPEN, STEPS, steps_from
from audits.services.bulk import Decide, carry_out, chosen
from audits.services.cases import open_case
from audits.services.review import Said, note, refuse_proposal, second, take_step
from audits.services.work import arrange_cover, assign, claim, work_on
from compliance import clock
from compliance.choices import Role
from compliance.models import Event
from compliance.services.refused import NotAllowedError, RefusedError
from compliance.walls import memberships_of, visible_parties, within, without_walls
from tests.audits.desk.patterns import pattern_of, unit_of_agent
from tests.compliance.people import made_person, party_for, person_as

if TYPE_CHECKING:
    from compliance.models import Party, Person

pytestmark = pytest.mark.django_db
State = Pattern.State


@pytest.fixture
def agent() -> Person:
    return person_as(Role.AGENT)


@pytest.fixture
def colleague(agent: Person) -> Person:
    return made_person("colleague", unit_of_agent(agent), Role.AGENT)


@pytest.fixture
def room() -> Party:
    return party_for(Role.OPERATOR_MANAGER, "room")


@pytest.fixture
def pattern(agent: Person, room: Party) -> Pattern:
    return pattern_of(room, seen_by=unit_of_agent(agent))


def stands(pattern: Pattern) -> Pattern:
    with without_walls():
        return Pattern.objects.get(pk=pattern.pk)


def decisions_on(pattern: Pattern) -> list[Decision]:
    with without_walls():
        return list(Decision.objects.filter(pattern=pattern))


def test_a_decision_keeps_who_why_and_from_what_and_closes_the_pattern(agent, pattern):
    take_step(pattern=pattern, said=Said(step="dismiss", reason="Misread by us."), by=agent)
    assert stands(pattern).state == State.NO_VIOLATION
    assert not stands(pattern).open
    [decision] = decisions_on(pattern)
    assert (decision.was, decision.state) == (State.NEW, State.NO_VIOLATION)
    assert (decision.reason, decision.by) == ("Misread by us.", agent.uuid)
    event = Event.objects.get(type="pattern.decided")
    assert event.reason == "Misread by us."
    assert event.payload["state"] == "no_violation"


@pytest.mark.parametrize("name", STEPS)
def test_every_step_wants_a_reason(agent, pattern, name):
    with without_walls():
        Pattern.objects.filter(pk=pattern.pk).update(state=min(STEPS[name].of))
    case = open_case(party=pattern.party, title="Payouts", reason="Seen.", by=agent)
    said = Said(step=name, reason="  ", until=date(2999, 1, 1), case=case)
    with pytest.raises(RefusedError, match="reason is required"):
        take_step(pattern=pattern, said=said, by=agent)
    assert decisions_on(pattern) == []


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("name", STEPS)
def test_a_step_goes_from_its_own_states_and_from_no_other(agent, pattern, name, state):
    with without_walls():
        Pattern.objects.filter(pk=pattern.pk).update(state=state, open=state in OPEN)
    case = open_case(party=pattern.party, title="Payouts", reason="Seen.", by=agent)
    said = Said(step=name, reason="Seen.", until=date(2999, 1, 1), case=case)
    if state in STEPS[name].of:
        take_step(pattern=pattern, said=said, by=agent)
        assert stands(pattern).state == STEPS[name].to
    else:
        with pytest.raises(RefusedError, match="does not go from"):
            take_step(pattern=pattern, said=said, by=agent)


def test_from_every_state_there_is_a_way_on_and_every_state_is_reached():
    for state in State:
        assert steps_from(Pattern(state=state))
    assert {step.to for step in STEPS.values()} | {State.NEW} == set(State)
    assert not OPEN & CLOSED


@pytest.mark.parametrize(
    "role", [role for role in Role if role not in (Role.AGENT, Role.SUPERVISOR)]
)
def test_only_who_reviews_decides(role, pattern):
    somebody = person_as(role, "elsewhere" if role == Role.OPERATOR_MANAGER else None)
    with pytest.raises(NotAllowedError):
        take_step(pattern=pattern, said=Said(step="confirm", reason="So."), by=somebody)


@pytest.mark.parametrize(
    ("said", "missing"),
    [
        (Said(step="ask", reason="How was it paid?"), "date is missing"),
        (Said(step="waive", reason="Layout on order.", until=date(2020, 1, 1)), "in the past"),
        (Said(step="refer", reason="A habit."), "choose the case"),
        (Said(step="forget", reason="Away with it."), "does not go"),
    ],
)
def test_what_a_step_wants_besides_is_asked_for(agent, pattern, said, missing):
    with pytest.raises(RefusedError, match=missing):
        take_step(pattern=pattern, said=said, by=agent)
    assert stands(pattern).state == State.NEW


def test_a_pattern_is_not_referred_to_a_case_on_another_operator(agent, pattern):
    other = party_for(Role.OPERATOR_MANAGER, "other")
    case = open_case(party=other, title="Theirs", reason="Seen.", by=agent)
    with pytest.raises(RefusedError, match="this pattern on The room"):
        take_step(pattern=pattern, said=Said(step="refer", reason="So.", case=case), by=agent)


def test_a_stale_page_decides_nothing(agent, colleague, pattern):
    shown = work_on(pattern=pattern, unit=unit_of_agent(agent)).edition
    take_step(pattern=pattern, said=Said(step="take_up", reason="Mine."), by=colleague)
    with pytest.raises(RefusedError, match="changed this pattern while"):
        take_step(pattern=pattern, said=Said(step="dismiss", reason="No."), by=agent, edition=shown)
    assert stands(pattern).state == State.UNDER_REVIEW


def test_a_double_click_decides_once_and_says_what_was_decided(agent, colleague, pattern):
    shown = work_on(pattern=pattern, unit=unit_of_agent(agent)).edition
    said = Said(step="confirm", reason="Paid by the layout.")
    first = take_step(pattern=pattern, said=said, by=agent, edition=shown)
    assert take_step(pattern=pattern, said=said, by=agent, edition=shown) == first
    assert decisions_on(pattern) == [first]
    for other, whose in ((Said(step="confirm", reason="Other words."), agent), (said, colleague)):
        with pytest.raises(RefusedError, match="while you were looking"):
            take_step(pattern=pattern, said=other, by=whose, edition=shown)
    assert Event.objects.filter(type="pattern.decided").count() == 1


def test_a_double_click_proposes_and_notes_once(agent, room, settings):
    unit = unit_of_agent(agent)
    dear = pattern_of(room, seen_by=unit, table="T9", over=settings.FOUR_EYES_ABOVE + 1)
    shown = work_on(pattern=dear, unit=unit).edition
    said = Said(step="confirm", reason="Paid by the layout.")
    first = take_step(pattern=dear, said=said, by=agent, edition=shown)
    assert take_step(pattern=dear, said=said, by=agent, edition=shown) == first
    assert note(pattern=dear, text="Ask.", by=agent) == note(pattern=dear, text="Ask. ", by=agent)
    with without_walls():
        assert (Proposal.objects.count(), ReviewNote.objects.count()) == (1, 1)


class TestFourEyes:
    @pytest.fixture
    def dear(self, agent, room) -> Pattern:
        """$600.01 too much and $400 too little: just over the $1,000 of the configuration."""
        return pattern_of(room, seen_by=unit_of_agent(agent), table="T9", over=60001, under=-40000)

    def test_what_moved_more_than_the_set_amount_is_only_proposed_by_one(self, agent, dear):
        made = take_step(pattern=dear, said=Said(step="dismiss", reason="No."), by=agent)
        assert isinstance(made, Proposal)
        assert stands(dear).state == State.NEW
        assert decisions_on(dear) == []

    def test_exactly_the_set_amount_is_closed_by_one(self, agent, room):
        level = pattern_of(room, seen_by=unit_of_agent(agent), table="T8", over=60000, under=-40000)
        take_step(pattern=level, said=Said(step="dismiss", reason="No."), by=agent)
        assert not stands(level).open

    def test_a_step_that_closes_nothing_needs_one(self, agent, dear):
        take_step(pattern=dear, said=Said(step="take_up", reason="Mine."), by=agent)
        assert stands(dear).state == State.UNDER_REVIEW

    def test_who_proposed_does_not_agree_to_it(self, agent, dear):
        made = take_step(pattern=dear, said=Said(step="dismiss", reason="No."), by=agent)
        with pytest.raises(NotAllowedError, match="Four eyes"):
            second(proposal=made, by=agent)
        assert stands(dear).open

    def test_a_second_person_closes_it_and_both_are_named(self, agent, colleague, dear):
        made = take_step(pattern=dear, said=Said(step="dismiss", reason="No."), by=agent)
        decision = second(proposal=made, by=colleague)
        assert (decision.by, decision.seconded_by) == (agent.uuid, colleague.uuid)
        assert decision.moved == 100001
        assert not stands(dear).open
        with without_walls():
            assert not Proposal.objects.exists()

    def test_a_second_proposal_waits_for_the_first(self, agent, colleague, dear):
        take_step(pattern=dear, said=Said(step="dismiss", reason="No."), by=agent)
        with pytest.raises(RefusedError, match="proposed already"):
            take_step(pattern=dear, said=Said(step="confirm", reason="Yes."), by=colleague)

    def test_a_step_that_overtakes_a_proposal_says_so_in_the_log(self, agent, colleague, dear):
        take_step(pattern=dear, said=Said(step="dismiss", reason="No."), by=agent)
        take_step(pattern=dear, said=Said(step="take_up", reason="Wait."), by=colleague)
        with without_walls():
            assert not Proposal.objects.exists()
        [event] = Event.objects.filter(type="pattern.proposal_refused")
        assert event.reason == "Another step was taken instead: Take up the review."
        assert event.payload["state"] == "no_violation"

    def test_many_at_once_and_a_desk_that_is_given_or_covered_are_no_way_around_a_second_person(
        self, agent, colleague, dear
    ):
        made = take_step(pattern=dear, said=Said(step="dismiss", reason="No."), by=agent)
        today = clock.today()
        claim(pattern=dear, by=agent)
        arrange_cover(absent=agent, covering=colleague, first=today, last=today, by=agent)
        assign(pattern=dear, to=colleague, by=agent)
        act = Decide(Said(step="dismiss", reason="No."))
        with within(visible_parties(memberships_of(agent))):
            patterns = chosen([dear.uuid])
            editions = {each.uuid: each.work.edition for each in patterns}
            [outcome] = carry_out(patterns=patterns, editions=editions, act=act, by=agent)
        assert "proposed already" in outcome.why_not
        with pytest.raises(NotAllowedError, match="Four eyes"):
            second(proposal=made, by=agent)
        assert stands(dear).open

    def test_a_refused_proposal_leaves_the_pattern_open_with_the_reason_in_the_log(
        self, agent, colleague, dear
    ):
        made = take_step(pattern=dear, said=Said(step="dismiss", reason="No."), by=agent)
        refuse_proposal(proposal=made, reason="Ask first.", by=colleague)
        assert stands(dear).open
        assert Event.objects.get(type="pattern.proposal_refused").reason == "Ask first."
        with pytest.raises(RefusedError, match="meanwhile"):
            second(proposal=made, by=colleague)


def test_a_decision_is_not_taken_back_once_it_happened_again(agent, pattern):
    take_step(pattern=pattern, said=Said(step="explain", reason="New dealer."), by=agent)
    pattern_of(pattern.party, seen_by=unit_of_agent(agent), again_after=pattern)
    with pytest.raises(RefusedError, match="happened again"):
        take_step(pattern=pattern, said=Said(step="reopen", reason="Not so."), by=agent)
    assert not stands(pattern).open


def test_an_operator_reads_neither_notes_nor_decisions(agent, pattern):
    manager = made_person("manager", pattern.party, Role.OPERATOR_MANAGER)
    note(pattern=pattern, text="Ask the pit boss.", by=agent)
    take_step(pattern=pattern, said=Said(step="confirm", reason="Plain."), by=agent)
    with without_walls():
        held = list(manager.memberships.all())
    with within(visible_parties(held)):
        assert not ReviewNote.objects.exists()
        assert not Decision.objects.exists()
    with pytest.raises(NotAllowedError):
        note(pattern=pattern, text="Mine.", by=manager)


def test_an_empty_note_is_refused(agent, pattern):
    with pytest.raises(RefusedError, match="Write what"):
        note(pattern=pattern, text=" \n", by=agent)
