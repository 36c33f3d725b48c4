"""Killed anywhere while a log is read: it is registered once, nothing is double or half."""

from __future__ import annotations

import os
import signal
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from audits.models import HandIn, RoundLog, Segment
from audits.selectors.round_logs import segments_on_file
from compliance.choices import Role
from compliance.models import Event
from compliance.walls import without_walls
from tests.audits.hand_in.logs import EVENING, played, sha256, written
from tests.compliance.people import party_for
from tests.installation import Installation, wait_until
from tests.project.test_serve import leader

if TYPE_CHECKING:
    from pathlib import Path

    from compliance.models import Party

HAND_IN = """
import sys
from compliance.actor import SYSTEM
from compliance.models import Party
from compliance.walls import without_walls
from audits.services.hand_in import hand_in_whole
with without_walls():
    party = Party.objects.get(code="{code}")
with open("{path}", "rb") as content:
    hand_in_whole(party=party, name="{name}", content=content, by=SYSTEM)
"""
ROUNDS = 250_000


@pytest.fixture
def room(own_database: str) -> Party:
    return party_for(Role.OPERATOR_CLERK, "room")


@pytest.fixture(scope="module")
def long_log() -> bytes:
    """A log that takes some seconds to be read."""
    (line,) = written([played("T3-000000", EVENING)]).splitlines(keepends=True)
    return b"".join(line.replace(b"T3-000000", b"T3-%06d" % number) for number in range(ROUNDS))


def hand_in(installation: Installation, path: Path, content: bytes, code: str = "room") -> None:
    path.write_bytes(content)
    done = installation.manage(
        "shell", "-v0", "-c", HAND_IN.format(code=code, path=path, name=path.name)
    )
    assert (done.returncode, done.stderr) == (0, "")


def hand_ins() -> list[HandIn]:
    with without_walls():
        return list(HandIn.objects.order_by("pk"))


def is_read(attempt: int) -> bool:
    (found,) = hand_ins()
    return found.state == "reading" and found.attempts == attempt and bool(found.step)


def let_leases_end() -> None:
    """Let half a minute pass for who was killed; that it does pass is the database's clock's."""
    with without_walls():
        HandIn.objects.filter(state="reading").update(lease_until=timezone.now())


def all_registered(count: int) -> bool:
    states = [each.state for each in hand_ins()]
    assert "refused" not in states
    return states == ["registered"] * count


def readers(installation: Installation) -> list[int]:
    found = []
    for process in installation.processes():
        try:
            with open(f"/proc/{process}/cmdline", "rb") as said:  # noqa: PTH123
                if b"take_in" in said.read():
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
    with without_walls():
        log = RoundLog.objects.get()
        assert (log.sha256, log.lines, log.good) == (sha256(content), rounds, rounds)
        assert sum(each.rounds for each in segments_on_file(log.party)) == rounds
        assert set(Segment.objects.values_list("generation", flat=True)) == {1}
    assert Event.objects.filter(type="round_log.registered").count() == 1


def test_killed_on_every_way_a_log_is_registered_once(
    installation: Installation, room: Party, tmp_path: Path, long_log: bytes
) -> None:
    path = tmp_path / "night.jsonl"
    path.write_bytes(long_log)
    ingest = installation.start("ingest", "--operator", "room", str(path))
    wait_until(lambda: hand_ins() and is_read(1))
    ingest.kill()
    ingest.wait(10)
    let_leases_end()
    installation.start("serve", "--only", "worker", "beat")
    for attempt, blow in ((2, kill_the_readers), (3, kill_the_worker)):
        wait_until(lambda attempt=attempt: is_read(attempt))
        reading = set(readers(installation))
        assert reading
        blow(installation)
        wait_until(lambda gone=reading: not gone & set(readers(installation)))
        let_leases_end()
    wait_until(lambda: all_registered(1))
    on_file_once(long_log, ROUNDS)
    assert hand_ins()[0].attempts == 4
    again = installation.manage("ingest", "--operator", "room", "--json", str(path))
    assert again.returncode == 0
    assert f'"already": {ROUNDS}' in again.stdout


def test_logs_of_one_operator_are_read_one_after_the_other_and_of_two_all_get_in(
    installation: Installation, room: Party, tmp_path: Path
) -> None:
    party_for(Role.OPERATOR_CLERK, "other")
    for number in range(3):
        rounds: list[dict[str, Any]] = [
            played(f"T3-{number}-{each}", EVENING + timedelta(minutes=each)) for each in range(50)
        ]
        for code in ("room", "other"):
            hand_in(installation, tmp_path / f"{code}-{number}", written(rounds), code)
    # The worker's reader, and two more beside it, as on other machines.
    installation.start("serve", "--only", "worker", "beat")
    for _ in range(2):
        installation.start("take_in")
    wait_until(lambda: all_registered(6))
    with without_walls():
        for party in {each.party for each in hand_ins()}:
            generations = Segment.objects.filter(party=party).values_list("generation", flat=True)
            assert sorted(generations) == [1, 2, 3]
            assert sum(each.rounds for each in segments_on_file(party)) == 150
