"""Two machines share a night of millions on PostgreSQL and Redis, and one of them is killed.

`DEEP_SHARED_ROUNDS` is the number of rounds in the night. The small twin is in
`tests/project/test_scaling_out.py`; here the archive is a folder that both machines reach.
"""

from __future__ import annotations

import json
import os
import signal
import time
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from games.setup import read_setup
from tests.bench.long_log import CLOSING, GAME, OPENING, write_long_log
from tests.installation import wait_until
from tests.project.test_scaling_out import machine, send
from tests.project.test_serve import leader

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.installation import Installation

ROUNDS = int(os.environ.get("DEEP_SHARED_ROUNDS", "1000000"))
SECONDS = 300 + ROUNDS // 2_000
"""For each step; a step that takes longer hangs."""
SETUP = f"""
from datetime import datetime
from audits.replay.terms import terms_of
from compliance.models import Party
from compliance.access.scope import without_access_scope
begin, end = map(datetime.fromisoformat, ("{OPENING.isoformat()}", "{CLOSING.isoformat()}"))
with without_access_scope():
    operator = Party.objects.get(code="cedar")
    print(terms_of(operator=operator, game="{GAME}", begin=begin, end=end).spans[0].setup)
"""
LEASED = "SELECT id FROM compliance_job WHERE kind = 'work_unit' AND state = 'running'"


class Night:
    """Two machines and what they share."""

    def __init__(self, one: Installation, two: Installation, database: str) -> None:
        self.one, self.two = one, two
        self._database = database

    def asked(self, query: str) -> list[tuple[Any, ...]]:
        """Return rows of the database that both use."""
        with psycopg.connect(self._database) as connection:
            return connection.execute(query).fetchall()

    def managed(self, *arguments: str) -> str:
        """Return the output of a command that must succeed."""
        ran = self.two.manage(*arguments, seconds=SECONDS)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    def replayed(self, *arguments: str) -> dict[str, Any]:
        """Start a replay of the operator's rounds; return its final state."""
        body = self.managed("replay", "--operator", "cedar", "--json", *arguments)
        answer: dict[str, Any] = json.loads(body)
        return answer

    def kill_one_while_both_work(self) -> None:
        """Kill one machine, with both paused for a look at the ledger so that it can't change."""
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            for each in (self.one, self.two):
                send(each, signal.SIGSTOP)
            time.sleep(0.1)  # the database completes what it was already sent
            both = len(self.asked(LEASED)) == 2
            if both:
                send(self.one, signal.SIGKILL)
            for each in (self.one, self.two):
                send(each, signal.SIGCONT)
            if both:
                return
            time.sleep(0.2)
        pytest.fail("The two never worked at the same time.")


@pytest.fixture
def night(tmp_path: Path, postgres_url: str, redis_url: str, kernels: None) -> Iterator[Night]:
    del kernels
    name = f"night_{os.getpid()}"
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
    database = f"{postgres_url.rsplit('/', 1)[0]}/{name}"
    shared = {
        "DATABASE_URL": database,
        "BROKER_URL": redis_url,
        "ARCHIVE_URL": str(tmp_path / "archive"),
        "SECRET_KEY": "the same for both",
        "PORT": "0",
        "WORKERS": "1",
    }
    one, two = (machine(tmp_path / name, shared) for name in ("one", "two"))
    yield Night(one, two, database)
    for each in (one, two):
        each.end()


@pytest.mark.deep
def test_killed_worker_does_not_change_findings(night: Night, tmp_path: Path) -> None:
    night.managed("migrate", "--verbosity=0")
    night.managed("load_demonstration")
    log = tmp_path / "night.jsonl"
    setup = read_setup(night.managed("shell", "-v", "0", "-c", SETUP))
    write_long_log(log, setup, ROUNDS)
    night.managed("ingest", "--operator", "cedar", "--json", str(log))
    log.unlink()
    quiet = night.replayed("--wait")
    assert (quiet["state"], quiet["rounds"]) == ("done", ROUNDS)
    assert quiet["findings"] > 0

    for each in (night.one, night.two):
        each.start("serve", "--only", "worker", "beat")
        leader(each, "worker")
    begun = night.replayed()
    assert begun["fingerprint"] == quiet["fingerprint"]
    replay = f"FROM audits_replay WHERE uuid = '{begun['replay']}'"
    night.kill_one_while_both_work()
    assert night.asked(f"SELECT ended {replay}") == [(None,)]
    wait_until(lambda: night.asked(f"SELECT ended {replay}") != [(None,)], seconds=SECONDS)
    outcome = night.asked(f"SELECT state, digest, findings, rounds {replay}")
    assert outcome == [("done", quiet["digest"], quiet["findings"], ROUNDS)]
    assert night.one.processes() == []
