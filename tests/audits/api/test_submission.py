"""A log submitted by a program: in pieces, with digests, read after the response."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from django.test import override_settings

from audits.intake import submission as pieces
from audits.intake.ingestion import take_in_what_waits
from audits.intake.models import RoundLog, Submission
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.models import Event
from tests.audits.submission.logs import evening, sha256, written
from tests.compliance.api.programs import Program, program_of

API = "/api/v1"
NIGHT = written(evening(3)) + b"{}\n"
pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]


@pytest.fixture
def program() -> Program:
    return program_of(Role.OPERATOR_MANAGER, "cedar")


def begun(program: Program, content: bytes = NIGHT, **more: Any) -> dict[str, Any]:
    sent = {"operator": "cedar", "name": "night.jsonl", "size": len(content), **more}
    answer = program.post(f"{API}/submissions", sent)
    assert answer.status_code == 201, answer.text
    problem: dict[str, Any] = answer.json()
    assert answer.headers["Location"] == f"{API}/submissions/{problem['submission']}"
    return problem


def send(program: Program, place: str, number: int, content: bytes, digest: str = "") -> Any:
    headers = {"Piece-SHA256": digest or sha256(content)}
    return program.put(f"{place}/pieces/{number}", content, **headers)


def submit_log(program: Program, content: bytes = NIGHT, **more: Any) -> dict[str, Any]:
    place = f"{API}/submissions/{begun(program, content, **more)['submission']}"
    assert send(program, place, 0, content).status_code == 200
    assert program.post(f"{place}/finish", {"sha256": sha256(content)}).status_code == 202
    take_in_what_waits()
    problem: dict[str, Any] = program.get(place).json()
    return problem


def test_log_is_submitted_and_gets_its_receipt(program):
    problem = submit_log(program)
    assert problem["state"] == "registered", problem["refusal"]
    receipt = program.get(f"{API}/round-logs/{problem['log']}").json()
    assert (receipt["lines"], receipt["good"], receipt["rejected"]) == (4, 3, 1)
    assert receipt["sha256"] == sha256(NIGHT)
    assert receipt["rejected_lines"][0]["count"] == 1
    assert receipt["rejected_lines"][0]["examples"][0]["line"] == 4
    assert program.get(f"{API}/round-logs").json()["items"][0]["log"] == problem["log"]


def test_the_program_is_named_by_the_events_of_what_it_did(program):
    submit_log(program)
    kinds = Event.objects.filter(type__startswith="round_log.").values_list("actor_kind", "type")
    assert {kind for kind, _ in kinds} == {"key"}
    with without_access_scope():
        assert RoundLog.objects.get().by == Submission.objects.get().key.uuid


def test_evidence_and_rejected_lines_come_back_byte_for_byte(program):
    place = f"{API}/round-logs/{submit_log(program)['log']}"
    evidence = program.get(f"{place}/file")
    assert b"".join(evidence.streaming_content) == NIGHT
    assert evidence.headers["Content-Disposition"].startswith("attachment")
    lines = b"".join(program.get(f"{place}/rejected-lines").streaming_content)
    assert orjson.loads(lines.splitlines()[0])["line"] == 4


def test_a_round_is_found_by_its_number(program):
    log = submit_log(program)["log"]
    found = program.get(f"{API}/round", operator="cedar", round="T3-000002").json()
    assert found["log"] == log
    assert found["round"]["round"] == "T3-000002"
    assert program.get(f"{API}/round", operator="cedar", round="T3-9").status_code == 404


def test_pieces_are_accepted_in_order_by_digest(program, monkeypatch):
    monkeypatch.setattr(pieces, "PIECE", 100)
    for module in ("api", "models"):
        monkeypatch.setattr(f"audits.intake.{module}.PIECE", 100)
    parts = [NIGHT[at : at + 100] for at in range(0, len(NIGHT), 100)]
    problem = begun(program)
    place = f"{API}/submissions/{problem['submission']}"
    assert (problem["piece"], problem["next_piece"]) == (100, 0)
    assert send(program, place, 1, parts[1]).status_code == 409
    assert "arrive as it was sent" in send(program, place, 0, parts[0], "0" * 64).json()["detail"]
    assert send(program, place, 0, parts[0] + b"x" * 50).status_code == 413
    assert send(program, place, 0, parts[0], "nonsense").status_code == 422
    for _ in range(2):
        assert send(program, place, 0, parts[0]).json()["received"] == 100
    assert program.get(place).json()["next_piece"] == 1
    for number, part in enumerate(parts):
        assert send(program, place, number, part).status_code == 200
    assert program.get(place).json()["next_piece"] is None
    assert program.post(f"{place}/finish").status_code == 202
    take_in_what_waits()
    assert program.get(place).json()["state"] == "registered"


def test_file_with_another_digest_is_rejected(program):
    place = f"{API}/submissions/{begun(program)['submission']}"
    send(program, place, 0, NIGHT)
    assert program.post(f"{place}/finish", {"sha256": "0" * 64}).status_code == 202
    take_in_what_waits()
    problem = program.get(place).json()
    assert problem["state"] == "refused"
    assert "did not arrive as it was sent" in problem["refusal"]
    with without_access_scope():
        assert not RoundLog.objects.exists()


def test_what_is_not_here_as_a_whole_is_not_finished(program):
    place = f"{API}/submissions/{begun(program)['submission']}"
    answer = program.post(f"{place}/finish", name="soon")
    assert (answer.status_code, answer.json()["code"]) == (409, "refused")
    send(program, place, 0, NIGHT)
    assert program.post(f"{place}/finish", name="soon").status_code == 202  # no trace of refusal


def test_same_file_again_is_answered_with_its_log(program):
    log = submit_log(program)["log"]
    sent = {"operator": "cedar", "name": "again.jsonl", "size": len(NIGHT), "sha256": sha256(NIGHT)}
    answer = program.post(f"{API}/submissions", sent)
    assert (answer.status_code, answer.json()["code"]) == (409, "on_file")
    assert answer.json()["log"] == log


def test_a_correction_names_a_log_on_file_and_its_reason(program):
    log = submit_log(program)["log"]
    problem = submit_log(program, written(evening(3)), corrects=log, reason="a line was broken")
    assert problem["corrects"] == log
    sent = {"operator": "cedar", "name": "x", "size": 1}
    for more in ({"corrects": log}, {"corrects": "0" * 64, "reason": "r"}, {"reason": "r"}):
        assert program.post(f"{API}/submissions", sent | more).status_code == 409


def test_a_file_that_was_given_up_takes_nothing_more(program):
    place = f"{API}/submissions/{begun(program)['submission']}"
    assert program.post(f"{place}/give-up").json()["state"] == "abandoned"
    assert send(program, place, 0, NIGHT).status_code == 409


@override_settings(API_RATE=100_000)
def test_nobody_submits_for_another_party(program):
    program_of(Role.OPERATOR_MANAGER, "alder")
    sent = {"operator": "alder", "name": "night.jsonl", "size": 1}
    nothing = program.post(f"{API}/submissions", sent | {"operator": "nobody"}).json()
    assert program.post(f"{API}/submissions", sent).json() | {"request_id": ""} == nothing | {
        "request_id": ""
    }
