"""Each line of a log gets the contract's verdict, and no input stops a night."""

from __future__ import annotations

import io
import time
from random import Random

import pytest

from audits.intake.ingestion import take_in_what_waits
from audits.intake.models import Submission
from audits.intake.submission import submit_whole
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.actor import SYSTEM
from tests.audits.submission.hostile import (
    expected_of,
    good_rounds,
    mixed_lines,
    mutated_file,
    rejected_lines,
)
from tests.audits.submission.logs import ingested, written
from tests.compliance.people import party_for

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]


def test_mutated_lines_get_the_contract_verdict():
    content = mixed_lines(1, 400, "S")
    expected = expected_of(content, set(), time.time())
    assert not {line for line in expected.rejected if line % 5 == 1}
    log = ingested(party_for(Role.OPERATOR_CLERK, "room"), content)
    assert rejected_lines(log) == expected.rejected
    assert (log.lines, log.good) == (400, expected.good)


def test_mutated_files_are_registered_or_rejected():
    chance = Random("files")
    room = party_for(Role.OPERATOR_CLERK, "room")
    seen: set[str] = set()
    for number in range(16):
        content = mutated_file(written(list(good_rounds(number, 12, f"F{number}"))), chance)
        submit_whole(party=room, name=str(number), content=io.BytesIO(content), by=SYSTEM)
        expected = expected_of(content, seen, time.time())
        assert take_in_what_waits() == 1
        with without_access_scope():
            submission = Submission.objects.select_related("log").latest("pk")
        if submission.state == "refused":
            assert expected is None or not expected.good, (number, submission.refusal)
            continue
        assert (submission.state, submission.failure) == ("registered", "")
        log = submission.log
        assert expected is not None, number
        assert (rejected_lines(log), log.good) == (expected.rejected, expected.good), number
