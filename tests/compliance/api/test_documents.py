"""Documents that a program sends with its request, as a form; documents it files and reads."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from audits.replay.findings.models import Issue
from audits.review.releases.writes import release_issue
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.models import Event
from compliance.filings.documents.models import Document
from tests.audits.replay.ledger_rows import commission
from tests.audits.replay.nights import NIGHT, dealt, on_file
from tests.compliance.api.programs import Program, program_of
from tests.compliance.people import made_person, party_for
from tests.reports.nights import closed, replayed

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
RECEIPT = b"Signed by the player."
DISCLOSURES = "/api/v1/disclosures"
DATA = {"operator": "cedar", "day": "2025-07-12", "facts": "A card fell."}


def document(content: bytes = RECEIPT, name: str = "receipt.txt") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def sent(program: Program, path: str, body: dict[str, Any], name: str | None = None) -> Any:
    """Send the body as a form, under an idempotency key."""
    headers = {**program.headers, "Idempotency-Key": name or str(uuid4())}
    return program.client.post(path, body, headers=headers)


def test_disclosure_document_is_kept_byte_for_byte() -> None:
    program = program_of(Role.OPERATOR_MANAGER, "cedar")
    body = {**DATA, "papers": [document(), document(b"Another.", "other.txt")]}
    made = sent(program, DISCLOSURES, body, "once")
    assert made.status_code == 201, made.text
    again = {**DATA, "papers": [document(), document(b"Another.", "other.txt")]}
    assert sent(program, DISCLOSURES, again, "once").json() == made.json()
    swapped = {**DATA, "papers": [document(b"Else."), document(b"Another.", "other.txt")]}
    assert sent(program, DISCLOSURES, swapped, "once").json()["code"] == "another_request"
    (named,) = made.json()["papers"]
    place = f"/api/v1/document-versions/{named['document_version']}/files/"
    assert program.get(f"{place}0").content == RECEIPT
    assert program.get(f"{place}1").content == b"Another."
    assert Event.objects.filter(type="export.made").count() == 2
    assert program_of(Role.OPERATOR_MANAGER, "rival").get(f"{place}0").status_code == 404
    assert program_of(Role.SUPERVISOR).get(f"{place}0").content == RECEIPT


def test_invalid_document_is_refused_and_not_kept() -> None:
    program = program_of(Role.OPERATOR_MANAGER, "cedar")
    for changes, status in (
        ({"papers": document(b"MZ", "a.exe")}, 409),
        ({"papers": "a text"}, 422),
        ({"facts": ["once", "twice"]}, 422),
        ({"color": document()}, 422),
    ):
        refused = sent(program, DISCLOSURES, {**DATA, **changes})
        assert refused.status_code == status, refused.text
    with without_access_scope():
        assert not Document.objects.exists()


def test_a_document_is_filed_with_its_versions() -> None:
    program = program_of(Role.OPERATOR_MANAGER, "cedar")
    data = {"owner": "cedar", "kind": "letter", "title": "House rules"}
    day = {"evidence_date": "2025-07-01"}
    made = sent(program, "/api/v1/documents", {**data, **day, "papers": document()})
    assert made.status_code == 201, made.text
    place = made.headers["Location"]
    assert sent(program, f"{place}/versions", {**day, "papers": document()}).status_code == 409
    assert sent(program, f"{place}/versions", day).json()["errors"][0]["pointer"] == "/papers"
    assert sent(program, f"{place}/versions", {**day, "papers": document(b"2")}).status_code == 201
    assert [each["number"] for each in program.get(place).json()["versions"]] == [1, 2]
    (listed,) = program.get("/api/v1/documents", kind="letter").json()["items"]
    assert (listed["title"], listed["versions"]) == ("House rules", 2)
    others = {**data, **day, "owner": "rival", "papers": document()}
    party_for(Role.OPERATOR_MANAGER, "rival")
    assert sent(program, "/api/v1/documents", others).status_code == 404


def test_a_program_confirms_what_was_paid_and_no_more() -> None:
    agent = made_person("agent", commission(), Role.AGENT)
    program = program_of(Role.OPERATOR_MANAGER, "cedar")
    cedar = party_for(Role.OPERATOR_MANAGER, "cedar")
    rounds = dealt(20, tables=("T1",))
    rounds[0]["seats"][0]["player"] = "p-7"
    rounds[0]["seats"][0]["result"]["main"] -= 250
    with without_access_scope():
        on_file(cedar, rounds)
    replayed(cedar)
    closed(cedar)
    day = {"operator": "cedar", "day": str(NIGHT)}
    assert program.get("/api/v1/restitution", **day).json()["players"] == []
    with without_access_scope():
        found = Issue.objects.get(code="settlement.main")
    release_issue(issue=found, by=agent)
    assert program.get("/api/v1/restitution/days").json()["items"] == [day]
    (row,) = program.get("/api/v1/restitution", **day).json()["players"]
    assert (row["player"], row["owed"], row["left"]) == ("p-7", 250, 250)

    paid = {**day, "game": row["game"], "table": "T1", "player": "p-7", "paid_on": str(NIGHT)}
    for changes, says in (
        ({"cents": 251}, "$2.50 is left"),
        ({"cents": 1, "player": "p-8"}, "nothing owed"),
        ({"cents": 1, "paid_on": "2199-01-01"}, "the day of play, and today"),
    ):
        refused = program.post("/api/v1/restitution", {**paid, **changes})
        assert refused.status_code == 409
        assert says in refused.json()["detail"]
    part = sent(program, "/api/v1/restitution", {**paid, "cents": "100", "papers": document()})
    assert part.status_code == 201, part.text
    (payment,) = part.json()["players"][0]["payments"]
    assert (payment["cents"], len(payment["papers"])) == (100, 1)
    assert program.post("/api/v1/restitution", {**paid, "cents": 150}).status_code == 201
    assert program.get("/api/v1/restitution", **day).json()["players"][0]["left"] == 0
    supervisor = program_of(Role.SUPERVISOR)
    assert supervisor.get("/api/v1/restitution", **day).json()["players"][0]["left"] == 0
    assert supervisor.post("/api/v1/restitution", {**paid, "cents": 1}).status_code == 404
    assert supervisor.get("/api/v1/restitution/days").json()["items"] == [day]
