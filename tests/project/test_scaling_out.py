"""Web and two workers on separate machines, with folders of their own, sharing named URLs."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
import urllib.request
from typing import TYPE_CHECKING

import pytest
from django.conf import settings

from audits.replay.models import Replay, ReplaySegment
from compliance.access.scope import without_access_scope
from compliance.jobs.models import Job
from games.kernel import cache_directory
from tests import servers
from tests.audits.replay.nights import many_nights
from tests.audits.replay.test_killed_anywhere import PARTIES, counted, ended, replayed
from tests.installation import PATIENCE, ROOT, Installation, wait_until
from tests.project.test_serve import address, leader

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("kernels")

CODE = ["manage.py", "games", "compliance", "audits", "reports", "templates"]
SEGMENTS = 12
ROUNDS = 400
SECONDS_UNTIL_UNDER_WAY_AGAIN = 60
"""The longest that a killed worker's segment may wait for another worker."""


def machine(folder: Path, shared: dict[str, str]) -> Installation:
    """Set up another machine: only the program and a `VAR` of its own."""
    folder.mkdir()
    for name in CODE:
        place = ROOT / name
        if place.is_dir():
            shutil.copytree(place, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(place, folder / name)
    (folder / "var").mkdir()
    return Installation(folder / "var", shared, root=folder)


@pytest.fixture
def machines(
    tmp_path: Path, own_database: str, s3_url: str, kernels: None
) -> Iterator[list[Installation]]:
    del kernels
    with servers.fresh_broker(settings.BROKER_URL) as broker:
        assert broker
        shared = {
            "DATABASE_URL": own_database,
            "BROKER_URL": broker,
            "ARCHIVE_URL": s3_url,
            "SECRET_KEY": "the same for all, or a session would hold on one machine only",
            "PORT": "0",
            "WORKERS": "1",
            # Compiling takes each of them a minute and proves nothing here.
            "KERNEL_CACHE": str(cache_directory().parent),
        }
        made = [machine(tmp_path / name, shared) for name in ("web", "one", "two")]
        yield made
        for each in made:
            each.end()


def send(machine: Installation, what: signal.Signals) -> None:
    for number in machine.processes():
        os.kill(number, what)


def kill_one_while_both_work(one: Installation, two: Installation) -> list[int]:
    """Kill a machine while each has a segment; return the ids of both segments' units.

    Both are paused for a look at the ledger, so that it can't change.
    """
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        for each in (one, two):
            send(each, signal.SIGSTOP)
        time.sleep(0.1)  # the database completes what it was already sent
        units = Job.objects.filter(kind=ReplaySegment.JOB, state=Job.State.RUNNING)
        leased = list(units.values_list("subject", flat=True))
        # A worker with one process audits one segment at a time.
        if len(leased) == 2:
            send(one, signal.SIGKILL)
        for each in (one, two):
            send(each, signal.SIGCONT)
        if len(leased) == 2:
            return leased
        time.sleep(0.2)
    pytest.fail("The two never worked at the same time.")


def is_resumed(units: list[int]) -> bool:
    """Return whether a second worker has leased the killed one's work unit."""
    again = Job.objects.filter(kind=ReplaySegment.JOB, subject__in=units, unreturned=2)
    done = ReplaySegment.objects.filter(pk__in=units, state=ReplaySegment.State.DONE)
    return again.exists() or done.count() == len(units)


@pytest.mark.services
def test_two_workers_finish_a_replay_if_one_is_killed(
    machines: list[Installation], tmp_path: Path
) -> None:
    web, one, two = machines
    web.manage("shell", "-c", PARTIES)
    nights = tmp_path / "nights.jsonl"
    nights.write_bytes(many_nights(SEGMENTS, ROUNDS))
    took = web.manage("ingest", "--operator", "cedar", "--json", str(nights))
    assert took.returncode == 0, took.stderr
    quiet = replayed(web, "--wait")
    assert quiet["state"] == "done"
    assert quiet["findings"] > SEGMENTS * ROUNDS

    web.start("serve", "--only", "web", "beat")
    for each in (one, two):
        each.start("serve", "--only", "worker")
        leader(each, "worker")
    with urllib.request.urlopen(f"{address(web)}/readyz", timeout=PATIENCE) as answer:
        ready = json.load(answer)
    # An S3 store can't report how much room it has.
    assert ready.pop("archive_space") == "unknown"
    assert set(ready.values()) == {"ok"}
    with without_access_scope():
        before = counted()
        begun = replayed(web)
        assert begun["fingerprint"] == quiet["fingerprint"]
        killed = kill_one_while_both_work(one, two)
        assert not ended(begun)
        wait_until(
            lambda: is_resumed(killed),
            seconds=SECONDS_UNTIL_UNDER_WAY_AGAIN,
        )
        wait_until(lambda: ended(begun))
        replay = Replay.objects.get(uuid=begun["replay"])
        assert (replay.state, replay.failure) == ("done", "")
        assert replay.units.count() == SEGMENTS
        assert (replay.digest, replay.findings) == (quiet["digest"], quiet["findings"])
        assert set(replay.units.values_list("state", flat=True)) == {"done"}
        assert counted() == before
    assert one.processes() == []
