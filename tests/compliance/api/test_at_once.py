"""Requests under one idempotency key at the same moment: one is done, all are answered."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from audits.models import HandIn
from compliance.choices import Role
from compliance.models import Event, KeptAnswer
from compliance.walls import without_walls
from tests.compliance.api.programs import Program, key_for

HAND_INS = "/api/v1/hand-ins"
BEGIN = {"operator": "card-room", "name": "night.jsonl", "size": 10}
AT_ONCE = 6


@pytest.mark.services
def test_of_requests_under_one_key_at_the_same_moment_one_is_done_and_all_are_answered_alike(
    own_database: str,
) -> None:
    assert own_database.startswith("postgres"), "a lock of rows is what this is about"
    _, secret = key_for(Role.OPERATOR_MANAGER)
    gate = Barrier(AT_ONCE)

    def ask(number: int) -> tuple[int, str, bool]:
        # Each in a connection of its own: the last one asks for something else under the key.
        body = {**BEGIN, "size": 11} if number == AT_ONCE - 1 else BEGIN
        try:
            gate.wait()
            answer = Program(secret).post(HAND_INS, body, name="one")
            told = answer.json()
            return answer.status_code, told.get("hand_in", ""), "Idempotent-Replayed" in answer
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as threads:
        answers = list(threads.map(ask, range(AT_ONCE)))
    done = [each for each in answers if each[0] == 201]
    refused = [each for each in answers if each[0] == 422]
    # Whichever came first was done; the others are its repetitions or another request.
    assert len(done) + len(refused) == AT_ONCE
    assert len(done) in {1, AT_ONCE - 1}
    assert len({number for _, number, _ in done}) == 1
    assert sorted(replayed for *_, replayed in done) == [False] + [True] * (len(done) - 1)
    with without_walls():
        assert HandIn.objects.count() == KeptAnswer.objects.count() == 1
    assert Event.objects.filter(type="round_log.begun").count() == 1
