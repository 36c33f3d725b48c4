"""Killed anywhere while a log is read: it is registered once, nothing doubled or half done."""

from __future__ import annotations

import os
import signal
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db.models.functions import Now

from audits.intake.models import RoundLog, Segment, Submission
from audits.intake.reads import segments_on_file
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.models import Event
from compliance.jobs.models import Job
from tests.audits.submission.logs import EVENING, played, sha256, written
from tests.compliance.jobs.due import kill_workers, make_jobs_due
from tests.compliance.people import party_for
from tests.installation import Installation, wait_until
from tests.project.test_serve import leader

if TYPE_CHECKING:
    from pathlib import Path

    from compliance.access.models import Party

pytestmark = pytest.mark.usefixtures("kernels")

SUBMISSIONS = """
from pathlib import Path
from compliance.events.actor import SYSTEM
from compliance.models import Party
from compliance.access.scope import without_access_scope
from audits.intake.submission import submit_whole
for path in sorted(Path("{folder}").glob("*-*")):
    with without_access_scope():
        party = Party.objects.get(code=path.name.partition("-")[0])
    with path.open("rb") as content:
        submit_whole(party=party, name=path.name, content=content, by=SYSTEM)
"""
ROUNDS = 100_000


@pytest.fixture
def room(own_database: str) -> Party:
    return party_for(Role.OPERATOR_CLERK, "room")


@pytest.fixture(scope="module")
def long_log() -> bytes:
    """Return a log that takes some seconds to read."""
    (line,) = written([played("T3-000000", EVENING)]).splitlines(keepends=True)
    return b"".join(line.replace(b"T3-000000", b"T3-%06d" % number) for number in range(ROUNDS))


def submissions() -> list[Submission]:
    with without_access_scope():
        return list(Submission.objects.order_by("pk"))


def is_read(attempt: int) -> bool:
    make_jobs_due()
    (found,) = submissions()
    leased = Job.objects.filter(lease_until__gt=Now(), unreturned=attempt)
    return found.state == "reading" and leased.exists() and bool(found.step)


def all_registered(count: int) -> bool:
    make_jobs_due()
    states = [each.state for each in submissions()]
    assert "refused" not in states
    return states == ["registered"] * count


def readers(installation: Installation) -> list[int]:
    found = []
    for process in installation.processes():
        try:
            with open(f"/proc/{process}/cmdline", "rb") as text:  # noqa: PTH123
                if b"take_in" in text.read():
                    found.append(process)
        except OSError:
            continue
    return found


def kill_the_readers(installation: Installation) -> None:
    for process in readers(installation):
        os.kill(process, signal.SIGKILL)


def kill_the_worker(installation: Installation) -> None:
    os.kill(leader(installation, "worker"), signal.SIGKILL)


def on_file_once(content: bytes, rounds: int) -> None:
    with without_access_scope():
        log = RoundLog.objects.get()
        assert (log.sha256, log.lines, log.good) == (sha256(content), rounds, rounds)
        assert sum(each.rounds for each in segments_on_file(log.party)) == rounds
        assert set(Segment.objects.values_list("generation", flat=True)) == {1}
    assert Event.objects.filter(type="round_log.registered").count() == 1


@pytest.mark.services
def test_killed_on_every_way_a_log_is_registered_once(
    installation: Installation, room: Party, tmp_path: Path, long_log: bytes
) -> None:
    path = tmp_path / "night.jsonl"
    path.write_bytes(long_log)
    ingest = installation.start("ingest", "--operator", "room", str(path))
    wait_until(lambda: submissions() and is_read(1))
    ingest.kill()
    ingest.wait(10)
    kill_workers()
    installation.start("serve", "--only", "worker", "beat")
    for attempt, blow in ((2, kill_the_readers), (3, kill_the_worker)):
        wait_until(lambda attempt=attempt: is_read(attempt))
        reading = set(readers(installation))
        assert reading
        blow(installation)
        wait_until(lambda gone=reading: not gone & set(readers(installation)))
        kill_workers()
    wait_until(lambda: all_registered(1))
    on_file_once(long_log, ROUNDS)
    again = installation.manage("ingest", "--operator", "room", "--json", str(path))
    assert again.returncode == 0
    assert f'"already": {ROUNDS}' in again.stdout


def test_logs_of_one_operator_are_read_in_turn(
    installation: Installation, room: Party, tmp_path: Path
) -> None:
    party_for(Role.OPERATOR_CLERK, "other")
    logs = tmp_path / "logs"
    logs.mkdir()
    for number in range(3):
        rounds: list[dict[str, Any]] = [
            played(f"T3-{number}-{each}", EVENING + timedelta(minutes=each)) for each in range(50)
        ]
        for code in ("room", "other"):
            (logs / f"{code}-{number}").write_bytes(written(rounds))
    done = installation.manage("shell", "-v0", "-c", SUBMISSIONS.format(folder=logs))
    assert (done.returncode, done.stderr) == (0, "")
    # The worker's ingest, and two more alongside it, as on other machines.
    installation.start("serve", "--only", "worker", "beat")
    for _ in range(2):
        installation.start("take_in")
    wait_until(lambda: all_registered(6))
    with without_access_scope():
        for party in {each.party for each in submissions()}:
            generations = Segment.objects.filter(party=party).values_list("generation", flat=True)
            assert sorted(generations) == [1, 2, 3]
            assert sum(each.rounds for each in segments_on_file(party)) == 150
