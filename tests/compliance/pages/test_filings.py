"""The commission's queues in browsers: who sees pending filings, takes, reassigns, notes."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from compliance.access.permissions import PartyKind, Role
from compliance.events.models import Event
from compliance.filings.controls.writes import submit_controls, withdraw_controls
from compliance.filings.queues.models import FilingInHand, FilingNote
from compliance.filings.requests.writes import take_step
from tests.compliance.controls.filing import only_pyramid
from tests.compliance.games.filing import asked, filed_rules
from tests.compliance.pages.browsing import browser_as, browser_of, words
from tests.compliance.people import made_party, made_person, party_for, person_as

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]


@pytest.fixture
def maker():
    return person_as(Role.SUPPLIER, "maker")


@pytest.fixture
def request_of_maker(maker):
    return asked(maker, filed_rules(maker))


def listed(client: Any, queue: str, **more: str) -> str:
    return words(client.get(reverse("filings"), {"queue": queue, **more}))


def do(client: Any, name: str, subject: Any, **data: Any) -> Any:
    return client.post(reverse(name, args=[subject.uuid]), data)


def test_a_request_waits_before_the_unit_that_moves_it_on(maker, request_of_maker):
    officer = person_as(Role.LICENSING)
    licensing = browser_of(officer)
    investigator = browser_as(Role.FINANCIAL_INVESTIGATIONS)
    assert "The licensing unit starts the review" in listed(licensing, "licensing")
    assert "Nothing is pending here" in listed(licensing, "financial")
    for step in ("review", "ask_interests"):
        take_step(request=request_of_maker, name=step, reason="A holder.", by=officer)
    assert "Nothing is pending here" in listed(licensing, "licensing")
    own = words(investigator.get(reverse("filings")))  # the user's own unit comes first by default
    assert "Pending filings: Financial investigations" in own
    assert "review substantial interests" in own


def test_missing_supply_is_pending_again_after_its_day(request_of_maker):
    officer = person_as(Role.LICENSING)
    take_step(request=request_of_maker, name="miss", reason="The layout.", by=officer)
    assert "Nothing is pending here" in listed(browser_of(officer), "licensing")
    with time_machine.travel(timezone.now() + timedelta(days=40)):
        later = browser_of(made_person("later", party_for(Role.LICENSING), Role.LICENSING))
        assert "what was missing did not come" in listed(later, "licensing")


def test_tribal_controls_wait_for_tribal_gaming():
    casino = made_party(PartyKind.TRIBAL_OPERATION, "casino")
    manager = made_person("manager", casino, Role.OPERATOR_MANAGER)
    submit_controls(operator=casino, content=only_pyramid(), by=manager)
    agent = browser_as(Role.AGENT)
    assert "Internal controls, version 1 The casino" in listed(agent, "tribal")
    assert "Nothing is pending here" in listed(agent, "licensing")


def test_filing_is_assigned_and_returned_to_queue(request_of_maker):
    unit = party_for(Role.LICENSING)
    one, other = (made_person(name, unit, Role.LICENSING) for name in ("one", "other"))
    client = browser_of(one)
    assert do(client, "take_filing", request_of_maker).status_code == 302
    assert "Assigned to One" in words(client.get(reverse("filing", args=[request_of_maker.uuid])))
    assert "Pyramid" in listed(client, "licensing", whose="mine")
    assert "Nothing is pending here" in listed(client, "licensing", whose="free")
    day = timezone.localdate() + timedelta(days=9)
    given = do(
        client,
        "give_filing",
        request_of_maker,
        **{"give-person": str(other.uuid), "give-due": day.isoformat()},
    )
    assert given.status_code == 302
    assignment = FilingInHand.objects.get()
    assert (assignment.person, assignment.due) == (other, day)
    assert do(client, "put_filing_back", request_of_maker).status_code == 302
    again = do(client, "put_filing_back", request_of_maker)
    assert (again.status_code, "is not assigned to anyone" in words(again)) == (422, True)
    types = Event.objects.filter(type__startswith="filing.").values_list("type", flat=True)
    assert list(types) == ["filing.taken", "filing.taken", "filing.put_back"]


def test_step_needs_role_and_assignment(request_of_maker):
    agent = browser_as(Role.AGENT)
    refused = do(agent, "take_filing", request_of_maker)
    assert (refused.status_code, "cannot take its next step" in words(refused)) == (422, True)
    assert do(agent, "give_filing", request_of_maker).status_code == 404
    director = browser_as(Role.DIRECTOR)
    investigator = person_as(Role.FINANCIAL_INVESTIGATIONS)
    for data in (
        {"give-person": str(investigator.uuid)},
        {"give-person": "x"},
        {"give-person": str(person_as(Role.LICENSING).uuid), "give-due": "2008-05-21"},
    ):
        assert do(director, "give_filing", request_of_maker, **data).status_code == 422
    assert not FilingInHand.objects.exists()


def test_forwarded_filing_is_unassigned_in_its_new_unit(request_of_maker):
    officer = person_as(Role.LICENSING)
    do(browser_of(officer), "take_filing", request_of_maker)
    for step in ("review", "ask_interests"):
        take_step(request=request_of_maker, name=step, reason="A holder.", by=officer)
    investigator = browser_as(Role.FINANCIAL_INVESTIGATIONS)
    assert "Unassigned" in listed(investigator, "financial")
    assert do(investigator, "take_filing", request_of_maker).status_code == 302
    assert "Financial" in listed(investigator, "financial", whose="mine")


def test_internal_note_never_reaches_the_filer(maker, request_of_maker):
    officer, supplier = browser_as(Role.LICENSING), browser_of(maker)
    data = {"note-text": "<i>Ask the agents of the county</i>"}
    assert do(officer, "note_filing", request_of_maker, **data).status_code == 302
    assert do(officer, "note_filing", request_of_maker, **{"note-text": " "}).status_code == 422
    page = officer.get(reverse("filing", args=[request_of_maker.uuid])).text
    assert "&lt;i&gt;Ask the agents of the county&lt;/i&gt;" in page
    note = FilingNote.objects.get()
    for address in (
        reverse("request", args=[request_of_maker.uuid]),
        reverse("requests"),
        reverse("home"),
        reverse("events"),
        reverse("object_events", args=["compliance.filingnote", note.uuid]),
        reverse("filing", args=[request_of_maker.uuid]),
        reverse("filings"),
    ):
        assert "agents of the county" not in supplier.get(address).text
    assert do(supplier, "note_filing", request_of_maker, **data).status_code == 404


def test_filing_is_compared_with_previous_version(maker, request_of_maker):
    officer = browser_as(Role.LICENSING)
    first = words(officer.get(reverse("filing", args=[request_of_maker.uuid])))
    assert "This is the first version" in first
    room = party_for(Role.OPERATOR_MANAGER, "room")
    manager = made_person("manager", room, Role.OPERATOR_MANAGER)
    before = submit_controls(operator=room, content=only_pyramid(), by=manager)
    withdraw_controls(version=before, reason="Nine cameras.", by=manager)
    content = only_pyramid()
    content["texts"] = {**content["texts"], "surveillance": "Nine cameras."}
    version = submit_controls(operator=room, content=content, by=manager)
    page = words(officer.get(reverse("filing", args=[version.uuid])))
    assert "Nine cameras." in page
    assert "No change: " in page


def test_a_list_of_many_takes_as_many_queries_as_of_one():
    officer, counts = browser_as(Role.LICENSING), []
    for number in range(3):
        room = party_for(Role.OPERATOR_MANAGER, f"room-{number}")
        manager = made_person(f"manager-{number}", room, Role.OPERATOR_MANAGER)
        submit_controls(operator=room, content=only_pyramid(), by=manager)
        officer.get(reverse("filings"))
        with CaptureQueriesContext(connection) as queries:
            officer.get(reverse("filings"))
        counts.append(len(queries))
    assert counts[0] == counts[-1]
