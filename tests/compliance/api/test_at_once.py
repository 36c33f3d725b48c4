"""Requests under one idempotency key at the same moment: one is executed, all are answered."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from audits.intake.models import Submission
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.api.kept_answers import KeptAnswer
from compliance.events.models import Event
from tests.compliance.api.programs import Program, key_for

SUBMISSIONS = "/api/v1/submissions"
BEGIN = {"operator": "card-room", "name": "night.jsonl", "size": 10}
AT_ONCE = 6


@pytest.mark.services
def test_concurrent_idempotent_requests_run_once(
    own_database: str,
) -> None:
    assert own_database.startswith("postgres"), "a lock of rows is what this is about"
    _, secret = key_for(Role.OPERATOR_MANAGER)
    gate = Barrier(AT_ONCE)

    def ask(number: int) -> tuple[int, str, bool]:
        # Each on its own connection: the last one sends something else under the key.
        body = {**BEGIN, "size": 11} if number == AT_ONCE - 1 else BEGIN
        try:
            gate.wait()
            answer = Program(secret).post(SUBMISSIONS, body, name="one")
            result = answer.json()
            return answer.status_code, result.get("submission", ""), "Idempotent-Replayed" in answer
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as threads:
        answers = list(threads.map(ask, range(AT_ONCE)))
    done = [each for each in answers if each[0] == 201]
    refused = [each for each in answers if each[0] == 422]
    # Whichever came first was executed; the others are repetitions of it or another request.
    assert len(done) + len(refused) == AT_ONCE
    assert len(done) in {1, AT_ONCE - 1}
    assert len({number for _, number, _ in done}) == 1
    assert sorted(replayed for *_, replayed in done) == [False] + [True] * (len(done) - 1)
    with without_access_scope():
        assert Submission.objects.count() == KeptAnswer.objects.count() == 1
    assert Event.objects.filter(type="round_log.begun").count() == 1
