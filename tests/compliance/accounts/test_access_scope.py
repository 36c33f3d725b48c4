"""What isn't yours doesn't exist, and code that sets no access scope gets nothing."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.db.models import Count
from django_scopes import ScopeError

from compliance.access.models import Membership, Party
from compliance.access.permissions import PartyKind, Role
from compliance.access.scope import memberships_of, visible_parties, within
from compliance.people.models import Invitation
from compliance.people.writes import give_role, invite
from tests.compliance.people import made_party, party_for, person_as

pytestmark = pytest.mark.anywhere

OF_ONE_PARTY = {
    "audits/intake/filed_forms.py",
    "audits/intake/known_ids.py",
    "audits/management/options.py",
    "audits/replay/findings/months.py",
    "audits/replay/findings/queries.py",
    "audits/review/issues/activity.py",
    "audits/search/pages.py",
    "audits/search/subjects.py",
    "audits/intake/mapping/reads.py",
    "audits/intake/mapping/writes.py",
    "audits/replay/rehearsal/reads.py",
    "audits/review/nightly_run/checklist.py",
    "audits/review/nightly_run/cash.py",
    "audits/watch/alarms.py",
    "audits/watch/reads.py",
    "audits/watch/writes.py",
}
"""Each query filters by the parties or the issue that a job passes, or a page or program that may
see them; rules of a game belong to no operator."""
OF_ALL_PARTIES = {
    "audits/management/commands/duties.py": "at the console; recorded as an export",
    "audits/management/commands/watch.py": "at the console; recorded as an export",
    "audits/replay/verification.py": "compares all replays with their events",
    "audits/review/derived.py": "compares all derived rows with their files, and rebuilds them",
    "audits/review/nightly_run/verification.py": "compares all days with their events",
    "compliance/filings/games/odds.py": "a job counts the odds of every filed definition",
    "compliance/management/commands/access_review.py": "at the console; recorded as an export",
    "compliance/people/access_review.py": "lists everyone's roles for the access review",
    "compliance/project/management/commands/audit.py": "at the console",
    "compliance/verification/states.py": "compares all rows with their last events",
    "reports/documents/preview.py": "those who decide read the letter about their decision",
    "audits/replay/findings/routes.py": "where findings go is the same for all who may see them",
    "audits/replay/shelf.py": "at the console",
    "audits/review/cases/exhibits.py": "checks KEEP_CASES first",
    "audits/review/cases/investigation.py": "looks in the case that is changed",
    "audits/review/issues/regrouping.py": "checks REVIEW_FINDINGS first",
    "audits/review/nightly_run/funds.py": "the nightly run reads every operator",
    "audits/watch/rounds.py": "reads the operator whose page it is",
    "compliance/filings/definitions/drafts.py": "checks the owner first",
    "compliance/filings/letters/reads.py": "others than its agency read a letter",
    "compliance/filings/requests/condition_records.py": "compares licenses, which are public",
    "compliance/filings/requests/conditions.py": "conditions bind whom the approval binds",
    "compliance/filings/requests/document_pages.py": "those who see a request open its documents",
    "compliance/filings/suppliers/forms.py": "the names of licensed operators are public",
    "compliance/filings/suppliers/reads.py": "compares licenses, which are public",
    "compliance/mornings.py": "counts for administrators and auditors only",
    "compliance/verification/database.py": "compares all rows with their last events",
    "reports/management/commands/sample_reports.py": "at the console",
}
WHO_READS_BEYOND_THE_SCOPE = {
    *OF_ONE_PARTY,
    *OF_ALL_PARTIES,
    "compliance/retention/writes.py",
    "compliance/backup/tables.py",
    "audits/management/commands/compare_replays.py",
    "audits/management/commands/findings.py",
    "audits/management/commands/ingest.py",
    "audits/management/commands/replay.py",
    "audits/commission.py",
    "audits/review/dashboard/reads.py",
    "audits/intake/reads.py",
    "audits/review/issues/assignments.py",
    "audits/review/conditions.py",
    "audits/review/nightly_run/summary.py",
    "audits/review/nightly_run/reads.py",
    "audits/review/cases/reads.py",
    "audits/review/issues/questions.py",
    "audits/review/restitution/reads.py",
    "audits/review/rounds/explanation.py",
    "audits/intake/cleanup.py",
    "audits/review/cases/writes.py",
    "audits/replay/comparisons.py",
    "audits/review/nightly_run/writes.py",
    "audits/intake/days/writes.py",
    "audits/demonstration/night.py",
    "audits/review/disclosures/writes.py",
    "audits/intake/submission.py",
    "audits/intake/table_records/reads.py",
    "audits/intake/table_records/writes.py",
    "audits/replay/units.py",
    "audits/intake/repair.py",
    "audits/review/releases/writes.py",
    "audits/replay/writes.py",
    "audits/review/restitution/writes.py",
    "audits/review/issues/decisions.py",
    "audits/intake/segment_builder.py",
    "audits/review/issues/settling.py",
    "audits/intake/ingestion.py",
    "audits/replay/terms.py",
    "audits/review/visits/writes.py",
    "compliance/management/commands/in_effect.py",
    "compliance/access/managers.py",
    "compliance/people/access_changes.py",
    "compliance/access/reads.py",
    "compliance/filings/controls/reads.py",
    "compliance/conditions.py",
    "compliance/in_effect/reads.py",
    "compliance/in_effect/limits_near_cap.py",
    "compliance/filings/requests/reads.py",
    "compliance/in_effect/gaming_tables.py",
    "compliance/people/accounts.py",
    "compliance/notifications/writes.py",
    "compliance/people/api_keys.py",
    "compliance/filings/controls/writes.py",
    "compliance/filings/controls/drafts.py",
    "compliance/people/demonstration.py",
    "compliance/filings/demonstration.py",
    "compliance/filings/documents/writes.py",
    "compliance/events/exports.py",
    "compliance/people/writes.py",
    "compliance/filings/games/writes.py",
    "compliance/api/kept_answers.py",
    "compliance/notifications/mail.py",
    "compliance/management/commands/reencrypt_secrets.py",
    "compliance/filings/requests/writes.py",
    "compliance/notifications/webhook_deliveries.py",
    "compliance/notifications/webhooks.py",
    "compliance/events/digests.py",
    "compliance/events/states.py",
    "compliance/retention/verification.py",
    "compliance/event_log/verification.py",
    "compliance/access/scope.py",
    "reports/management/commands/report.py",
    "reports/management/commands/retry_failed.py",
    "reports/library/verification.py",
    "reports/schedules/watch.py",
    "reports/schedules/deliveries.py",
    "reports/schedules/subscriptions.py",
    "reports/schedules/orders.py",
    "reports/schedules/making.py",
    "reports/schedules/nights.py",
    "reports/schedules/periods.py",
    "reports/reading_room/pages.py",
}


@pytest.mark.django_db
@pytest.mark.parametrize("model", [Party, Membership, Invitation])
def test_a_query_without_access_scope_around_it_raises(model):
    with pytest.raises(ScopeError):
        model.objects.count()


def test_access_scope_that_say_nothing_are_refused():
    with pytest.raises(TypeError, match="visible"), within(None):
        pass


@pytest.mark.django_db
def test_within_nobodys_access_scope_there_is_nothing():
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
        assert [membership.person for membership in Membership.objects.all()] == [manager]
        assert not Invitation.objects.exists()
        assert not Party.objects.filter(code="there").exists()


@pytest.mark.django_db
def test_agency_sees_its_operations_but_not_their_people():
    reviewer = person_as(Role.AGENCY_REVIEWER, "agency")
    agency = party_for(Role.AGENCY_REVIEWER, "agency")
    made_party(PartyKind.TRIBAL_OPERATION, "casino", agency=agency)
    made_party(PartyKind.TRIBAL_OPERATION, "stranger")
    person_as(Role.OPERATOR_MANAGER, "casino")
    with within(visible_parties(memberships_of(reviewer))):
        assert {party.code for party in Party.objects.all()} == {"agency", "casino"}
        assert [membership.person for membership in Membership.objects.all()] == [reviewer]


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
def test_administrator_clerk_sees_only_own_partys_rows():
    person_as(Role.OPERATOR_MANAGER, "there")
    both = person_as(Role.ADMINISTRATOR)
    here = party_for(Role.OPERATOR_CLERK, "here")
    give_role(person=both, party=here, role=Role.OPERATOR_CLERK, by=None)
    own = {"commission-unit", "here"}
    with within(visible_parties(memberships_of(both))):
        assert {party.code for party in Party.objects.all()} == own
        assert {membership.person for membership in Membership.objects.all()} == {both}


def test_only_these_look_beyond_the_scope():
    root = Path(settings.BASE_DIR)
    found = {
        path.relative_to(root).as_posix()
        for room in ("compliance", "audits", "reports")
        for path in (root / room).rglob("*.py")
        if re.search(r"without_access_scope\(|scopes_disabled\(|_base_manager", path.read_text())
    }
    assert found == WHO_READS_BEYOND_THE_SCOPE


@pytest.mark.django_db
def test_row_shown_to_two_own_parties_counts_once():
    agency = made_party(PartyKind.TRIBAL_AGENCY, "agency")
    operation = made_party(PartyKind.TRIBAL_OPERATION, "tribal", agency)
    with within([agency.pk, operation.pk]):
        seen = Party.objects.filter(pk=operation.pk)
        assert list(seen) == [operation]
        assert [each["there"] for each in seen.values("kind").annotate(there=Count("pk"))] == [1]
