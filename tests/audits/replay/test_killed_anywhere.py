"""Killed anywhere, a replay has the same result as an undisturbed one: nothing lost or doubled.

It uses real processes and real signals on PostgreSQL and Redis. Without servers, an audit is killed
in `tests/project/test_audit.py`.
"""

from __future__ import annotations

import json
import os
import resource
import signal
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models.functions import Now
from redis import Redis

from audits.replay.findings.models import Finding, IssueNight
from audits.replay.models import Replay, ReplaySegment
from compliance.access.scope import without_access_scope
from compliance.jobs.models import Job
from tests.audits.replay.nights import many_nights
from tests.installation import Installation, wait_until
from tests.project.test_serve import children, leader
from tests.servers import own_postgres

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from django.db.models import QuerySet
    from pytest_django.plugin import DjangoDbBlocker

    from tests.databases import Databases
    from tests.servers import Postgres

pytestmark = pytest.mark.usefixtures("kernels")

FULL_AT = 1000
SEGMENTS = 16
ROUNDS = 400


@pytest.fixture(scope="module")
def nights() -> bytes:
    return many_nights(SEGMENTS, ROUNDS)


@pytest.fixture
def server() -> Iterator[Postgres]:
    """Start a server that this test may kill, because the others share theirs."""
    with own_postgres() as own:
        yield own


@pytest.fixture
def own_database(
    server: Postgres, databases: Databases, django_db_blocker: DjangoDbBlocker
) -> Iterator[str]:
    """Create the database in it."""
    with django_db_blocker.unblock(), databases.standing_on(server):
        call_command("migrate", verbosity=0)
        yield server.url


@pytest.fixture
def loaded(installation: Installation, nights: bytes) -> Installation:
    """Return a system with segments on file, audited once without disturbance."""
    installation.manage("shell", "-c", PARTIES)
    log = installation.var / "nights.jsonl"
    log.write_bytes(nights)
    took = installation.manage("ingest", "--operator", "cedar", "--json", str(log))
    assert took.returncode == 0, took.stderr
    return installation


PARTIES = """
from compliance.access.permissions import PartyKind
from compliance.people.writes import register_party
register_party(kind=PartyKind.COMMISSION_UNIT, code="field", name="Field", agency=None, by=None)
register_party(kind=PartyKind.CARD_ROOM, code="cedar", name="Cedar", agency=None, by=None)
"""


def replayed(installation: Installation, *arguments: str) -> dict[str, Any]:
    ran = installation.manage("replay", "--operator", "cedar", "--json", *arguments)
    assert ran.returncode == 0, ran.stderr
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer


def counted() -> tuple[Any, ...]:
    """Return what the database has of a replay's findings: rows, and the counts of issues."""
    nights = IssueNight.objects.order_by("day", "issue_id").values_list(
        "day", "issue_id", "findings", "rounds", "over", "under"
    )
    shown = replayed_findings().order_by("day", "issue_id", "identity")
    return (
        list(nights.exclude(issue__code__startswith="watch.")),
        list(shown.values_list("day", "issue_id", "identity")),
    )


def replayed_findings() -> QuerySet[Finding]:
    """Return the findings of replays: nights dealt alike also raise the watch's alarms."""
    return Finding.objects.exclude(issue__code__startswith="watch.")


def done(replay: dict[str, Any]) -> int:
    return ReplaySegment.objects.filter(replay__uuid=replay["replay"], state="done").count()


def ended(replay: dict[str, Any]) -> bool:
    return Replay.objects.filter(uuid=replay["replay"], ended__isnull=False).exists()


def goes_on(replay: dict[str, Any], *, least: int) -> None:
    """Wait until `least` is done; the replay must not end undisturbed, nor from a failure."""
    wait_until(lambda: done(replay) >= least or ended(replay))
    if ended(replay):
        found = Replay.objects.get(uuid=replay["replay"])
        pytest.fail(f"{found.state} too early: deal more rounds? {found.failure}")


def worker_processes(installation: Installation) -> list[int]:
    worker = leader(installation, "worker")
    return [worker, *children(worker)]


def kill_who_works(installation: Installation) -> None:
    """Kill the process that works, a child of the worker."""
    os.kill(worker_processes(installation)[-1], signal.SIGKILL)


def kill_the_worker(installation: Installation) -> None:
    os.kill(leader(installation, "worker"), signal.SIGKILL)


def kill_beat(installation: Installation) -> None:
    os.kill(leader(installation, "beat"), signal.SIGKILL)


def kill_the_web(installation: Installation) -> None:
    os.kill(leader(installation, "gunicorn"), signal.SIGKILL)


def wipe_the_broker(installation: Installation) -> None:
    broker = installation.configuration["BROKER_URL"]
    client = Redis.from_url(broker.replace("redis+socket", "unix"))
    client.flushall()
    client.close()


def kill_all_and_start_again(installation: Installation) -> None:
    for number in installation.processes():
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
    for process in installation.started:
        process.wait(10)
    installation.start("serve")


def let_leases_end(replay: dict[str, Any]) -> None:
    """Expire the leases of a killed worker: ten seconds by the database's clock."""
    group = Replay.objects.get(uuid=replay["replay"]).pk
    leased = Job.objects.filter(group=group, state=Job.State.RUNNING)
    leased.update(lease_until=Now() - timedelta(seconds=1))


def fill_the_disk_until_it_was_tried(installation: Installation) -> None:
    """Fill the disk: work waits and fails nowhere. Processes started afterward have room."""
    fill_the_disk_of(installation)
    # A job that already had its files may be finished.
    running = set(Job.objects.filter(state=Job.State.RUNNING).values_list("subject", flat=True))
    done_before = units("done")
    wait_until(Job.objects.filter(failure__contains="File too large").exists)
    assert units("done") - done_before <= running
    assert Replay.objects.filter(state__in=["waiting", "running"]).exists()
    assert not units("failed")


def units(state: str) -> set[int]:
    return set(ReplaySegment.objects.filter(state=state).values_list("pk", flat=True))


def fill_the_disk_of(installation: Installation) -> None:
    """Let no process write a file beyond a kilobyte, which is the same to it as a full disk.

    A child process starts with its parent's limit, so this is done when no process is without one.
    """
    free = True
    while free:
        free = False
        for process in installation.processes():
            with suppress(ProcessLookupError):  # it ended in the meantime
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
    """Kill the server while it is in use, and restart it on what it has on disk."""
    server.end(by=signal.SIGKILL)
    server.start()
    connection.close()


@pytest.mark.services
def test_killed_and_wiped_segments_give_the_same_result(
    loaded: Installation, server: Postgres
) -> None:
    quiet = replayed(loaded, "--wait")
    assert quiet["state"] == "done"
    assert quiet["findings"] > SEGMENTS * ROUNDS
    with without_access_scope():
        before = counted()
        loaded.start("serve")
        leader(loaded, "worker")
        leader(loaded, "gunicorn")
        begun = replayed(loaded)
        assert begun["fingerprint"] == quiet["fingerprint"]
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
        assert set(replay.units.values_list("state", flat=True)) == {"done"}
        assert counted() == before
        assert set(replayed_findings().values_list("standing", flat=True)) == {"confirmed"}
