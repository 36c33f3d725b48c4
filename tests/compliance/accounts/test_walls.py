"""What is not yours does not exist; whoever forgets to say whose, gets nothing."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django_scopes import ScopeError

from compliance.choices import PartyKind, Role
from compliance.models import Invitation, Membership, Party
from compliance.services.people import invite
from compliance.walls import memberships_of, visible_parties, within
from tests.compliance.people import made_party, party_for, person_as

WHO_LOOKS_OVER_THE_WALLS = {
    "audits/management/commands/findings.py",
    "audits/management/commands/ingest.py",
    "audits/management/commands/replay.py",
    "audits/selectors/commission.py",
    "audits/selectors/dashboard.py",
    "audits/selectors/days.py",
    "audits/selectors/desk.py",
    "audits/selectors/night_summary.py",
    "audits/selectors/nights.py",
    "audits/selectors/prior_history.py",
    "audits/selectors/round_told.py",
    "audits/selectors/segments.py",
    "audits/selectors/questions.py",
    "audits/services/abandoned.py",
    "audits/services/answers.py",
    "audits/services/cases.py",
    "audits/services/day_findings.py",
    "audits/services/days.py",
    "audits/services/demonstration_night.py",
    "audits/services/hand_in.py",
    "audits/services/judge_share.py",
    "audits/services/ledger.py",
    "audits/services/made_good.py",
    "audits/services/night.py",
    "audits/services/pieces.py",
    "audits/services/readers.py",
    "audits/services/reading.py",
    "audits/services/register_log.py",
    "audits/services/release.py",
    "audits/services/replays.py",
    "audits/services/review.py",
    "audits/services/segment_making.py",
    "audits/services/settle_replay.py",
    "audits/services/take_in.py",
    "audits/services/terms.py",
    "audits/services/visits.py",
    "audits/services/work.py",
    "compliance/management/commands/in_force.py",
    "compliance/selectors/api_keys.py",
    "compliance/selectors/games.py",
    "compliance/selectors/in_force.py",
    "compliance/selectors/limits_near_cap.py",
    "compliance/services/api_keys.py",
    "compliance/services/controls.py",
    "compliance/services/demonstration.py",
    "compliance/services/demonstration_filings.py",
    "compliance/services/documents.py",
    "compliance/services/games.py",
    "compliance/services/parties.py",
    "compliance/services/people.py",
    "compliance/services/requests.py",
    "compliance/state.py",
    "compliance/verification/archive.py",
    "compliance/verification/history.py",
    "compliance/walls.py",
    "reports/management/commands/report.py",
    "reports/selectors/kept.py",
    "reports/selectors/pdf_check.py",
    "reports/selectors/watch.py",
    "reports/services/deliveries.py",
    "reports/services/letters.py",
    "reports/services/make.py",
    "reports/services/night_report.py",
    "reports/services/nights.py",
    "reports/services/periods.py",
    "reports/services/order_by_hand.py",
    "reports/services/subscriptions.py",
}


@pytest.mark.django_db
@pytest.mark.parametrize("model", [Party, Membership, Invitation])
def test_a_query_without_walls_around_it_raises(model):
    with pytest.raises(ScopeError):
        model.objects.count()


def test_walls_that_say_nothing_are_refused():
    with pytest.raises(TypeError, match="whose things"), within(None):
        pass


@pytest.mark.django_db
def test_within_nobodys_walls_there_is_nothing():
    person_as(Role.OPERATOR_MANAGER)
    with within([]):
        assert not Party.objects.exists()
        assert not Membership.objects.exists()


@pytest.mark.django_db
def test_a_manager_sees_the_own_party_alone():
    manager = person_as(Role.OPERATOR_MANAGER, "here")
    other = person_as(Role.OPERATOR_MANAGER, "there")
    there = party_for(Role.OPERATOR_MANAGER, "there")
    invite(party=there, role=Role.OPERATOR_CLERK, email="new@example.org", by=other)
    with within(visible_parties(memberships_of(manager))):
        assert [party.code for party in Party.objects.all()] == ["here"]
        assert [held.person for held in Membership.objects.all()] == [manager]
        assert not Invitation.objects.exists()
        assert not Party.objects.filter(code="there").exists()


@pytest.mark.django_db
def test_an_agency_is_shown_its_operations_but_not_their_people():
    reviewer = person_as(Role.AGENCY_REVIEWER, "agency")
    agency = party_for(Role.AGENCY_REVIEWER, "agency")
    made_party(PartyKind.TRIBAL_OPERATION, "casino", agency=agency)
    made_party(PartyKind.TRIBAL_OPERATION, "stranger")
    person_as(Role.OPERATOR_MANAGER, "casino")
    with within(visible_parties(memberships_of(reviewer))):
        assert {party.code for party in Party.objects.all()} == {"agency", "casino"}
        assert [held.person for held in Membership.objects.all()] == [reviewer]


@pytest.mark.django_db
def test_an_agent_sees_every_party_once():
    agent = person_as(Role.AGENT)
    agency = made_party(PartyKind.TRIBAL_AGENCY, "agency")
    made_party(PartyKind.TRIBAL_OPERATION, "casino", agency=agency)
    with within(visible_parties(memberships_of(agent))):
        assert sorted(party.code for party in Party.objects.all()) == [
            "agency",
            "casino",
            "commission-unit",
        ]


def test_only_these_look_over_the_walls():
    root = Path(settings.BASE_DIR)
    found = {
        path.relative_to(root).as_posix()
        for room in ("compliance", "audits", "reports")
        for path in (root / room).rglob("*.py")
        if re.search(r"without_walls\(|scopes_disabled\(|_base_manager", path.read_text())
    }
    assert found == WHO_LOOKS_OVER_THE_WALLS
