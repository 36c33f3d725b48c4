"""Parties, events, pending items, approvals and remarks: read and written by programs."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.models import Event
from compliance.filings.controls.models import ControlsComment, ControlsFiling
from compliance.filings.controls.writes import return_controls
from compliance.filings.documents.models import DocumentText
from tests.compliance.api.programs import Program, key_for, maker_of, program_of
from tests.compliance.controls.filing import Room, submitted
from tests.compliance.filings import filings_of
from tests.compliance.pages.browsing import words
from tests.compliance.people import party_for, person_as, signed_in, with_second_factor

API = "/api/v1"
pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]


def listed(program: Program, path: str, **asked: Any) -> list[dict[str, Any]]:
    answer = program.get(f"{API}/{path}", **asked)
    assert answer.status_code == 200, answer.text
    body = answer.json()
    return body["items"] if "items" in body else body["filings"]


def test_party_sees_itself_and_commission_sees_all():
    operator, supervisor = program_of(Role.OPERATOR_MANAGER, "here"), program_of(Role.SUPERVISOR)
    party_for(Role.OPERATOR_MANAGER, "there")
    mine = {"party": "here", "kind": "card_room", "name": "The here", "agency": None}
    assert listed(operator, "parties") == [mine]
    codes = {each["party"] for each in listed(supervisor, "parties", kind="card_room")}
    assert codes == {"here", "there"}


def test_events_are_read_as_on_the_page_of_the_log():
    manager = maker_of(Role.OPERATOR_MANAGER, "here")
    program = program_of(Role.OPERATOR_MANAGER, "here")
    key_for(Role.OPERATOR_MANAGER, "there")
    body = listed(program, "events", limit=200)
    page = words(signed_in(Client(), manager).get(reverse("events")))
    assert body
    assert all(each["says"] in page for each in body)
    assert {each["party"] for each in body} == {"here"}
    assert listed(program, "events", party="here", type="key.made")
    assert listed(program, "events", type="no.such") == []
    assert listed(program, "events", until="2001-01-01") == []
    assert program.get(f"{API}/events", party="there").status_code == 404
    supervisor = program_of(Role.SUPERVISOR)
    count = Event.objects.count()
    assert len(listed(supervisor, "events", limit=200)) == count
    (one,) = listed(supervisor, "events", party="there", type="key.made")
    assert one["party"] == "there"


def test_only_the_commission_sees_its_filing_queue():
    Room()
    program = program_of(Role.SUPERVISOR)
    manager = maker_of(Role.OPERATOR_MANAGER, "here")
    here = party_for(Role.OPERATOR_MANAGER, "here")
    version = filings_of(here, manager, ["controls_version"])["controls_version"]
    (waits,) = listed(program, "waiting-filings", queue="licensing", assigned="false")
    assert (waits["filing"], waits["party"]) == (str(version), "here")
    assert listed(program, "waiting-filings", assigned="true") == []
    assert listed(program, "waiting-filings", queue="tribal") == []
    operator = program_of(Role.OPERATOR_MANAGER, "here")
    assert operator.get(f"{API}/waiting-filings").status_code == 404


def test_a_version_tells_who_approved_it_from_when_on():
    room = Room()
    with_second_factor(room.manager)
    program = program_of(Role.OPERATOR_MANAGER, "room")
    body = program.get(f"{API}/controls/{room.version.uuid}").json()
    (approval,) = body["approvals"]
    assert (approval["kind"], approval["by_party"]) == ("commission", "commission-unit")
    assert approval["in_effect_from"] == "2025-02-01T06:00:00-08:00"
    assert approval["withdrawal"] == []


def test_a_request_tells_its_approval_with_the_conditions():
    manager = maker_of(Role.OPERATOR_MANAGER, "here")
    here = party_for(Role.OPERATOR_MANAGER, "here")
    request = filings_of(here, manager, ["request"])["request"]
    body = program_of(Role.OPERATOR_MANAGER, "here").get(f"{API}/requests/{request}").json()
    (approval,) = body["approvals"]
    # The system sees to the first two; no maker has a license on file, and none is named yet.
    assert {each["kind"]: each["state"] for each in approval["conditions"]} == {
        "as_filed": "met",
        "controls_first": "met",
        "licensed_makers": "open",
        "no_marketing": "not_met",
    }


def test_program_comments_and_withdraws_a_version():
    manager = maker_of(Role.OPERATOR_MANAGER, "room")
    program = program_of(Role.OPERATOR_MANAGER, "room")
    version = submitted(manager)
    return_controls(version=version, reason="Tips?", days=5, by=person_as(Role.LICENSING))
    place = f"{API}/controls/{version.uuid}"
    data = {"section": "tips", "text": "They go into a box."}
    body = program.post(f"{place}/remarks", data)
    assert body.status_code == 201, body.text
    (remark,) = body.json()["remarks"]
    assert (remark["section"], remark["text"]) == ("tips", data["text"])
    assert remark["party"] == "room"
    refused = program.post(f"{place}/remarks", data | {"section": "weather"})
    assert refused.status_code == 422
    for stranger in (program_of(Role.OPERATOR_MANAGER, "there"), program_of(Role.SUPERVISOR)):
        assert stranger.post(f"{place}/remarks", data).status_code in {403, 404}
        assert stranger.post(f"{place}/withdraw", {"reason": "No."}).status_code in {403, 404}
    with without_access_scope():
        assert ControlsComment.objects.count() == 1
    gone = program.post(f"{place}/withdraw", {"reason": "Written anew."})
    assert gone.json()["state"] == ControlsFiling.State.WITHDRAWN
    assert program.post(f"{place}/withdraw", {"reason": "Again."}).status_code == 409


def test_documents_are_found_by_what_their_files_say():
    manager = maker_of(Role.OPERATOR_MANAGER, "here")
    here = party_for(Role.OPERATOR_MANAGER, "here")
    made = filings_of(here, manager, ["document"])
    program = program_of(Role.OPERATOR_MANAGER, "here")
    with without_access_scope():
        [text] = DocumentText.objects.values_list("pages", flat=True)
    data = max(" ".join(text).split(), key=len)
    (found,) = listed(program, "documents", q=data.upper())
    assert found["document"] == str(made["document"])
    assert listed(program, "documents", q="no such words") == []
