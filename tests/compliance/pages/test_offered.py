"""A filing offers what its reader may do: by role, state by state, in both directions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from django.db import transaction
from django.urls import resolve, reverse

from compliance.access.permissions import ROLES_OF_ACTION, Action, PartyKind, Role
from compliance.access.scope import without_access_scope
from compliance.events.digests import state_digest
from compliance.filings.controls.actions import ACTIONS
from compliance.filings.controls.models import ControlsVersion
from compliance.filings.controls.writes import submit_controls
from compliance.filings.requests.models import GameRequest
from compliance.filings.requests.steps import STEPS, steps_from
from compliance.filings.requests.writes import approve_request, submit_request, take_step
from compliance.people.writes import give_role
from tests.compliance.controls.filing import only_pyramid
from tests.compliance.games.filing import asked, filed_rules, readings
from tests.compliance.pages.browsing import browser_of, check_and_post, hidden, words
from tests.compliance.people import made_party, made_person, party_for, person_as

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client

    from compliance.access.models import Person

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
FORM = re.compile(r'<form[^>]*action="(/(?:requests|controls)/[^"]+)"')
CODES = {
    Role.SUPPLIER: "maker",
    Role.OPERATOR_MANAGER: "casino",
    Role.OPERATOR_CLERK: "casino",
    Role.AGENCY_REVIEWER: "agency",
}
FILERS = {Role.SUPPLIER, Role.OPERATOR_MANAGER}


@pytest.fixture
def people() -> dict[Role, Person]:
    agency = made_party(PartyKind.TRIBAL_AGENCY, "agency")
    made_party(PartyKind.TRIBAL_OPERATION, "casino", agency=agency)
    return {role: person_as(role, CODES.get(role)) for role in Role if role != Role.ADMINISTRATOR}


@pytest.fixture
def browsers(people: dict[Role, Person]) -> dict[Role, Client]:
    return {role: browser_of(person) for role, person in people.items()}


def offered(client: Client, page: str) -> set[str]:
    """Return the names of the addresses that a page's forms post to."""
    answer = client.get(page)
    if answer.status_code == 404:
        return set()
    return {str(resolve(found).url_name) for found in FORM.findall(answer.text)}


def pressed(client: Client, page: str, name: str, uuid: Any) -> int:
    """Send a form as it is on the page, filled in, and roll everything back."""
    prefix = name.partition("_")[2]
    fields = {f"{prefix}-{field}": "Because." for field in ("reason", "text", "note")}
    fields |= {
        f"{prefix}-section": "whole" if "request" in name else "tips",
        f"{prefix}-days": "30",
    }
    shown = client.get(page)
    if f'name="{prefix}-seen"' in shown.text:
        fields[f"{prefix}-seen"] = hidden(shown, f"{prefix}-seen")
        fields[f"{prefix}-in_effect_from"] = "2199-01-01 06:00"
    for field, reading in re.findall(
        r'name="(approve-reading_[^"]+)"[^>]* value="([^"]+)"', shown.text
    ):
        fields |= {field: reading, field.replace("reading", "reason"): "Because."}
    with transaction.atomic():
        answer = check_and_post(client, reverse(name, args=[uuid]), fields)
        transaction.set_rollback(True)
    assert answer.status_code == 302, f"{name}: {words(answer)}"
    return answer.status_code


def requests_on_the_way(people: dict[Role, Person]) -> Iterator[GameRequest]:
    """Yield two requests, on either path, in each state that leads on."""
    maker, officer = people[Role.SUPPLIER], people[Role.LICENSING]
    version = filed_rules(maker)
    request = asked(maker, version)
    yield request
    take_step(request=request, name="miss", reason="A layout.", by=officer)
    yield request
    take_step(request=request, name="supply", reason="Here.", by=maker)
    take_step(request=request, name="review", reason="Whole.", by=officer)
    yield request
    take_step(request=request, name="ask_interests", reason="A holder.", by=officer)
    yield request
    investigator = people[Role.FINANCIAL_INVESTIGATIONS]
    take_step(request=request, name="clear_interests", reason="Clean.", by=investigator)
    seen = state_digest(version)
    approve_request(request=request, seen=seen, interpretations=readings(version), by=officer)
    with without_access_scope():
        casino = party_for(Role.OPERATOR_MANAGER, "casino")
    manager, reviewer = people[Role.OPERATOR_MANAGER], people[Role.AGENCY_REVIEWER]
    request = submit_request(
        rule_version=version, path=GameRequest.Path.TRIBAL, asked_by=casino, by=manager
    )
    yield request
    approve_request(request=request, seen=seen, by=reviewer)
    yield request
    take_step(request=request, name="seek_concurrence", reason="Please.", by=reviewer)
    yield request


