"""Internal controls from draft to visit, with every refusal on the way."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from compliance import clock
from compliance.access.models import Membership
from compliance.access.permissions import KeyScope, PartyKind, Role
from compliance.access.scope import memberships_of, visible_parties, within, without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.digests import state_digest
from compliance.events.models import Event
from compliance.filings.controls.drafts import save_part
from compliance.filings.controls.models import ControlsFiling, ControlsVersion
from compliance.filings.controls.reads import find_controls_version, find_problems
from compliance.filings.controls.writes import (
    NotReadyError,
    comment_on_controls,
    deny_controls,
    note_visit,
    return_controls,
    step_controls_withdrawal,
    submit_controls,
    withdraw_controls,
)
from compliance.filings.controls.writes import approve_controls as approve
from compliance.filings.requests.models import Approval, Withdrawal
from compliance.people.api_keys import make_key
from compliance.people.writes import end_role, give_role
from tests.compliance.controls.examples import changed
from tests.compliance.controls.filing import (
    at_table_two,
    bring_into_effect,
    only_pyramid,
    submitted,
)
from tests.compliance.people import made_party, party_for, person_as, with_second_factor

pytestmark = pytest.mark.django_db
State = ControlsFiling.State


@pytest.fixture(autouse=True)
def _beyond_the_scope():
    with without_access_scope():
        yield


@pytest.fixture
def manager():
    return person_as(Role.OPERATOR_MANAGER, "room")


@pytest.fixture
def officer():
    return person_as(Role.LICENSING)


def state(version):
    return ControlsFiling.objects.get(version=version).state


def test_what_is_not_ready_is_not_submitted(manager):
    with pytest.raises(NotReadyError) as refused:
        submitted(manager, changed("texts/tips", ""))
    assert [problem.place for problem in refused.value.problems] == ["texts.tips"]
    assert not ControlsVersion.objects.exists()


def test_a_version_is_approved_in_writing_and_takes_effect(manager, officer):
    version = submitted(manager)
    approval = bring_into_effect(version, officer, timezone.now() + timedelta(days=1))
    assert approval.kind == Approval.Kind.COMMISSION
    assert state(version) == State.APPROVED
    note_visit(version=version, as_approved=True, note="", by=person_as(Role.AGENT))
    assert Event.objects.filter(type="controls.visited").count() == 1


@pytest.fixture
def swap(manager, officer):
    """Return a version that moves the game to another table, alongside the one in effect."""
    with clock.standing_at(timezone.now() - timedelta(days=3)):
        former = submitted(manager)
    with clock.standing_at(timezone.now() - timedelta(days=2)):
        bring_into_effect(former, officer, timezone.now() - timedelta(days=1))
    return submitted(manager, at_table_two(), games_swap_only=True)


def test_only_a_game_swap_is_approved_verbally(manager, officer, swap):
    version = swap
    since, seen = timezone.now() + timedelta(hours=1), state_digest(version)
    spoken = approve(version=version, seen=seen, in_effect_from=since, by=officer, verbally=True)
    assert (spoken.kind, state(version)) == (Approval.Kind.VERBAL, State.APPROVED_VERBALLY)
    approve(version=version, seen=seen, in_effect_from=since, by=officer)
    assert state(version) == State.APPROVED
    other = submitted(manager, changed("submission_hours", 8))
    with pytest.raises(RefusedError, match="Only a swap of games"):
        approve(
            version=other,
            seen=state_digest(other),
            in_effect_from=since,
            by=officer,
            verbally=True,
        )


def test_more_than_a_swap_of_games_is_not_submitted_as_one(manager, officer, swap):
    """WAC 230-15-440(2) lets only a swap of games begin on notice."""
    withdraw_controls(version=swap, reason="Another way.", by=manager)
    wider = at_table_two()
    wider["submission_hours"] = 4
    dearer = only_pyramid()
    dearer["games"]["pyramid-poker"]["tables"]["T1"]["main"] = [500, 30_000]
    for content in (wider, dearer):
        with pytest.raises(RefusedError, match="this is no swap of games"):
            submitted(manager, content, games_swap_only=True)
    assert submitted(manager, wider).games_swap_only is False


def test_where_nothing_is_in_effect_nothing_is_swapped(manager):
    with pytest.raises(RefusedError, match="nothing is in effect"):
        submitted(manager, games_swap_only=True)


def test_verbal_approval_lasts_until_withdrawn(officer, swap):
    version = swap
    since, seen = timezone.now() + timedelta(hours=1), state_digest(version)
    approve(version=version, seen=seen, in_effect_from=since, by=officer, verbally=True)
    for refuse in (
        lambda: deny_controls(version=version, reason="Not as said.", by=officer),
        lambda: return_controls(version=version, reason="Not as said.", days=5, by=officer),
    ):
        with pytest.raises(RefusedError, match="ends by its withdrawal"):
            refuse()
    assert state(version) == State.APPROVED_VERBALLY
    ends = since + timedelta(days=1)
    for step, at in ((Withdrawal.Step.NOTICED, None), (Withdrawal.Step.FINAL, ends)):
        step_controls_withdrawal(
            version=version, step=step, reason="Not as said.", by=officer, in_effect_from=at
        )
    assert state(version) == State.WITHDRAWN
    before, after = ends - timedelta(seconds=1), ends
    assert find_controls_version(operator=version.operator, at=before) == version
    assert find_controls_version(operator=version.operator, at=after).number == 1


def test_returned_version_keeps_comments_and_due_day(manager, officer):
    version = submitted(manager)
    comment_on_controls(
        version=version,
        section="games",
        text="T1 is not on your floor plan.",
        by=officer,
        by_party=party_for(Role.LICENSING),
    )
    return_controls(version=version, reason="see the comment", days=30, by=officer)
    filing = ControlsFiling.objects.get()
    assert filing.state == State.RETURNED
    assert filing.due > timezone.localdate() + timedelta(days=29)
    with pytest.raises(RefusedError, match="cannot become approved"):
        bring_into_effect(version, officer, timezone.now())
    assert submitted(manager, changed("submission_hours", 8)).number == 2


def test_refusals_on_the_way_to_an_approval(manager, officer):
    version = submitted(manager)
    now, seen = timezone.now() + timedelta(seconds=1), state_digest(version)
    with pytest.raises(RefusedError, match="not what is on file"):
        approve(version=version, seen="0" * 64, in_effect_from=now, by=officer)
    with pytest.raises(RefusedError, match="no earlier than it was submitted"):
        approve(version=version, seen=seen, in_effect_from=now - timedelta(days=9), by=officer)
    with pytest.raises(NotAllowedError):
        approve(version=version, seen=seen, in_effect_from=now, by=manager)
    give_role(person=officer, party=version.operator, role=Role.OPERATOR_CLERK, by=None)
    with pytest.raises(NotAllowedError, match="your party filed"):
        approve(version=version, seen=seen, in_effect_from=now, by=officer)
    assert state(version) == State.SUBMITTED


def test_submitter_cannot_decide_in_a_later_role(manager):
    version = submitted(manager)
    ended_membership = Membership.objects.get(person=manager)
    end_role(membership=ended_membership, reason="left the room", by=person_as(Role.ADMINISTRATOR))
    give_role(person=manager, party=party_for(Role.LICENSING), role=Role.LICENSING, by=None)
    now, seen = timezone.now() + timedelta(seconds=1), state_digest(version)
    with pytest.raises(NotAllowedError, match="your party filed"):
        approve(version=version, seen=seen, in_effect_from=now, by=manager)
    with pytest.raises(NotAllowedError, match="your party filed"):
        deny_controls(version=version, reason="No.", by=manager)
    assert state(version) == State.SUBMITTED


def test_key_owner_cannot_decide_in_a_later_role(manager):
    room = party_for(Role.OPERATOR_MANAGER, "room")
    with_second_factor(manager)
    key, _ = make_key(
        party=room, name="Filing", scopes=[KeyScope.FILE_CONTROLS], networks=(), days=1, by=manager
    )
    version = submit_controls(operator=room, content=only_pyramid(), by=key)
    ended_membership = Membership.objects.get(person=manager)
    end_role(membership=ended_membership, reason="left the room", by=person_as(Role.ADMINISTRATOR))
    give_role(person=manager, party=party_for(Role.LICENSING), role=Role.LICENSING, by=None)
    with pytest.raises(NotAllowedError, match="your party filed"):
        bring_into_effect(version, manager, timezone.now() + timedelta(seconds=1))
    assert state(version) == State.SUBMITTED


def test_an_approval_names_the_party_whose_role_allowed_it(manager):
    supplier = person_as(Role.SUPPLIER, "formerly")
    give_role(person=supplier, party=party_for(Role.LICENSING), role=Role.LICENSING, by=None)
    approval = bring_into_effect(
        submitted(manager), supplier, timezone.now() + timedelta(seconds=1)
    )
    assert approval.by_party == party_for(Role.LICENSING)


def test_one_controls_version_is_reviewed_at_a_time(manager, officer):
    version = submitted(manager)
    with pytest.raises(RefusedError, match="under review"):
        submitted(manager, changed("submission_hours", 8))
    withdraw_controls(version=version, reason="a slip", by=manager)
    with pytest.raises(RefusedError, match="nothing has changed"):
        submitted(manager)
    again = submitted(manager, changed("submission_hours", 8))
    deny_controls(version=again, reason="no surveillance", by=officer)
    assert [state(version), state(again)] == [State.WITHDRAWN, State.DENIED]


def test_a_visit_that_found_a_difference_says_which(manager, officer):
    version = submitted(manager)
    with pytest.raises(RefusedError, match="what was not as approved"):
        note_visit(version=version, as_approved=False, note=" ", by=person_as(Role.AGENT))


def test_clerk_and_supplier_write_but_do_not_submit(manager):
    clerk = person_as(Role.OPERATOR_CLERK, "room")
    with pytest.raises(NotAllowedError):
        submitted(clerk)
    with pytest.raises(NotAllowedError):
        save_part(
            operator=party_for(Role.OPERATOR_MANAGER, "room"),
            part="tips",
            value="x",
            seen="",
            by=person_as(Role.SUPPLIER),
        )


def test_another_operators_controls_are_nowhere(manager):
    submitted(manager)
    rival = person_as(Role.OPERATOR_MANAGER, "rival")
    with within(visible_parties(memberships_of(rival))):
        assert not ControlsVersion.objects.exists()
        assert not ControlsFiling.objects.exists()
    with pytest.raises(NotAllowedError):
        submit_controls(
            operator=party_for(Role.OPERATOR_MANAGER, "room"), content=only_pyramid(), by=rival
        )


def test_tribal_controls_follow_the_compact(officer):
    operation = made_party(PartyKind.TRIBAL_OPERATION, "casino")
    content = changed("games/pyramid-poker/tables/T1/main", [500, 50_000])
    del content["games"]["pick-2-poker"]
    assert find_problems(operation, content, timezone.localdate()) == []
