"""Killed anywhere, a replay comes to what it comes to undisturbed: nothing lost, nothing double.

Real processes and real signals, on whatever database and broker the tests stand on.
"""

from __future__ import annotations

import json
import os
import resource
import signal
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.db import connection
from redis import Redis

from audits.models import Finding, PatternNight, Replay, ReplaySegment
from compliance.project.models import Heartbeat
from compliance.walls import without_walls
from tests.audits.replay.nights import many_nights
from tests.installation import Installation, wait_until
from tests.project.test_serve import children, leader

if TYPE_CHECKING:
    from collections.abc import Callable

FULL_AT = 1000
SEGMENTS = 12
ROUNDS = 400


@pytest.fixture(scope="module")
def nights() -> bytes:
    return many_nights(SEGMENTS, ROUNDS)


@pytest.fixture
def loaded(installation: Installation, nights: bytes) -> Installation:
    """A system with segments on file, judged once without disturbance."""
    installation.manage("shell", "-c", PARTIES)
    log = installation.var / "nights.jsonl"
    log.write_bytes(nights)
    took = installation.manage("ingest", "--operator", "cedar", "--json", str(log))
    assert took.returncode == 0, took.stderr
    return installation


PARTIES = """
from compliance.choices import PartyKind
from compliance.services.parties import register_party
register_party(kind=PartyKind.COMMISSION_UNIT, code="field", name="Field", agency=None, by=None)
register_party(kind=PartyKind.CARD_ROOM, code="cedar", name="Cedar", agency=None, by=None)
"""


def replayed(installation: Installation, *arguments: str) -> dict[str, Any]:
    ran = installation.manage("replay", "--operator", "cedar", "--json", *arguments)
    assert ran.returncode == 0, ran.stderr
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer


def counted() -> tuple[Any, ...]:
    """What the database holds of findings: rows, and what patterns count."""
    nights = PatternNight.objects.order_by("day", "pattern_id").values_list(
        "day", "pattern_id", "findings", "rounds", "over", "under"
    )
    shown = Finding.objects.order_by("day", "pattern_id", "identity").values_list(
        "day", "pattern_id", "identity"
    )
    return list(nights), list(shown)


def done(replay: dict[str, Any]) -> int:
    return ReplaySegment.objects.filter(replay__uuid=replay["replay"], state="done").count()


def ended(replay: dict[str, Any]) -> bool:
    return Replay.objects.filter(uuid=replay["replay"], ended__isnull=False).exists()


def worker_processes(installation: Installation) -> list[int]:
    worker = leader(installation, "worker")
    return [worker, *children(worker)]


def kill_who_works(installation: Installation) -> None:
    """The process that works: with Redis a child of the worker, with a folder the worker."""
    os.kill(worker_processes(installation)[-1], signal.SIGKILL)


def kill_the_worker(installation: Installation) -> None:
    os.kill(leader(installation, "worker"), signal.SIGKILL)


def kill_beat(installation: Installation) -> None:
    os.kill(leader(installation, "beat"), signal.SIGKILL)


def wipe_the_broker(installation: Installation) -> None:
    if broker := installation.configuration.get("BROKER_URL"):
        client = Redis.from_url(broker.replace("redis+socket", "unix"))
        client.flushall()
        client.close()
        return
    for message in (installation.var / "broker" / "messages").iterdir():
        with suppress(FileNotFoundError):
            message.unlink()


def cut_the_database_off(installation: Installation) -> None:
    """What a restart is to those who are connected; SQLite is nobody's server."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
    else:
        kill_the_worker(installation)


def kill_all_and_start_again(installation: Installation) -> None:
    for number in installation.processes():
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
    for process in installation.started:
        process.wait(10)
    installation.start("serve", "--only", "worker", "beat")


BLOWS: tuple[Callable[[Installation], None], ...] = (
    kill_who_works,
    wipe_the_broker,
    kill_beat,
    cut_the_database_off,
    kill_all_and_start_again,
)


def test_killed_and_wiped_while_segments_are_under_way_it_comes_to_the_same(
    loaded: Installation,
) -> None:
    quiet = replayed(loaded, "--wait")
    assert quiet["state"] == "done"
    assert quiet["findings"] > SEGMENTS * ROUNDS
    with without_walls():
        before = counted()
        loaded.start("serve", "--only", "worker", "beat")
        leader(loaded, "worker")
        begun = replayed(loaded)
        assert begun["fingerprint"] == quiet["fingerprint"]
        for number, blow in enumerate(BLOWS):
            wait_until(lambda least=1 + 2 * number: done(begun) >= least, seconds=120)
            assert not ended(begun), "It was over before it was disturbed: deal more rounds."
            blow(loaded)
        wait_until(lambda: ended(begun), seconds=120)
        replay = Replay.objects.get(uuid=begun["replay"])
        assert (replay.state, replay.failure) == ("done", "")
        assert (replay.digest, replay.findings) == (quiet["digest"], quiet["findings"])
        assert set(replay.shares.values_list("state", "token")) == {("done", None)}
        assert counted() == before
        assert set(Finding.objects.values_list("standing", flat=True)) == {"confirmed"}


def test_a_full_disk_only_makes_it_wait(loaded: Installation) -> None:
    quiet = replayed(loaded, "--wait")
    with without_walls():
        loaded.start("serve", "--only", "worker", "beat")
        wait_until(Heartbeat.objects.exists)  # beat sent it, the worker wrote it: both are up
        fill_the_disk_of(loaded)
        begun = replayed(loaded)
        wait_until(lambda: was_tried(loaded, begun), seconds=180)
        replay = Replay.objects.get(uuid=begun["replay"])
        assert done(begun) == 0
        assert replay.state in {"waiting", "running"}
        kill_all_and_start_again(loaded)
        wait_until(lambda: ended(begun), seconds=180)
        replay.refresh_from_db()
        assert (replay.state, replay.digest) == ("done", quiet["digest"])


def on_redis() -> bool:
    """Whether a worker forks processes that work."""
    return settings.BROKER_URL.startswith("redis")


def was_tried(installation: Installation, replay: dict[str, Any]) -> bool:
    """Whether a worker took the work up: a share says why not, or the folder's messages are gone.

    A worker that can write nothing to SQLite leaves no other trace of having tried.
    """
    if on_redis():
        shares = ReplaySegment.objects.filter(replay__uuid=replay["replay"])
        return shares.exclude(failure="").exists()
    return not any((installation.var / "broker" / "messages").iterdir())


def fill_the_disk_of(installation: Installation) -> None:
    """Let no process write a file beyond a kilobyte: what a full disk is to it.

    What a process starts is born under its limit; so it is over when a look finds none without.
    """
    free = True
    while free:
        free = False
        for process in installation.processes():
            with suppress(ProcessLookupError):  # it ended meanwhile
                least, most = resource.prlimit(process, resource.RLIMIT_FSIZE)
                if least != FULL_AT:
                    resource.prlimit(process, resource.RLIMIT_FSIZE, (FULL_AT, most))
                    free = True
