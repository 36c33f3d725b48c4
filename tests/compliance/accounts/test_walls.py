"""What is not yours does not exist; whoever forgets to say whose, gets nothing."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.db.models import Count
from django_scopes import ScopeError

from compliance.choices import PartyKind, Role
from compliance.models import Invitation, Membership, Party
from compliance.services.people import give_role, invite
from compliance.walls import memberships_of, visible_parties, within
from tests.compliance.people import made_party, party_for, person_as

WHO_LOOKS_OVER_THE_WALLS = {
    "compliance/services/retention.py",
    "compliance/backup/tables.py",
    "audits/management/commands/compare_replays.py",
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
    "audits/selectors/restitution_paid.py",
    "audits/selectors/round_told.py",
    "audits/selectors/segments.py",
    "audits/selectors/questions.py",
    "audits/services/abandoned.py",
    "audits/services/answers.py",
    "audits/services/cases.py",
    "audits/services/comparisons.py",
    "audits/services/day_findings.py",
    "audits/services/days.py",
    "audits/services/days_behind.py",
    "audits/services/demonstration_night.py",
    "audits/services/disclosures.py",
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
    "audits/services/restitution.py",
    "audits/services/review.py",
    "audits/services/segment_making.py",
    "audits/services/settle_replay.py",
    "audits/services/take_in.py",
    "audits/services/terms.py",
    "audits/services/visits.py",
    "audits/services/waivers.py",
    "audits/services/work.py",
    "compliance/management/commands/in_force.py",
    "compliance/models/walled.py",
    "compliance/selectors/api_keys.py",
    "compliance/selectors/games.py",
    "compliance/selectors/in_force.py",
    "compliance/selectors/limits_near_cap.py",
    "compliance/selectors/may_offer.py",
    "compliance/selectors/reading_room.py",
    "compliance/selectors/tables_in_force.py",
    "compliance/services/api_keys.py",
    "compliance/services/controls.py",
    "compliance/services/controls_draft.py",
    "compliance/services/demonstration.py",
    "compliance/services/demonstration_filings.py",
    "compliance/services/deadlines.py",
    "compliance/services/documents.py",
    "compliance/services/games.py",
    "compliance/services/notice_mails.py",
    "compliance/services/notices.py",
    "compliance/services/own_deeds.py",
    "compliance/services/parties.py",
    "compliance/services/people.py",
    "compliance/services/requests.py",
    "compliance/services/tell.py",
    "compliance/services/webhook_deliveries.py",
    "compliance/services/webhooks.py",
    "compliance/state.py",
    "compliance/verification/archive.py",
    "compliance/verification/history.py",
    "compliance/walls.py",
    "reports/management/commands/report.py",
    "reports/selectors/pdf_check.py",
    "reports/selectors/watch.py",
    "reports/services/deliveries.py",
    "reports/services/demonstration_subscriptions.py",
    "reports/services/letters.py",
    "reports/services/make.py",
    "reports/services/night_report.py",
    "reports/services/nights.py",
    "reports/services/periods.py",
    "reports/services/order_by_hand.py",
    "reports/services/subscriptions.py",
    "reports/web/reading_room/games.py",
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


@pytest.mark.django_db
def test_an_administrator_who_is_a_clerk_too_sees_no_other_partys_things():
    person_as(Role.OPERATOR_MANAGER, "there")
    both = person_as(Role.ADMINISTRATOR)
    here = party_for(Role.OPERATOR_CLERK, "here")
    give_role(person=both, party=here, role=Role.OPERATOR_CLERK, by=None)
    own = {"commission-unit", "here"}
    with within(visible_parties(memberships_of(both))):
        assert {party.code for party in Party.objects.all()} == own
        assert {held.person for held in Membership.objects.all()} == {both}


def test_only_these_look_over_the_walls():
    root = Path(settings.BASE_DIR)
    found = {
        path.relative_to(root).as_posix()
        for room in ("compliance", "audits", "reports")
        for path in (root / room).rglob("*.py")
        if re.search(r"without_walls\(|scopes_disabled\(|_base_manager", path.read_text())
    }
    assert found == WHO_LOOKS_OVER_THE_WALLS


@pytest.mark.django_db
def test_what_is_shown_to_two_of_ones_parties_is_there_once_and_counts_once():
    agency = made_party(PartyKind.TRIBAL_AGENCY, "agency")
    operation = made_party(PartyKind.TRIBAL_OPERATION, "tribal", agency)
    with within([agency.pk, operation.pk]):
        seen = Party.objects.filter(pk=operation.pk)
        assert list(seen) == [operation]
        assert [each["there"] for each in seen.values("kind").annotate(there=Count("pk"))] == [1]
