"""Both paths from request to decision, with every refusal on the way."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from compliance.access.models import Membership
from compliance.access.permissions import PartyKind, Role
from compliance.access.scope import memberships_of, visible_parties, within, without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.digests import state_digest
from compliance.events.models import Event
from compliance.filings.requests.approvals import answer_condition, mark_condition, step_withdrawal
from compliance.filings.requests.models import (
    Approval,
    Condition,
    ConditionMark,
    GameRequest,
    Withdrawal,
)
from compliance.filings.requests.steps import STEPS, steps_from
from compliance.filings.requests.writes import (
    approve_request,
    comment_on,
    refuse_request,
    submit_request,
    take_step,
)
from compliance.people.writes import end_role, give_role
from tests.compliance.games.filing import (
    approved,
    asked,
    filed_rules,
    maker_and_officer,
    readings,
    under_review,
)
from tests.compliance.people import made_party, made_person, party_for, person_as

pytestmark = pytest.mark.django_db
State = GameRequest.State


@pytest.fixture(autouse=True)
def _beyond_the_scope():
    with without_access_scope():
        yield


def test_commercial_request_is_approved_with_conditions():
    approval = approved(*maker_and_officer())
    assert approval.kind == Approval.Kind.COMMISSION
    kinds = [each.kind for each in approval.conditions.all()]
    assert kinds == ["as_filed", "controls_first", "licensed_makers", "no_marketing"]
    assert GameRequest.objects.get().state == State.APPROVED
    assert Event.objects.filter(type="approval.given").count() == 1


def test_an_approval_binds_exactly_what_was_seen():
    maker, officer = maker_and_officer()
    request = under_review(maker, officer)
    read = readings(request.rule_version)
    with pytest.raises(RefusedError, match="not what is on file"):
        approve_request(request=request, seen="0" * 64, interpretations=read, by=officer)
    assert not Approval.objects.exists()
    assert GameRequest.objects.get().state == State.UNDER_REVIEW


def test_nothing_is_approved_twice():
    maker, officer = maker_and_officer()
    request = under_review(maker, officer)
    stale = GameRequest.objects.get(pk=request.pk)
    seen = state_digest(request.rule_version)
    read = readings(request.rule_version)
    approve_request(request=request, seen=seen, interpretations=read, by=officer)
    with pytest.raises(RefusedError, match="took a step just now"):
        approve_request(request=stale, seen=seen, interpretations=read, by=officer)
    with pytest.raises(RefusedError, match="the request is approved"):
        approve_request(request=request, seen=seen, by=officer)
    assert Approval.objects.count() == 1


def test_nobody_approves_their_own_partys_filing():
    maker, officer = maker_and_officer()
    request = under_review(maker, officer)
    give_role(person=officer, party=party_for(Role.SUPPLIER, "maker"), role=Role.SUPPLIER, by=None)
    with pytest.raises(NotAllowedError, match="your party filed"):
        approve_request(request=request, seen=state_digest(request.rule_version), by=officer)


@pytest.mark.parametrize(
    "decide",
    [
        lambda request, by: approve_request(
            request=request,
            seen=state_digest(request.rule_version),
            interpretations=readings(request.rule_version),
            by=by,
        ),
        lambda request, by: refuse_request(request=request, reasons="No.", by=by),
    ],
    ids=["approved", "denied"],
)
def test_person_who_entered_a_request_cannot_decide_it(decide):
    maker, officer = maker_and_officer()
    request = asked(officer, filed_rules(maker))
    take_step(request=request, name="review", reason="It is whole.", by=officer)
    with pytest.raises(NotAllowedError, match="your party filed"):
        decide(request, officer)
    decide(request, person_as(Role.DIRECTOR))


@pytest.mark.parametrize("role", [Role.AGENT, Role.AUDITOR, Role.ADMINISTRATOR, Role.SUPPLIER])
def test_only_who_may_approve_approves(role):
    maker, officer = maker_and_officer()
    request = under_review(maker, officer)
    with pytest.raises(NotAllowedError):
        approve_request(
            request=request, seen=state_digest(request.rule_version), by=person_as(role, "x")
        )


def test_a_request_is_made_once_and_by_whose_game_it_is():
    maker, _ = maker_and_officer()
    version = filed_rules(maker)
    asked(maker, version)
    with pytest.raises(RefusedError, match="asked for already"):
        asked(maker, version)
    rival = person_as(Role.SUPPLIER, "rival")
    with pytest.raises(RefusedError, match="to ask for"):
        submit_request(
            rule_version=version,
            path=GameRequest.Path.COMMERCIAL,
            asked_by=party_for(Role.SUPPLIER, "rival"),
            by=rival,
        )


def test_incomplete_request_closes_after_thirty_days():
    maker, officer = maker_and_officer()
    request = asked(maker, filed_rules(maker))
    # 2025-06-04 plus thirty days is Independence Day: the due date is Monday, 2025-07-07
    with time_machine.travel("2025-06-04 12:00-07:00", tick=False):
        take_step(request=request, name="miss", reason="The layout is missing.", by=officer)
    assert request.due.isoformat() == "2025-07-07"
    with (
        time_machine.travel("2025-07-07 12:00-07:00", tick=False),
        pytest.raises(RefusedError, match="until 2025-07-07"),
    ):
        take_step(request=request, name="close", reason="nothing came", by=officer)
    with time_machine.travel("2025-07-08 12:00-07:00", tick=False):
        take_step(request=request, name="close", reason="nothing came", by=officer)
    assert request.state == State.CLOSED


def test_a_supplier_supplies_what_was_missing():
    maker, officer = maker_and_officer()
    request = asked(maker, filed_rules(maker))
    take_step(request=request, name="miss", reason="The layout is missing.", by=officer)
    take_step(request=request, name="supply", reason="here it is", by=maker)
    assert (request.state, request.due) == (State.SUBMITTED, None)


def test_only_financial_investigations_reviews_interests():
    maker, officer = maker_and_officer()
    request = under_review(maker, officer)
    take_step(request=request, name="ask_interests", reason="a new holder", by=officer)
    with pytest.raises(RefusedError, match="review of substantial interests"):
        approve_request(request=request, seen=state_digest(request.rule_version), by=officer)
    with pytest.raises(NotAllowedError):
        take_step(request=request, name="clear_interests", reason="fine", by=officer)
    take_step(
        request=request,
        name="clear_interests",
        reason="none found",
        by=person_as(Role.FINANCIAL_INVESTIGATIONS),
    )
    assert request.state == State.UNDER_REVIEW


def test_denial_keeps_reasons_and_allows_new_request():
    maker, officer = maker_and_officer()
    request = under_review(maker, officer)
    with pytest.raises(RefusedError, match="Say why"):
        refuse_request(request=request, reasons=" ", by=officer)
    denial = refuse_request(request=request, reasons="The jack is missing.", by=officer)
    assert denial.reasons == "The jack is missing."
    assert request.state == State.DENIED
    assert asked(maker, request.rule_version).state == State.SUBMITTED


def tribal():
    agency = made_party(PartyKind.TRIBAL_AGENCY, "agency")
    operation = made_party(PartyKind.TRIBAL_OPERATION, "casino", agency=agency)
    manager = person_as(Role.OPERATOR_MANAGER, "casino")
    reviewer = person_as(Role.AGENCY_REVIEWER, "agency")
    return operation, manager, reviewer


def asked_of_agency(operation, manager, version):
    return submit_request(
        rule_version=version, path=GameRequest.Path.TRIBAL, asked_by=operation, by=manager
    )


def test_the_tribal_path_from_the_agency_to_concurrence():
    maker, officer = maker_and_officer()
    operation, manager, reviewer = tribal()
    approval = approved(maker, officer)
    version = filed_version(approval)
    request = asked_of_agency(operation, manager, version)
    seen = state_digest(version)
    with pytest.raises(NotAllowedError):
        approve_request(request=request, seen=seen, by=officer)
    assert approve_request(request=request, seen=seen, by=reviewer).kind == Approval.Kind.AGENCY
    with pytest.raises(RefusedError, match="approved by the agency"):
        approve_request(request=request, seen=seen, by=officer)
    take_step(request=request, name="seek_concurrence", reason="as the compact asks", by=reviewer)
    concurrence = approve_request(request=request, seen=seen, by=officer)
    assert concurrence.kind == Approval.Kind.CONCURRENCE
    assert (request.state, concurrence.party) == (State.APPROVED, operation)


def filed_version(approval):
    from compliance.filings.games.models import RuleVersion

    return RuleVersion.objects.get(uuid=approval.subject)


def test_commission_can_object_to_an_agencys_approval():
    maker, officer = maker_and_officer()
    operation, manager, reviewer = tribal()
    version = filed_version(approved(maker, officer))
    request = asked_of_agency(operation, manager, version)
    approve_request(request=request, seen=state_digest(version), by=reviewer)
    take_step(request=request, name="seek_concurrence", reason="asked", by=reviewer)
    refuse_request(request=request, reasons="The supplement is missing.", by=officer)
    assert request.state == State.OBJECTED


def test_operation_requests_only_approved_games():
    maker, _ = maker_and_officer()
    operation, manager, _ = tribal()
    with pytest.raises(RefusedError, match="has not approved"):
        asked_of_agency(operation, manager, filed_rules(maker))


def test_another_agency_decides_nothing():
    maker, officer = maker_and_officer()
    operation, manager, _ = tribal()
    version = filed_version(approved(maker, officer))
    request = asked_of_agency(operation, manager, version)
    stranger = person_as(Role.AGENCY_REVIEWER, "elsewhere")
    with pytest.raises(NotAllowedError):
        approve_request(request=request, seen=state_digest(version), by=stranger)
    with within(visible_parties(memberships_of(stranger))):
        assert not GameRequest.objects.exists()


def test_a_condition_is_met_waived_or_not_with_a_reason():
    maker, officer = maker_and_officer()
    condition = approved(maker, officer).conditions.get(kind=Condition.Kind.LICENSED_MAKERS)
    Mark = ConditionMark.Mark  # noqa: N806
    mark_condition(condition=condition, mark=Mark.MET, reason="license 123", by=officer)
    end = timezone.localdate() + timedelta(days=30)
    mark_condition(condition=condition, mark=Mark.WAIVED, until=end, reason="fair", by=officer)
    assert [each.mark for each in condition.marks.all()] == ["met", "waived"]
    for wrong in (
        {"mark": Mark.WAIVED},
        {"mark": Mark.MET, "until": end},
        {"mark": Mark.WAIVED, "until": timezone.localdate()},
        {"mark": Mark.NOT_MET, "reason": ""},
    ):
        with pytest.raises(RefusedError):
            mark_condition(**{"condition": condition, "reason": "r", "by": officer, **wrong})
    with pytest.raises(NotAllowedError):
        mark_condition(condition=condition, mark=Mark.MET, reason="r", by=maker)


def test_operation_member_cannot_act_for_its_agency():
    maker, officer = maker_and_officer()
    operation, manager, reviewer = tribal()
    version = filed_version(approved(maker, officer))
    request = asked_of_agency(operation, manager, version)
    approval = approve_request(request=request, seen=state_digest(version), by=reviewer)
    noticed, dropped = Withdrawal.Step.NOTICED, Withdrawal.Step.DROPPED
    step_withdrawal(approval=approval, step=noticed, reason="odds altered", by=reviewer)
    give_role(person=reviewer, party=operation, role=Role.OPERATOR_CLERK, by=None)
    condition = approval.conditions.get(kind=Condition.Kind.LICENSED_MAKERS)
    with pytest.raises(NotAllowedError, match="your party filed"):
        mark_condition(condition=condition, mark=ConditionMark.Mark.MET, reason="r", by=reviewer)
    with pytest.raises(NotAllowedError, match="your party filed"):
        step_withdrawal(approval=approval, step=dropped, reason="r", by=reviewer)


def test_a_clerk_does_not_object_for_the_holder():
    maker, officer = maker_and_officer()
    operation, manager, reviewer = tribal()
    version = filed_version(approved(maker, officer))
    request = asked_of_agency(operation, manager, version)
    approval = approve_request(request=request, seen=state_digest(version), by=reviewer)
    clerk = made_person("a-clerk", operation, Role.OPERATOR_CLERK)
    noticed, objected = Withdrawal.Step.NOTICED, Withdrawal.Step.OBJECTED
    step_withdrawal(approval=approval, step=noticed, reason="odds altered", by=reviewer)
    with pytest.raises(NotAllowedError, match="object to the withdrawal"):
        step_withdrawal(approval=approval, step=objected, reason="no", by=clerk)
    step_withdrawal(approval=approval, step=objected, reason="not so", by=manager)


def test_holders_person_cannot_act_for_the_commission():
    maker, officer = maker_and_officer()
    approval = approved(maker, officer)
    condition = approval.conditions.get(kind=Condition.Kind.LICENSED_MAKERS)
    answer_condition(condition=condition, text="Licensed since May.", by=maker)
    step_withdrawal(
        approval=approval, step=Withdrawal.Step.NOTICED, reason="odds altered", by=officer
    )
    step_withdrawal(approval=approval, step=Withdrawal.Step.OBJECTED, reason="not so", by=maker)
    ended_membership = Membership.objects.get(person=maker)
    give_role(person=maker, party=party_for(Role.LICENSING), role=Role.LICENSING, by=None)
    administrator = person_as(Role.ADMINISTRATOR)
    for change in (
        lambda: end_role(membership=ended_membership, reason="left", by=administrator),
        str,
    ):
        with pytest.raises(NotAllowedError, match="your party filed"):
            mark_condition(condition=condition, mark=ConditionMark.Mark.MET, reason="r", by=maker)
        with pytest.raises(NotAllowedError, match="your party filed"):
            step_withdrawal(approval=approval, step=Withdrawal.Step.DROPPED, reason="r", by=maker)
        change()
    assert not condition.marks.exists()
    step_withdrawal(approval=approval, step=Withdrawal.Step.DROPPED, reason="r", by=officer)


def test_withdrawal_gives_notice_and_time_to_object():
    maker, officer = maker_and_officer()
    approval = approved(maker, officer)
    Step = Withdrawal.Step  # noqa: N806
    later = timezone.now() + timedelta(days=30)
    with pytest.raises(RefusedError, match="not noticed"):
        step_withdrawal(
            approval=approval, step=Step.FINAL, reason="r", by=officer, in_effect_from=later
        )
    step_withdrawal(approval=approval, step=Step.NOTICED, reason="odds altered", by=officer)
    with pytest.raises(NotAllowedError, match="object to the withdrawal"):
        step_withdrawal(approval=approval, step=Step.OBJECTED, reason="no", by=officer)
    step_withdrawal(approval=approval, step=Step.OBJECTED, reason="not so", by=maker)
    with pytest.raises(RefusedError, match="names the instant"):
        step_withdrawal(approval=approval, step=Step.FINAL, reason="r", by=officer)
    with pytest.raises(RefusedError, match="instant to come"):
        step_withdrawal(
            approval=approval,
            step=Step.FINAL,
            reason="r",
            by=officer,
            in_effect_from=timezone.now() - timedelta(days=1),
        )
    step_withdrawal(
        approval=approval, step=Step.FINAL, reason="judged", by=officer, in_effect_from=later
    )
    with pytest.raises(RefusedError):
        step_withdrawal(approval=approval, step=Step.DROPPED, reason="r", by=officer)


def test_comments_are_kept_with_who_made_them_for_whom():
    maker, officer = maker_and_officer()
    request = under_review(maker, officer)
    made = comment_on(
        request=request,
        text="<b>Which</b> jack?",
        by=officer,
        by_party=party_for(Role.LICENSING),
    )
    assert made.text == "<b>Which</b> jack?"
    with pytest.raises(NotAllowedError):
        comment_on(request=request, text="x", by=maker, by_party=party_for(Role.LICENSING))
    with pytest.raises(RefusedError, match="nothing in this"):
        comment_on(request=request, text=" ", by=officer, by_party=party_for(Role.LICENSING))


def test_every_state_but_the_last_ones_leads_on():
    ends = {State.CLOSED, State.APPROVED, State.DENIED, State.OBJECTED, State.TAKEN_BACK}
    led_from = {state for step in STEPS.values() for state in step.of}
    assert set(State) - led_from == ends
    request = GameRequest(state=State.SUBMITTED, path=GameRequest.Path.TRIBAL)
    assert set(steps_from(request)) == {"approve_as_agency", "deny_as_agency", "take_back"}
