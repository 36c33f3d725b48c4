"""Cases: numbered by year, written by one person at a time, a level set by an agent alone."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from audits.review.cases.models import Case, CaseItem
from audits.review.cases.reads import prior_history
from audits.review.cases.writes import (
    Gathered,
    close_case,
    gather,
    open_case,
    recommend,
    reopen_case,
    take_out,
    write_facts,
)
from audits.review.issues.decisions import StepRequest, take_step
from compliance import clock
from compliance.access.permissions import Role
from compliance.access.scope import visible_parties, within, without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from tests.audits.queue.issues import issue_of, unit_of_agent
from tests.compliance.people import made_person, party_for, person_as

if TYPE_CHECKING:
    from compliance.access.models import Party, Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def room() -> Party:
    return party_for(Role.OPERATOR_MANAGER, "room")


@pytest.fixture
def case(agent: Person, room: Party) -> Case:
    return open_case(party=room, title="Payouts at T3", reason="Paid by the layout.", by=agent)


def test_numbers_count_within_the_year(agent, room):
    numbers = []
    for instant in (
        datetime(2025, 12, 31, 20, tzinfo=UTC),
        datetime(2026, 1, 1, 7, tzinfo=UTC),  # still the old year in Washington
        datetime(2026, 1, 1, 9, tzinfo=UTC),
    ):
        with clock.standing_at(instant):
            made = open_case(party=room, title="Payouts", reason="Seen.", by=agent)
        numbers.append(str(made))
    assert numbers == ["CR 2025-00001", "CR 2025-00002", "CR 2026-00001"]


def test_case_opens_with_title_and_reason(agent, room):
    with pytest.raises(RefusedError, match="is not an operator"):
        open_case(party=unit_of_agent(agent), title="Us", reason="Seen.", by=agent)
    with pytest.raises(RefusedError, match="title and the reason"):
        open_case(party=room, title=" ", reason="Seen.", by=agent)


def test_only_who_keeps_cases_opens_one(room):
    with pytest.raises(NotAllowedError):
        open_case(party=room, title="Mine", reason="So.", by=person_as(Role.DIRECTOR))


def test_a_case_gathers_what_is_of_its_operator(agent, room, case):
    unit = unit_of_agent(agent)
    issue = issue_of(room, seen_by=unit)
    gather(case=case, what=Gathered(kind=CaseItem.Kind.ISSUE, issue=issue), by=agent)
    gather(case=case, what=Gathered(kind=CaseItem.Kind.ROUND, round="T3-000123"), by=agent)
    other = issue_of(party_for(Role.OPERATOR_MANAGER, "other"), seen_by=unit)
    with pytest.raises(RefusedError, match="on The room, this issue on The other"):
        gather(case=case, what=Gathered(kind=CaseItem.Kind.ISSUE, issue=other), by=agent)
    with pytest.raises(RefusedError, match="Write what"):
        gather(case=case, what=Gathered(kind=CaseItem.Kind.FACT, text=" "), by=agent)
    with without_access_scope():
        assert [each.kind for each in case.items.all()] == ["issue", "round"]


def test_stale_page_overwrites_nothing_and_keeps_input(agent, case):
    write_facts(case=case, title="Payouts", facts="First.", edition=case.edition, by=agent)
    with pytest.raises(RefusedError, match="still on this page"):
        write_facts(case=case, title="Payouts", facts="Second.", edition=0, by=agent)
    with without_access_scope():
        assert Case.objects.get(pk=case.pk).facts == "First."


def test_new_case_stays_open_without_recommendation(agent, case):
    assert case.level == ""
    with pytest.raises(RefusedError, match="Recommend a level first"):
        close_case(case=case, reason="Done.", by=agent)
    with pytest.raises(RefusedError, match="A recommendation needs one"):
        recommend(case=case, level=Case.Level.WRITTEN_WARNING, reason="", by=agent)
    recommend(case=case, level=Case.Level.WRITTEN_WARNING, reason="First time.", by=agent)
    close_case(case=case, reason="Done.", by=agent)
    with without_access_scope():
        assert Case.objects.get(pk=case.pk).state == Case.State.CLOSED


def test_closed_case_accepts_nothing_until_reopened(agent, case):
    recommend(case=case, level=Case.Level.NONE, reason="Explained.", by=agent)
    close_case(case=case, reason="Done.", by=agent)
    what = Gathered(kind=CaseItem.Kind.FACT, text="More.")
    with pytest.raises(RefusedError, match="closed"):
        gather(case=case, what=what, by=agent)
    with pytest.raises(RefusedError, match="closed"):
        write_facts(case=case, title="Payouts", facts="", edition=case.edition, by=agent)
    reopen_case(case=case, reason="A new complaint.", by=agent)
    gather(case=case, what=what, by=agent)
    with pytest.raises(RefusedError, match="is open"):
        reopen_case(case=case, reason="Again.", by=agent)


def test_an_operator_sees_no_case(room, case):
    manager = made_person("manager", room, Role.OPERATOR_MANAGER)
    with without_access_scope():
        held = list(manager.memberships.all())
    with within(visible_parties(held)):
        assert not Case.objects.exists()
        assert not CaseItem.objects.exists()
    del case


def test_case_opens_with_its_subject_or_not_at_all(agent, room):
    nothing = Gathered(kind=CaseItem.Kind.COMPLAINT, text=" ")
    with pytest.raises(RefusedError, match="Write what"):
        open_case(party=room, title="Odds", reason="Told.", begins_with=nothing, by=agent)
    with without_access_scope():
        assert not Case.objects.exists()
    said = Gathered(kind=CaseItem.Kind.COMPLAINT, text="They paid me 30, the layout says 50.")
    case = open_case(party=room, title="Odds", reason="Told.", begins_with=said, by=agent)
    with without_access_scope():
        assert case.items.get().text == said.text


def test_removed_item_stays_on_file_and_can_return(agent, case):
    said = Gathered(kind=CaseItem.Kind.FACT, text="The sign was missing.")
    item = gather(case=case, what=said, by=agent)
    with pytest.raises(RefusedError, match="already"):
        gather(case=case, what=said, by=agent)
    with pytest.raises(RefusedError, match="reason is required"):
        take_out(item=item, reason=" ", by=agent)
    take_out(item=item, reason="It was of another room.", by=agent)
    with pytest.raises(RefusedError, match="already removed"):
        take_out(item=item, reason="Again.", by=agent)
    gather(case=case, what=said, by=agent)
    with without_access_scope():
        assert [hasattr(each, "removal") for each in case.items.all()] == [True, False]


def test_an_issue_that_is_referred_lies_in_its_case_once(agent, room, case):
    issue = issue_of(room, seen_by=unit_of_agent(agent))
    for _ in range(2):
        take_step(issue=issue, said=StepRequest(step="refer", reason="Often.", case=case), by=agent)
        take_step(issue=issue, said=StepRequest(step="reopen", reason="Wait."), by=agent)
    with without_access_scope():
        assert case.items.get().issue == issue
    recommend(case=case, level=Case.Level.NONE, reason="Explained.", by=agent)
    close_case(case=case, reason="Done.", by=agent)
    with pytest.raises(RefusedError, match="closed"):
        take_step(issue=issue, said=StepRequest(step="refer", reason="Often.", case=case), by=agent)


def test_stale_recommendation_page_shows_the_newer_one(agent, case):
    recommend(case=case, level=Case.Level.CHARGES, reason="Twice.", was="", by=agent)
    with pytest.raises(RefusedError, match="Administrative charges"):
        recommend(case=case, level=Case.Level.NONE, reason="Never.", was="", by=agent)
    with without_access_scope():
        stands = Case.objects.get()
    assert (stands.level, stands.level_by) == (Case.Level.CHARGES, agent.uuid)


def test_prior_history_excludes_the_case_itself(agent, room, case):
    unit = unit_of_agent(agent)
    other = party_for(Role.OPERATOR_MANAGER, "other")
    before = open_case(party=room, title="Before", reason="Seen.", by=agent)
    open_case(party=other, title="Elsewhere", reason="Seen.", by=agent)
    common = {"seen_by": unit, "state": "confirmed", "open": False, "over": 1000, "under": 200}
    here = issue_of(room, **common)
    gather(case=case, what=Gathered(kind=CaseItem.Kind.ISSUE, issue=here), by=agent)
    for table in ("T2", "T3"):
        issue_of(room, table=table, **common)
    issue_of(room, table="T4", **{**common, "state": "explained"})
    issue_of(other, **common)
    history = prior_history(room, but=case)
    assert history.cases == [before]
    [decided] = history.decided
    assert (decided["state"], decided["issues"]) == ("confirmed", 2)
    assert (decided["sum_over"], decided["sum_under"], decided["sum_rounds"]) == (2000, 400, 6)
