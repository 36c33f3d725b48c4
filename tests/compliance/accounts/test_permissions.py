"""Who may do what, cell by cell. The expected table is written here by hand, from the roles."""

import pytest

from compliance.access.models import Membership
from compliance.access.permissions import (
    ROLES_OF_ACTION,
    SECOND_FACTOR_ROLES,
    Action,
    PartyKind,
    Role,
    may,
    needs_second_factor,
)
from compliance.access.reads import require
from compliance.access.scope import memberships_of, without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.people.access_changes import end_persons_role
from compliance.people.writes import end_role, give_role, invite
from tests.compliance.people import made_party, made_person, party_for, person_as

pytestmark = pytest.mark.anywhere

OPERATOR = {Role.OPERATOR_MANAGER}
OUTSIDE = {Role.OPERATOR_MANAGER, Role.SUPPLIER, Role.AGENCY_REVIEWER}
FIELD = {Role.AGENT, Role.SUPERVISOR}
OFFICE = {Role.LICENSING, Role.FINANCIAL_INVESTIGATIONS, Role.DIRECTOR, Role.AUDITOR}
EXPECTED = {
    Action.SEE_PEOPLE: OUTSIDE | FIELD | OFFICE | {Role.ADMINISTRATOR},
    Action.MANAGE_PEOPLE: OUTSIDE | {Role.ADMINISTRATOR},
    Action.CLOSE_ACCOUNTS: {Role.ADMINISTRATOR},
    Action.SEE_OWN_ACCOUNT: OUTSIDE | {Role.OPERATOR_CLERK} | FIELD | OFFICE | {Role.ADMINISTRATOR},
    Action.CONFIRM_ACCESS: OUTSIDE | {Role.SUPERVISOR, Role.DIRECTOR, Role.ADMINISTRATOR},
    Action.CONFIRM_ACTS: FIELD | {Role.LICENSING, Role.DIRECTOR},
    Action.REGISTER_PARTY: {Role.LICENSING, Role.ADMINISTRATOR},
    Action.READ_EVENTS: OUTSIDE | FIELD | OFFICE,
    Action.READ_EVERY_EVENT: {Role.SUPERVISOR, Role.DIRECTOR, Role.AUDITOR},
    Action.EXPORT_EVENTS: {Role.DIRECTOR, Role.AUDITOR},
    Action.SEE_FILINGS: OUTSIDE | {Role.OPERATOR_CLERK} | FIELD | OFFICE,
    Action.SEE_CONTROLS: {
        Role.OPERATOR_MANAGER,
        Role.OPERATOR_CLERK,
        Role.AGENCY_REVIEWER,
        *FIELD,
        *OFFICE,
    },
    Action.FILE_DOCUMENTS: OUTSIDE | {Role.OPERATOR_CLERK, Role.LICENSING},
    Action.FILE_GAMES: {Role.SUPPLIER, Role.LICENSING},
    Action.REQUEST_APPROVAL: {Role.SUPPLIER, Role.OPERATOR_MANAGER, Role.LICENSING},
    Action.REVIEW_GAMES: {Role.LICENSING},
    Action.COMMENT_ON_REQUESTS: OUTSIDE
    | {Role.OPERATOR_CLERK, Role.LICENSING, Role.FINANCIAL_INVESTIGATIONS, Role.DIRECTOR}
    | FIELD,
    Action.REVIEW_INTERESTS: {Role.FINANCIAL_INVESTIGATIONS},
    Action.APPROVE_GAMES: {Role.LICENSING, Role.DIRECTOR},
    Action.OBJECT_TO_WITHDRAWAL: {Role.SUPPLIER, Role.OPERATOR_MANAGER},
    Action.ANSWER_CONDITIONS: {Role.SUPPLIER, Role.OPERATOR_MANAGER},
    Action.DECIDE_AS_AGENCY: {Role.AGENCY_REVIEWER},
    Action.SEE_QUEUES: FIELD | {Role.LICENSING, Role.FINANCIAL_INVESTIGATIONS, Role.DIRECTOR},
    Action.ASSIGN_FILINGS: {Role.SUPERVISOR, Role.LICENSING, Role.DIRECTOR},
    Action.WRITE_CONTROLS: {Role.OPERATOR_MANAGER, Role.OPERATOR_CLERK},
    Action.SUBMIT_CONTROLS: {Role.OPERATOR_MANAGER},
    Action.REVIEW_CONTROLS: FIELD | {Role.LICENSING},
    Action.COMMENT_ON_CONTROLS: OPERATOR | {Role.OPERATOR_CLERK, Role.LICENSING} | FIELD,
    Action.APPROVE_CONTROLS: {Role.SUPERVISOR, Role.LICENSING, Role.DIRECTOR},
    Action.VISIT: FIELD,
    Action.KEEP_LICENSES: {Role.LICENSING},
    Action.KEEP_LAW: {Role.LICENSING, Role.DIRECTOR},
    Action.SUBMIT_ROUNDS: OPERATOR | {Role.OPERATOR_CLERK},
    Action.SEE_ROUNDS: OPERATOR | {Role.OPERATOR_CLERK} | FIELD | OFFICE,
    Action.REPLAY: FIELD,
    Action.SEE_FINDINGS: FIELD | OFFICE,
    Action.SEE_RELEASED: OPERATOR | {Role.OPERATOR_CLERK, Role.AGENCY_REVIEWER} | FIELD | OFFICE,
    Action.RELEASE_FINDINGS: FIELD,
    Action.SEE_REPORTS: OUTSIDE | {Role.OPERATOR_CLERK} | FIELD | OFFICE,
    Action.SEND_REPORTS: OUTSIDE | {Role.SUPERVISOR, Role.DIRECTOR},
    Action.REVIEW_FINDINGS: FIELD,
    Action.ASSIGN_FINDINGS: {Role.SUPERVISOR},
    Action.KEEP_CASES: FIELD,
    Action.CONFIRM_RESTITUTION: OPERATOR | {Role.OPERATOR_CLERK},
    Action.DISCLOSE: OPERATOR | {Role.OPERATOR_CLERK},
    Action.SEE_DISCLOSURES: OPERATOR | {Role.OPERATOR_CLERK} | FIELD | OFFICE,
    Action.ANSWER_QUESTIONS: OPERATOR | {Role.OPERATOR_CLERK},
    Action.KEEP_HOLDS: {Role.SUPERVISOR, Role.DIRECTOR},
    Action.MANAGE_KEYS: OUTSIDE | {Role.SUPERVISOR, Role.ADMINISTRATOR},
    Action.SEE_OPERATIONS: {*FIELD, *OFFICE, Role.ADMINISTRATOR},
    Action.RETRY_EMAIL: {Role.SUPERVISOR, Role.DIRECTOR, Role.ADMINISTRATOR},
}


