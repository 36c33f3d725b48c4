"""What all API operations share: errors, idempotency, pages, limits."""

from __future__ import annotations

import json
import re
from uuid import uuid4

import pytest
import time_machine
from django.test import Client, override_settings
from django.utils import timezone

from audits.intake.models import Submission
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.api.description import document
from compliance.api.kept_answers import KeptAnswer, forget_answers
from compliance.api.problems import MOST_FAULTS
from tests.compliance.api.programs import Program, key_for, program_of

pytestmark = pytest.mark.anywhere

SUBMISSIONS = "/api/v1/submissions"
BEGIN = {"operator": "card-room", "name": "night.jsonl", "size": 10}
MEMBERS = {
    *("type", "title", "status", "code", "detail", "instance", "request_id", "errors"),
}


def problem(answer, status):
    """Return the members of an error, which always has the same shape."""
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["Cache-Control"] == "no-store"
    result = answer.json()
    assert set(result) >= MEMBERS
    assert result["status"] == status
    return result


@pytest.mark.django_db
def test_every_error_has_the_one_shape():
    program = program_of(Role.OPERATOR_MANAGER)
    headers = {**program.headers, "Idempotency-Key": "a"}
    problem(Client().get("/api/v1/key"), 401)
    problem(program.get("/api/v1/no-such-thing"), 404)
    problem(Client().get("/api/v1/no-such-thing"), 404)
    problem(program.get(f"{SUBMISSIONS}/{uuid4()}"), 404)
    problem(program.client.delete(SUBMISSIONS, headers=headers), 405)
    problem(program.client.options(SUBMISSIONS, headers=headers), 405)
    problem(program.client.post(SUBMISSIONS, {"a": 1}, headers=headers), 415)
    deep = '{"a":' * 300 + "1" + "}" * 300
    for body in ("{", "[" * 5000, deep, '{"size": NaN}', b"\xff\xfe", "{}{}"):
        sent = program.client.post(SUBMISSIONS, body, "application/json", headers=headers)
        problem(sent, 400)
    large = json.dumps({"name": "x" * (1 << 20)})
    problem(program.client.post(SUBMISSIONS, large, "application/json", headers=headers), 413)
    problem(program.client.get("/api/v1/key", headers={"Host": "elsewhere.example"}), 400)


@pytest.mark.django_db
def test_a_failure_of_ours_is_a_problem_without_its_secrets(monkeypatch):
    program = program_of(Role.OPERATOR_MANAGER)
    program.client.raise_request_exception = False
    broken = "audits.intake.api.SubmissionShape.to_representation"
    monkeypatch.setattr(broken, lambda *_: {}["no such"])
    result = problem(program.post(SUBMISSIONS, BEGIN, name="once"), 500)
    assert "no such" not in json.dumps(result)
    with without_access_scope():
        assert not Submission.objects.exists()  # it was accepted as a whole or not at all
        assert not KeptAnswer.objects.exists()


@pytest.mark.django_db
def test_an_error_names_the_place_of_each_fault():
    program = program_of(Role.OPERATOR_MANAGER)
    sent = {"operator": "card room", "size": "many", "color": "red"}
    result = problem(program.post(SUBMISSIONS, sent), 422)
    assert {(each["in"], each["pointer"], each["code"]) for each in result["errors"]} == {
        ("body", "/operator", "invalid"),
        ("body", "/size", "invalid"),
        ("body", "/name", "required"),
        ("body", "/color", "unknown"),
    }
    result = problem(program.get(SUBMISSIONS, limit=0, sort="name"), 422)
    assert {(each["in"], each["pointer"]) for each in result["errors"]} == {
        ("query", "limit"),
        ("query", "sort"),
    }
    result = problem(
        program.client.get(f"{SUBMISSIONS}?limit=1&limit=2", headers=program.headers), 422
    )
    assert result["errors"][0]["pointer"] == "limit"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "body",
    [
        '{"operator": "card-room", "operator": "elsewhere", "name": "n", "size": 10}',
        '{"operator": "card-room", "name": "n", "size": 10, "more": [{"size": 1, "size": 1}]}',
    ],
)
def test_duplicate_json_name_is_rejected(body):
    program = program_of(Role.OPERATOR_MANAGER)
    headers = {**program.headers, "Idempotency-Key": "once"}
    sent = program.client.post(SUBMISSIONS, body, "application/json", headers=headers)
    assert problem(sent, 422)["errors"][0]["code"] == "repeated"
    with without_access_scope():
        assert not Submission.objects.exists()


@pytest.mark.django_db
def test_answer_size_is_independent_of_a_bad_request():
    program = program_of(Role.OPERATOR_MANAGER)
    result = problem(program.post(SUBMISSIONS, {str(number): 1 for number in range(50_000)}), 422)
    assert len(result["errors"]) == MOST_FAULTS


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["", "with space", "x" * 101, "ü"])
def test_a_post_without_a_usable_idempotency_key_is_refused(name):
    program = program_of(Role.OPERATOR_MANAGER)
    headers = {**program.headers, **({"Idempotency-Key": name} if name else {})}
    sent = program.client.post(SUBMISSIONS, json.dumps(BEGIN), "application/json", headers=headers)
    assert problem(sent, 422)["errors"][0]["pointer"] == "Idempotency-Key"


