"""Killed anywhere, a replay comes to what it comes to undisturbed: nothing lost, nothing double.

Real processes and real signals, on whatever database and broker the tests stand on.
"""

from __future__ import annotations

import json
import os
import resource
import signal
from contextlib import ExitStack, suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from redis import Redis

from audits.models import Finding, PatternNight, Replay, ReplaySegment
from compliance.walls import without_walls
from tests.audits.replay.nights import many_nights
from tests.installation import Installation, wait_until
from tests.project.test_serve import children, leader
from tests.servers import own_postgres

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_django.plugin import DjangoDbBlocker

    from tests.databases import Databases
    from tests.servers import Postgres

FULL_AT = 1000
SEGMENTS = 16
ROUNDS = 400


@pytest.fixture(scope="module")
def nights() -> bytes:
    return many_nights(SEGMENTS, ROUNDS)


@pytest.fixture
def server() -> Iterator[Postgres | None]:
    """On PostgreSQL a server of this test's own, which it may kill: the others share theirs."""
    if connection.vendor != "postgresql":
        yield None
        return
    with own_postgres() as own:
        yield own


@pytest.fixture
def own_database(
    server: Postgres | None, databases: Databases, django_db_blocker: DjangoDbBlocker
) -> Iterator[str]:
    """The database in it; where there is no server, as everywhere."""
    with django_db_blocker.unblock(), ExitStack() as stands:
        if server is None:
            name = databases.copy()
            stands.enter_context(databases.using(name))
            yield databases.url(name)
        else:
            stands.enter_context(databases.standing_on(server))
            call_command("migrate", verbosity=0)
            yield server.url


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


def goes_on(replay: dict[str, Any], *, least: int) -> None:
    """Wait until so much of it is done; it ends neither before it is disturbed nor by a blow."""
    wait_until(lambda: done(replay) >= least or ended(replay))
    if ended(replay):
        found = Replay.objects.get(uuid=replay["replay"])
        pytest.fail(f"{found.state} too early: deal more rounds? {found.failure}")


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


def kill_the_web(installation: Installation) -> None:
    os.kill(leader(installation, "gunicorn"), signal.SIGKILL)


def wipe_the_broker(installation: Installation) -> None:
    if broker := installation.configuration.get("BROKER_URL"):
        client = Redis.from_url(broker.replace("redis+socket", "unix"))
        client.flushall()
        client.close()
        return
    for message in (installation.var / "broker" / "messages").iterdir():
        with suppress(FileNotFoundError):
            message.unlink()


def kill_all_and_start_again(installation: Installation) -> None:
    for number in installation.processes():
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
    for process in installation.started:
        process.wait(10)
    installation.start("serve")


def let_leases_end(replay: dict[str, Any]) -> None:
    """Let ten seconds pass for who was killed; that they do pass is the database's clock's."""
    leased = ReplaySegment.objects.filter(replay__uuid=replay["replay"], state="leased")
    leased.update(lease_until=timezone.now() - timedelta(seconds=1))


def on_redis() -> bool:
    """Whether a worker forks processes that work."""
    return settings.BROKER_URL.startswith("redis")


def fill_the_disk_until_it_was_tried(installation: Installation) -> None:
    """Let there be no room: it waits, and fails nowhere. Who is started afterwards has room."""
    fill_the_disk_of(installation)
    done_before, held = shares("done"), shares("leased")
    wait_until(lambda: was_tried(installation))
    # To SQLite nothing is written any more. Elsewhere what had its files already may be finished.
    may_be_done = held if connection.vendor == "postgresql" else set()
    assert shares("done") - done_before <= may_be_done
    assert Replay.objects.filter(state__in=["waiting", "running"]).exists()
    assert not shares("failed")


def shares(state: str) -> set[int]:
    return set(ReplaySegment.objects.filter(state=state).values_list("pk", flat=True))


def was_tried(installation: Installation) -> bool:
    """Whether a worker took the work up: a share says why not, or the folder's messages are gone.

    A worker that can write nothing to SQLite leaves no other trace of having tried.
    """
    if on_redis():
        return ReplaySegment.objects.filter(failure__contains="File too large").exists()
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


BLOWS: tuple[Callable[[Installation], None], ...] = (
    kill_who_works,
    wipe_the_broker,
    kill_beat,
    kill_the_web,
    fill_the_disk_until_it_was_tried,
)


def kill_the_database(server: Postgres) -> None:
    """Let the server die under those who work, and start it again on what it has on disk."""
    server.end(by=signal.SIGKILL)
    server.start()
    connection.close()


def test_killed_and_wiped_while_segments_are_under_way_it_comes_to_the_same(
    loaded: Installation, server: Postgres | None
) -> None:
    quiet = replayed(loaded, "--wait")
    assert quiet["state"] == "done"
    assert quiet["findings"] > SEGMENTS * ROUNDS
    with without_walls():
        before = counted()
        loaded.start("serve")
        leader(loaded, "worker")
        leader(loaded, "gunicorn")
        begun = replayed(loaded)
        assert begun["fingerprint"] == quiet["fingerprint"]
        if server is not None:
            goes_on(begun, least=1)
            kill_the_database(server)
        for number, blow in enumerate(BLOWS):
            goes_on(begun, least=3 + 2 * number)
            blow(loaded)
            let_leases_end(begun)
        kill_all_and_start_again(loaded)
        let_leases_end(begun)
        wait_until(lambda: ended(begun))
        replay = Replay.objects.get(uuid=begun["replay"])
        assert (replay.state, replay.failure) == ("done", "")
        assert (replay.digest, replay.findings) == (quiet["digest"], quiet["findings"])
        assert set(replay.shares.values_list("state", "token")) == {("done", None)}
        assert counted() == before
        assert set(Finding.objects.values_list("standing", flat=True)) == {"confirmed"}
