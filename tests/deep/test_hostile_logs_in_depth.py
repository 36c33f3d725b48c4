"""60,000 mutated lines and 600 mutated files through the command and the API, as real processes.

`make deep` runs it on SQLite, and once more on PostgreSQL and Redis.
"""

from __future__ import annotations

import json
import os
import time
from random import Random
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from django.db import connection

from audits.intake.models import Submission
from audits.intake.submission import PIECE
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from tests.audits.submission.hostile import (
    expected_of,
    good_rounds,
    mixed_lines,
    mutated_file,
    rejected_lines,
)
from tests.audits.submission.logs import sha256, written
from tests.compliance.api.programs import key_for
from tests.compliance.people import party_for
from tests.installation import wait_until
from tests.project.test_back_pressure import asked
from tests.project.test_serve import address

if TYPE_CHECKING:
    from tests.installation import Installation

pytestmark = pytest.mark.usefixtures("kernels")

LINES = int(os.environ.get("DEEP_MUTATED_LINES", "60000"))
FILES = int(os.environ.get("DEEP_MUTATED_FILES", "600"))
LOGS = 12
"""Number of logs; a fifth of the lines in each is left intact."""


def through_the_command(installation: Installation, contents: list[bytes]) -> None:
    folder = installation.var / "submitted"
    folder.mkdir()
    names = []
    for number, content in enumerate(contents):
        names.append(folder / f"{number:04d}")
        names[-1].write_bytes(content)
    done = installation.manage(
        "ingest", "--operator", "room", "--json", *map(str, names), seconds=3600
    )
    assert done.returncode in {0, 1}, done.stderr
    assert "Traceback" not in done.stderr + done.stdout
    assert "fault in this system" not in done.stderr


def through_the_api(installation: Installation, contents: list[bytes]) -> None:
    _, secret = key_for(Role.OPERATOR_MANAGER, "room")
    serve = installation.start("serve", API_RATE="1000000")
    api = f"{address(installation)}/api/v1/submissions"

    def send(path: str, body: bytes, method: str = "POST", **more: str) -> dict[str, object]:
        kind = "octet-stream" if method == "PUT" else "json"
        headers = {"Authorization": f"Bearer {secret}", "Content_Type": f"application/{kind}"}
        key = str(uuid4())
        status, _, answer = asked(
            path, method=method, body=body, **headers, Idempotency_Key=key, **more
        )
        assert status < 300, answer
        return dict(json.loads(answer))

    for number, content in enumerate(contents):
        begun = {"operator": "room", "name": f"api-{number:04d}", "size": len(content)}
        place = f"{api}/{send(api, json.dumps(begun).encode())['submission']}"
        for piece, first in enumerate(range(0, len(content), PIECE)):
            part = content[first : first + PIECE]
            send(f"{place}/pieces/{piece}", part, "PUT", Piece_SHA256=sha256(part))
        send(f"{place}/finish", b"{}")
    wait_until(lambda: not under_way(), seconds=3600)
    assert serve.poll() is None
    assert "Traceback" not in installation.output()


def under_way() -> bool:
    with without_access_scope():
        return Submission.objects.exclude(state__in=("registered", "refused")).exists()


def verdicts(contents: list[bytes]) -> tuple[int, int]:
    """Return how many lines were rejected and accepted, after comparing each with the oracle."""
    seen: set[str] = set()
    rejected = good = 0
    with without_access_scope():
        submissions = list(Submission.objects.select_related("log").order_by("pk"))
    assert len(submissions) == len(contents)
    for submission, content in zip(submissions, contents, strict=True):
        expected = expected_of(content, seen, time.time())
        assert submission.failure == ""
        if submission.state == "refused":
            outcome = (submission.name, submission.refusal)
            assert expected is None or not expected.good, outcome
            continue
        assert expected is not None, submission.name
        log = submission.log
        outcome = (rejected_lines(log), log.good)
        assert outcome == (expected.rejected, expected.good), submission.name
        rejected += log.rejected
        good += log.good
    return rejected, good


def submitted_both_ways(
    installation: Installation, contents: list[bytes], settings
) -> tuple[int, int]:
    settings.ARCHIVE_URL = str(installation.var / "own-archive")
    installation.configuration["ARCHIVE_URL"] = settings.ARCHIVE_URL
    party_for(Role.AGENT)  # nights close, and rounds are replayed, while logs come in
    key_for(Role.OPERATOR_MANAGER, "room")
    half = len(contents) // 2
    through_the_command(installation, contents[:half])
    through_the_api(installation, contents[half:])
    return verdicts(contents)


@pytest.mark.deep
def test_many_mutated_lines_get_the_contract_verdict(installation, settings, record_property):
    each = LINES * 5 // 4 // LOGS
    contents = [mixed_lines(number, each, f"L{number}") for number in range(LOGS)]
    rejected, good = submitted_both_ways(installation, contents, settings)
    record_property("database", connection.vendor)
    record_property("lines", f"{LOGS * each:,}")
    record_property("rejected", f"{rejected:,}")
    record_property("accepted", f"{good:,}")
    assert rejected + good == LOGS * each
    assert good >= LOGS * each // 5


@pytest.mark.deep
def test_many_mutated_files_registered_or_rejected(installation, settings, record_property):
    chance = Random("files in depth")
    contents = [
        mutated_file(written(list(good_rounds(number, 20, f"F{number}"))), chance)
        for number in range(FILES)
    ]
    rejected, good = submitted_both_ways(installation, contents, settings)
    record_property("database", connection.vendor)
    record_property("files", f"{FILES:,}")
    record_property("rejected lines", f"{rejected:,}")
    record_property("accepted lines", f"{good:,}")