@pytest.mark.django_db
def test_what_is_sent_again_is_done_once_and_answered_alike():
    program = program_of(Role.OPERATOR_MANAGER)
    first = program.post(SUBMISSIONS, BEGIN, name="one")
    again = program.post(SUBMISSIONS, BEGIN, name="one")
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert first.headers["Location"] == again.headers["Location"]
    assert again.headers["Idempotent-Replayed"] == "true"
    with without_access_scope():
        assert Submission.objects.count() == 1


@pytest.mark.django_db
def test_idempotency_key_with_other_request_is_rejected():
    program = program_of(Role.OPERATOR_MANAGER)
    begun = program.post(SUBMISSIONS, BEGIN, name="one").json()
    result = problem(program.post(SUBMISSIONS, {**BEGIN, "size": 11}, name="one"), 422)
    assert result["code"] == "another_request"
    elsewhere = f"{SUBMISSIONS}/{begun['submission']}/give-up"
    assert problem(program.post(elsewhere, {}, name="one"), 422)["code"] == "another_request"
    with without_access_scope():
        assert Submission.objects.get().state == Submission.State.RECEIVING


@pytest.mark.django_db
def test_idempotency_key_is_per_api_key_for_a_week():
    one, other = program_of(Role.OPERATOR_MANAGER), program_of(Role.OPERATOR_MANAGER)
    numbers = {
        each.post(SUBMISSIONS, BEGIN, name="one").json()["submission"] for each in (one, other)
    }
    with time_machine.travel(timezone.now() + timezone.timedelta(days=8)):
        numbers.add(one.post(SUBMISSIONS, BEGIN, name="one").json()["submission"])
    assert len(numbers) == 3


@pytest.mark.django_db
def test_stored_answers_expire_after_a_week():
    program = program_of(Role.OPERATOR_MANAGER)
    program.post(SUBMISSIONS, BEGIN, name="one")
    for days, kept in ((6, 1), (8, 0)):
        with time_machine.travel(timezone.now() + timezone.timedelta(days=days)):
            forget_answers()
        with without_access_scope():
            assert KeptAnswer.objects.count() == kept


@pytest.mark.django_db
def test_a_refusal_is_not_kept_and_may_be_tried_again():
    program = program_of(Role.OPERATOR_MANAGER)
    problem(program.post(SUBMISSIONS, {**BEGIN, "corrects": "deadbeef"}, name="one"), 409)
    assert program.post(SUBMISSIONS, BEGIN, name="one").status_code == 201


@pytest.mark.django_db
def test_list_pages_neither_repeat_nor_omit():
    program = program_of(Role.OPERATOR_MANAGER)
    made = [program.post(SUBMISSIONS, BEGIN).json()["submission"] for _ in range(5)]
    seen, cursor = [], {}
    while cursor is not None:
        result = program.get(SUBMISSIONS, limit=2, **cursor).json()
        seen += [each["submission"] for each in result["items"]]
        if len(seen) == 2:
            program.post(SUBMISSIONS, BEGIN)  # comes first, and changes nothing
        cursor = {"cursor": result["next"]} if result["next"] else None
    assert seen == made[::-1]


@pytest.mark.django_db
def test_foreign_cursor_is_rejected():
    program = program_of(Role.OPERATOR_MANAGER)
    for _ in range(2):
        program.post(SUBMISSIONS, BEGIN)
    given = program.get(SUBMISSIONS, limit=1).json()["next"]
    assert program.get(SUBMISSIONS, cursor=given).status_code == 200
    for path, cursor in ((SUBMISSIONS, "1"), (SUBMISSIONS, given[:-1]), ("/api/v1/reports", given)):
        assert problem(program.get(path, cursor=cursor), 404)["code"] == "no_such_page"


@pytest.mark.django_db
@override_settings(API_RATE=60, API_AT_ONCE=3)
def test_busy_key_waits_and_another_does_not():
    start = timezone.now()
    with time_machine.travel(start, tick=False) as clock:
        program, other = program_of(Role.OPERATOR_MANAGER), program_of(Role.OPERATOR_MANAGER)
        assert [program.get("/api/v1/key").status_code for _ in range(3)] == [200] * 3
        answer = program.get("/api/v1/key")
        problem(answer, 429)
        assert answer.headers["Retry-After"] == "1"
        assert other.get("/api/v1/key").status_code == 200
        clock.shift(1)
        assert program.get("/api/v1/key").status_code == 200
        assert program.get("/api/v1/key").status_code == 429


@pytest.mark.django_db
def test_a_cookie_opens_nothing_and_no_cookie_is_set():
    _, secret = key_for(Role.OPERATOR_MANAGER)
    answer = Program(secret).get("/api/v1/key")
    assert not answer.cookies
    assert answer.headers["Cache-Control"] == "no-store"


def test_the_description_is_openapi_3_1_without_a_warning(capsys):
    result = document()
    assert capsys.readouterr().err == ""
    assert result["openapi"] == "3.1.0"
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            names = {each["name"] for each in operation.get("parameters", ())}
            assert operation["security"] == [{"key": []}], path
            assert ("Idempotency-Key" in names) == (method == "post"), path
            assert operation["description"], path
            assert {"401", "403", "404", "422", "429"} <= set(operation["responses"]), path


def test_no_name_of_the_description_is_made_up_by_a_machine():
    names = set(document()["components"]["schemas"])
    assert not {name for name in names if re.search(r"[0-9a-f]{3}Enum$|\d", name)}


def test_the_description_is_there_for_anybody(client):
    answer = client.get("/api/v1/openapi.json")
    assert answer.json() == document()
