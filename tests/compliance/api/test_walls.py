"""Each address of the API, tried with every key: what is not open to it is not there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from compliance.choices import Role
from compliance.models import Membership
from compliance.permissions import KeyScope
from compliance.walls import without_walls
from tests.compliance.accounts.test_addresses import NAMES, NOT_THERE
from tests.compliance.api.addresses import OPENED
from tests.compliance.api.programs import Program, key_for, maker_of, program_of
from tests.compliance.filings import filings_of
from tests.compliance.people import party_for

if TYPE_CHECKING:
    from compliance.models import Party

OF_PARTIES = [name for name, row in OPENED.items() if set(row.of) - NAMES]
LISTS = (
    *("api_hand_ins", "api_round_logs", "api_patterns", "api_findings", "api_replays"),
    *("api_questions", "api_disclosures", "api_restitution_days", "api_gambling_days"),
    *("api_work", "api_cases", "api_visits", "api_reports", "api_webhooks", "api_controls"),
    *("api_requests", "api_documents", "api_licences", "api_order_report"),
)
NOT_THE_SUPERVISORS = {(KeyScope.HAND_IN,), (KeyScope.DOCUMENTS,), (KeyScope.FILE_CONTROLS,)}
OUTSIDE = [Role.OPERATOR_MANAGER, Role.AGENCY_REVIEWER]


def things_of(party: Party, name: str) -> dict[str, Any]:
    with without_walls():
        manager = Membership.objects.filter(party=party).latest("pk").person
    return filings_of(party, manager, OPENED[name].of)


def path_of(name: str, things: dict[str, Any]) -> str:
    return reverse(name, args=[things[each] for each in OPENED[name].of])


def reach(program: Program, name: str, things: dict[str, Any]) -> Any:
    return getattr(program, OPENED[name].method)(path_of(name, things))


def seen(answer: Any) -> tuple[int, str]:
    return answer.status_code, re.sub(r"[0-9a-f-]{36}", "", answer.text)


@pytest.mark.parametrize("name", OPENED)
@pytest.mark.django_db
def test_without_a_key_nothing_opens_and_a_session_is_none(name, client):
    client.force_login(maker_of(Role.SUPERVISOR))
    path = path_of(name, NOT_THERE)
    for one in (Client(), client):
        for shown in ({}, {"Authorization": "Bearer cg_no"}, {"Authorization": "Basic eA"}):
            answer = getattr(one, OPENED[name].method)(path, headers=shown)
            assert answer.status_code == 401, shown
            assert answer.headers["WWW-Authenticate"] == 'Bearer realm="api"'
            assert answer.json()["code"] == "not_authenticated"


@pytest.mark.parametrize("name", OPENED)
@pytest.mark.django_db
def test_a_key_opens_what_one_of_its_scopes_names_and_nothing_else(name):
    other = tuple(set(KeyScope) - set(OPENED[name].by))
    things = NOT_THERE
    if other:
        for role in (Role.OPERATOR_MANAGER, Role.SUPERVISOR):
            key, secret = key_for(role, scopes=[KeyScope.CONTROLS])
            key.scopes = sorted(other)  # though nobody may make some of them
            key.save(update_fields=["scopes"])
            answer = reach(Program(secret), name, things)
            assert answer.status_code == 403
            assert all(scope in answer.json()["detail"] for scope in OPENED[name].by)
    for scope in OPENED[name].by:
        key, secret = key_for(Role.OPERATOR_MANAGER, scopes=[KeyScope.CONTROLS])
        key.scopes = [scope]
        key.save(update_fields=["scopes"])
        assert reach(Program(secret), name, things).status_code in {200, 404, 422}


@pytest.mark.parametrize("role", OUTSIDE)
@pytest.mark.parametrize("name", OF_PARTIES)
@pytest.mark.django_db
def test_what_is_anothers_looks_exactly_like_what_is_not_there(name, role):
    key, secret = key_for(role, "here")
    key.scopes = sorted(KeyScope)  # even one that nobody could make
    key.save(update_fields=["scopes"])
    program = Program(secret)
    maker_of(Role.OPERATOR_MANAGER, "there")
    theirs = things_of(party_for(Role.OPERATOR_MANAGER, "there"), name)
    with CaptureQueriesContext(connection) as queries_theirs:
        answer_theirs = reach(program, name, theirs)
    with CaptureQueriesContext(connection) as queries_nothing:
        answer_nothing = reach(program, name, NOT_THERE)
    assert answer_theirs.status_code == 404
    assert seen(answer_theirs) == seen(answer_nothing)
    assert len(queries_theirs) == len(queries_nothing)


@pytest.mark.parametrize("name", OF_PARTIES)
@pytest.mark.django_db
def test_a_key_of_the_commission_reaches_what_it_reads_of_every_party(name):
    maker_of(Role.OPERATOR_MANAGER, "there")
    things = things_of(party_for(Role.OPERATOR_MANAGER, "there"), name)
    answer = reach(program_of(Role.SUPERVISOR), name, things)
    theirs_alone = OPENED[name].by in NOT_THE_SUPERVISORS
    assert (answer.status_code in {403, 404}) == theirs_alone, answer.text


@pytest.mark.parametrize("filters", [{}, {"operator": "there"}, {"party": "there"}])
@pytest.mark.django_db
def test_no_list_and_no_filter_shows_what_is_anothers(filters):
    maker_of(Role.OPERATOR_MANAGER, "there")
    party = party_for(Role.OPERATOR_MANAGER, "there")
    of = (
        *("hand_in", "round_log", "pattern", "replay", "comparison", "disclosure", "case", "visit"),
        *("gambling_day", "controls_version", "request", "document", "licence", "report"),
        "webhook",
    )
    with without_walls():
        manager = Membership.objects.filter(party=party).latest("pk").person
    filings_of(party, manager, of)
    key, secret = key_for(Role.OPERATOR_MANAGER, "here")
    key.scopes = sorted(KeyScope)  # even one that nobody could make
    key.save(update_fields=["scopes"])
    program = Program(secret)
    for name in LISTS:
        answer = program.get(reverse(name), **filters)
        assert answer.status_code in {200, 404, 422}
        if answer.status_code == 200:
            assert answer.json() == {"items": [], "next": None}
    refused = program.get(reverse("api_round"), operator="there", round="T3-000001")
    assert refused.status_code == 404