def test_every_action_has_its_row():
    assert set(ROLES_OF_ACTION) == set(Action) == set(EXPECTED)


@pytest.mark.django_db
@pytest.mark.parametrize("role", Role)
def test_each_cell_of_a_roles_column_holds(role):
    ended_membership = memberships_of(person_as(role))
    allowed = {action for action in Action if may(ended_membership, action, party_for(role))}
    assert allowed == {action for action in Action if role in EXPECTED[action]}


@pytest.mark.django_db
@pytest.mark.parametrize("role", Role)
def test_role_in_another_party_comes_only_from_commission(role):
    ended_membership = memberships_of(person_as(role))
    elsewhere = made_party(PartyKind(party_for(role).kind), "elsewhere")
    of_commission = role not in {Role.OPERATOR_CLERK} | OUTSIDE
    expected = {action for action in Action if of_commission and role in EXPECTED[action]}
    assert {action for action in Action if may(ended_membership, action, elsewhere)} == expected


@pytest.mark.django_db
def test_a_role_that_has_ended_allows_nothing():
    manager = person_as(Role.OPERATOR_MANAGER)
    administrator = person_as(Role.ADMINISTRATOR)
    with without_access_scope():
        ended_membership = Membership.objects.get(person=manager)
    end_role(membership=ended_membership, reason="left the house", by=administrator)
    with pytest.raises(NotAllowedError, match="not open to your role"):
        require(manager, Action.MANAGE_PEOPLE, party_for(Role.OPERATOR_MANAGER))


@pytest.mark.django_db
@pytest.mark.parametrize("role", Role)
def test_agents_approvers_administrators_need_second_factor(role):
    owes = role not in {Role.OPERATOR_CLERK, Role.SUPPLIER}
    assert (role in SECOND_FACTOR_ROLES) == owes
    assert needs_second_factor(memberships_of(person_as(role))) == owes


@pytest.mark.django_db
def test_nobody_gives_themselves_a_role():
    manager = person_as(Role.OPERATOR_MANAGER)
    home = party_for(Role.OPERATOR_MANAGER)
    with pytest.raises(NotAllowedError, match="give yourself"):
        give_role(person=manager, party=home, role=Role.OPERATOR_CLERK, by=manager)


@pytest.mark.django_db
def test_a_role_is_given_only_where_it_exists():
    administrator = person_as(Role.ADMINISTRATOR)
    with pytest.raises(RefusedError, match="Special agent is not a role in a card room"):
        give_role(
            person=made_person("another"),
            party=party_for(Role.OPERATOR_CLERK),
            role=Role.AGENT,
            by=administrator,
        )


@pytest.mark.django_db
def test_clerk_cannot_invite_and_manager_only_own_party():
    clerk = person_as(Role.OPERATOR_CLERK)
    manager = person_as(Role.OPERATOR_MANAGER)
    home = party_for(Role.OPERATOR_CLERK)
    elsewhere = made_party(PartyKind(home.kind), "elsewhere")
    for by, party in ((clerk, home), (manager, elsewhere)):
        with pytest.raises(NotAllowedError):
            invite(party=party, role=Role.OPERATOR_CLERK, email="new@example.org", by=by)


@pytest.mark.django_db
def test_the_last_administrator_cannot_leave():
    first = person_as(Role.ADMINISTRATOR)
    with without_access_scope():
        ended_membership = Membership.objects.get(person=first)
    with pytest.raises(RefusedError, match="last administrator"):
        end_persons_role(membership=ended_membership, reason="tired", by=first)


@pytest.mark.django_db
def test_a_role_ends_with_a_reason_and_once():
    administrator = person_as(Role.ADMINISTRATOR)
    clerk = person_as(Role.OPERATOR_CLERK)
    with without_access_scope():
        ended_membership = Membership.objects.select_related("party", "person").get(person=clerk)
    with pytest.raises(RefusedError, match="Say why"):
        end_role(membership=ended_membership, reason="  ", by=administrator)
    end_role(membership=ended_membership, reason="moved away", by=administrator)
    with pytest.raises(RefusedError, match="ended before"):
        end_role(membership=ended_membership, reason="moved away", by=administrator)
