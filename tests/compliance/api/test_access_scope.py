"""Each address of the API, tried with every key: what a key doesn't open doesn't exist."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from compliance.access.permissions import KeyScope, Role
from tests.compliance.accounts.test_addresses import NAMES, NOT_THERE
from tests.compliance.api.addresses import OPENED
from tests.compliance.api.programs import Program, key_for, maker_of, program_of
from tests.compliance.filings import NO_FILINGS, filings_of
from tests.compliance.people import party_for

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

pytestmark = pytest.mark.anywhere

OF_PARTIES = [name for name, row in OPENED.items() if set(row.of) - NAMES]
LISTS = (
    *("api_submissions", "api_round_logs", "api_issues", "api_findings", "api_replays"),
    *("api_questions", "api_disclosures", "api_restitution_days", "api_gambling_days"),
    *("api_work", "api_cases", "api_visits", "api_reports", "api_webhooks", "api_controls"),
    *("api_requests", "api_documents", "api_licenses", "api_order_report"),
)
NOT_THE_SUPERVISORS = {(KeyScope.SUBMISSION,), (KeyScope.DOCUMENTS,), (KeyScope.FILE_CONTROLS,)}
OUTSIDE = [Role.OPERATOR_MANAGER, Role.AGENCY_REVIEWER]


def things_there(names: Collection[str] = tuple(NO_FILINGS)) -> dict[str, Any]:
    """Create one of each object that an address names, at another party."""
    manager = maker_of(Role.OPERATOR_MANAGER, "there")
    return filings_of(party_for(Role.OPERATOR_MANAGER, "there"), manager, names)


def program_with(role: Role, scopes: Collection[KeyScope], code: str | None = None) -> Program:
    """Return a program with a key of these scopes, even if nobody of the role could create it."""
    key, secret = key_for(role, code, scopes=[KeyScope.CONTROLS])
    key.scopes = sorted(scopes)
    key.save(update_fields=["scopes"])
    return Program(secret)


def each_undone(names: Iterable[str]) -> Iterator[str]:
    """Go through addresses, undoing what was done at one before the next."""
    for name in names:
        with transaction.atomic():
            yield name
            transaction.set_rollback(True)


def path_of(name: str, things: dict[str, Any]) -> str:
    return reverse(name, args=[things[each] for each in OPENED[name].of])


def reach(program: Program, name: str, things: dict[str, Any]) -> Any:
    return getattr(program, OPENED[name].method)(path_of(name, things))


def seen(answer: Any) -> tuple[int, str]:
    return answer.status_code, re.sub(r"[0-9a-f-]{36}", "", answer.text)


@pytest.mark.django_db
def test_without_a_key_nothing_opens_and_a_session_is_none(client):
    client.force_login(maker_of(Role.SUPERVISOR))
    for name in OPENED:
        path = path_of(name, NOT_THERE)
        for one in (Client(), client):
            for shown in ({}, {"Authorization": "Bearer cg_no"}, {"Authorization": "Basic eA"}):
                answer = getattr(one, OPENED[name].method)(path, headers=shown)
                assert answer.status_code == 401, (name, shown)
                assert answer.headers["WWW-Authenticate"] == 'Bearer realm="api"', name
                assert answer.json()["code"] == "not_authenticated", name


@pytest.mark.parametrize("role", [Role.OPERATOR_MANAGER, Role.SUPERVISOR])
@pytest.mark.django_db
def test_a_key_without_its_scope_does_not_open_an_address(role):
    programs = {
        opened.by: program_with(role, set(KeyScope) - set(opened.by)) for opened in OPENED.values()
    }
    for name in each_undone(OPENED):
        if set(OPENED[name].by) == set(KeyScope):
            continue
        answer = reach(programs[OPENED[name].by], name, NOT_THERE)
        assert answer.status_code == 403, name
        assert all(scope in answer.json()["detail"] for scope in OPENED[name].by), name


@pytest.mark.django_db
def test_a_key_opens_what_one_of_its_scopes_names():
    programs = {scope: program_with(Role.OPERATOR_MANAGER, [scope]) for scope in KeyScope}
    for name in each_undone(OPENED):
        for scope in OPENED[name].by:
            answer = reach(programs[scope], name, NOT_THERE)
            assert answer.status_code in {200, 404, 422}, (name, scope)


@pytest.mark.parametrize("role", OUTSIDE)
@pytest.mark.django_db
def test_foreign_object_looks_like_a_missing_one(role):
    program = program_with(role, set(KeyScope), "here")
    theirs = things_there()
    for name in each_undone(OF_PARTIES):
        with CaptureQueriesContext(connection) as queries_theirs:
            answer_theirs = reach(program, name, theirs)
        with CaptureQueriesContext(connection) as queries_nothing:
            answer_nothing = reach(program, name, NOT_THERE)
        assert answer_theirs.status_code == 404, name
        assert seen(answer_theirs) == seen(answer_nothing), name
        assert len(queries_theirs) == len(queries_nothing), name


@pytest.mark.django_db
def test_commission_key_reads_every_party_it_may_read():
    program = program_of(Role.SUPERVISOR)
    things = things_there()
    for name in each_undone(OF_PARTIES):
        answer = reach(program, name, things)
        theirs_alone = OPENED[name].by in NOT_THE_SUPERVISORS
        assert (answer.status_code in {403, 404}) == theirs_alone, (name, answer.text)


@pytest.mark.parametrize("filters", [{}, {"operator": "there"}, {"party": "there"}])
@pytest.mark.django_db
def test_no_list_and_no_filter_shows_what_is_anothers(filters):
    things_there()
    program = program_with(Role.OPERATOR_MANAGER, set(KeyScope), "here")
    for name in LISTS:
        answer = program.get(reverse(name), **filters)
        assert answer.status_code in {200, 404, 422}
        if answer.status_code == 200:
            body = answer.json()
            assert body.pop("not_searched", 0) == 0
            assert body == {"items": [], "next": None}
    refused = program.get(reverse("api_round"), operator="there", round="T3-000001")
    assert refused.status_code == 404
