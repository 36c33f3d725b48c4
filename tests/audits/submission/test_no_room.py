"""A disk that fills up during a submission: a sentence, nothing half done, and work resumes."""

from __future__ import annotations

import gzip
import io
import json
import resource
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse

from audits.intake.ingestion import take_in_what_waits
from audits.intake.models import RoundLog, Segment, Submission
from audits.intake.submission import submit_whole
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.jobs.models import Job
from tests.audits.submission.logs import evening, sha256, written
from tests.compliance.api.programs import program_of
from tests.compliance.jobs.due import make_jobs_due
from tests.compliance.people import party_for, person_as, signed_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from compliance.access.models import Party

ROUNDS = 60_000
LARGEST = 2_200_000
"""No file may grow beyond this, which to a program is the same as a full disk."""


@contextmanager
def full_disk() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture
def room(own_database: str) -> Party:
    return party_for(Role.OPERATOR_CLERK, "room")


@pytest.fixture(scope="module")
def packed() -> bytes:
    """Return a small file, much of which is stored as it is read."""
    line = written(evening(1, first=0))
    rounds = b"".join(line.replace(b"T3-000000", b"T3-%06d" % number) for number in range(ROUNDS))
    return gzip.compress(rounds, 1)


@pytest.fixture(scope="module")
def large() -> bytes:
    """Return a file of one piece that finds no room itself, and that a request keeps in memory."""
    once = written(evening(100))
    return once * (LARGEST // len(once) + 1)


def ingest(*files: Path) -> int:
    try:
        call_command("ingest", "--operator", "room", "--json", *map(str, files))
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def submissions() -> list[tuple[str, str]]:
    with without_access_scope():
        return list(Submission.objects.values_list("state", "step"))


def nothing_is_on_file() -> bool:
    with without_access_scope():
        return not RoundLog.objects.exists() and not Segment.objects.exists()


def test_interrupted_command_can_be_run_again(room, packed, tmp_path, capsys):
    log, other = tmp_path / "night.jsonl.gz", tmp_path / "other.jsonl"
    log.write_bytes(packed)
    other.write_bytes(written(evening(2, table="T9")))
    with full_disk():
        assert ingest(log, other) == 2
    message = capsys.readouterr()
    assert message.out == ""
    assert f"{log}: it could not be read into the archive and VAR ({settings.VAR})" in message.err
    assert "Make room there" in message.err
    assert nothing_is_on_file()
    waits = "The system's disk is full; read again when there is room"
    assert submissions() == [("waiting", waits)]
    job = Job.objects.get()
    assert (job.faults, job.waits, job.unreturned) == (0, 1, 0)
    assert ingest(log, other) == 0
    receipts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(each["sha256"], each["good"]) for each in receipts] == [
        (sha256(packed), ROUNDS),
        (sha256(other.read_bytes()), 2),
    ]
    assert [state for state, _ in submissions()] == ["registered"] * 2


def test_a_file_that_finds_no_room_itself_leaves_nothing(room, large, tmp_path, capsys):
    log = tmp_path / "night.jsonl"
    log.write_bytes(large)
    with full_disk():
        assert ingest(log) == 2
    assert "it could not be read into the archive" in capsys.readouterr().err
    assert submissions() == []


def test_a_reader_tries_as_often_as_it_takes(room, packed, client):
    clerk = person_as(Role.OPERATOR_CLERK, "room")
    upload = submit_whole(party=room, name="night.gz", content=io.BytesIO(packed), by=clerk)
    for _ in range(4):
        make_jobs_due()
        with full_disk():
            assert take_in_what_waits() == 1
    page = signed_in(client, clerk).get(reverse("submission_run", args=[upload.uuid])).text
    assert "disk is full" in page
    assert "nothing is half done" in page
    make_jobs_due()
    take_in_what_waits()
    with without_access_scope():
        assert RoundLog.objects.get().good == ROUNDS


def test_a_piece_is_refused_and_goes_in_when_there_is_room(room, large):
    program = program_of(Role.OPERATOR_MANAGER, "room")
    program.client.raise_request_exception = False
    begun = program.post(
        "/api/v1/submissions", {"operator": "room", "name": "night.jsonl", "size": len(large)}
    ).json()
    piece = f"/api/v1/submissions/{begun['submission']}/pieces/0"
    with full_disk():
        refused = program.put(piece, large, **{"Piece-SHA256": sha256(large)})
    assert refused.status_code == 507
    assert refused.json()["code"] == "no_room"
    assert "disk is full" in refused.json()["detail"]
    ingested = program.put(piece, large, **{"Piece-SHA256": sha256(large)})
    assert (ingested.status_code, ingested.json()["received"]) == (200, len(large))


def test_whole_upload_is_answered_with_next_steps(room, large, client):
    signed_in(client, person_as(Role.OPERATOR_CLERK, "room"))
    client.raise_request_exception = False
    with full_disk():
        file = SimpleUploadedFile("night.jsonl", large)
        refused = client.post(reverse("submission"), {"operator": "room", "file": file})
    assert refused.status_code == 507
    assert "Tell the people who run this site" in refused.text
    assert submissions() == []