def test_request_offers_each_role_its_own_steps(people, browsers):
    for request in requests_on_the_way(people):
        page = reverse("request", args=[request.uuid])
        filer = request.asked_by.code
        for role, client in browsers.items():
            inside = CODES.get(role) in {None, filer}
            allowed = {
                f"request_{name}"
                for name, step in steps_from(request).items()
                if role in ROLES_OF_ACTION[step.action]
                and (inside or step.action == Action.DECIDE_AS_AGENCY)
                and (step.action != Action.REQUEST_APPROVAL or role in FILERS)
            }
            found = offered(client, page)
            steps = found & {f"request_{name}" for name in STEPS}
            assert steps == allowed, (request.get_state_display(), role)
            sees = inside or (role == Role.AGENCY_REVIEWER and filer == "casino")
            comments = sees and role in ROLES_OF_ACTION[Action.COMMENT_ON_REQUESTS]
            assert ("request_comment" in found) == comments, (request.state, role)
            for name in steps - {"request_close"}:  # its day hasn't come
                assert pressed(client, page, name, request.uuid)


def test_controls_offer_each_role_its_own_steps(people, browsers):
    with without_access_scope():
        casino = party_for(Role.OPERATOR_MANAGER, "casino")
    version = submit_controls(
        operator=casino, content=only_pyramid(), by=people[Role.OPERATOR_MANAGER]
    )
    page = reverse("controls_version", args=[version.uuid])
    with without_access_scope():
        state = ControlsVersion.objects.get().filing.state
    for role, client in browsers.items():
        inside = CODES.get(role) in {None, "casino"}
        allowed = {
            f"controls_{name}"
            for name, action in ACTIONS.items()
            if inside and action.is_open(state, ()) and role in ROLES_OF_ACTION[action.action]
        }
        assert offered(client, page) == allowed, role
        for name in allowed:
            assert pressed(client, page, name, version.uuid)


def test_own_partys_filings_offer_no_decision(people):
    maker, officer = people[Role.SUPPLIER], people[Role.LICENSING]
    request = asked(maker, filed_rules(maker))
    investigator = people[Role.FINANCIAL_INVESTIGATIONS]
    give_role(
        person=investigator, party=party_for(Role.SUPPLIER, "maker"), role=Role.SUPPLIER, by=None
    )
    for step in ("review", "ask_interests"):
        take_step(request=request, name=step, reason="A holder.", by=officer)
    client, page = browser_of(investigator), reverse("request", args=[request.uuid])
    assert "request_clear_interests" not in offered(client, page)
    data = {"clear_interests-reason": "Clean."}
    address = reverse("request_clear_interests", args=[request.uuid])
    assert client.post(address, data).status_code == 404

    casino = party_for(Role.OPERATOR_MANAGER, "casino")
    both = made_person("both", casino, Role.OPERATOR_MANAGER)
    give_role(person=both, party=party_for(Role.DIRECTOR), role=Role.DIRECTOR, by=None)
    version = submit_controls(
        operator=casino, content=only_pyramid(), by=people[Role.OPERATOR_MANAGER]
    )
    page = reverse("controls_version", args=[version.uuid])
    replayed = {"controls_approve", "controls_deny"}
    assert not offered(browser_of(both), page) & replayed
    assert replayed <= offered(browser_of(people[Role.DIRECTOR]), page)
