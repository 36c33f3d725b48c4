"""How far the signed log lags at a thousand events per second, and what its parts cost.

    .venv/bin/python -m tests.bench.event_log [SECONDS]

It uses the database of `DATABASE_URL`, or SQLite in a folder of its own. Writers commit each event
in its own transaction; an integrator runs once per second alongside, as beat starts it.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from compliance.event_log.models import Leaf

WANTED = 1000  # events per second


def main(seconds: float) -> None:
    """Measure in a fresh database and print."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    from tests.databases import Databases

    with tempfile.TemporaryDirectory() as folder:
        databases = Databases(Path(folder))
        try:
            with databases.using(databases.copy()):
                for line in figures(seconds):
                    sys.stdout.write(f"{line}\n")
        finally:
            databases.drop_all()


def figures(seconds: float) -> list[str]:
    """Measure the lag under load, then each part alone."""
    from django.db import connection

    from compliance.event_log.models import Leaf
    from compliance.event_log.verification import verify_log

    rate = _load(seconds, writers=1 if connection.vendor == "sqlite" else 4)
    lags = _lags()
    lines = [
        f"event log on {connection.vendor}: {rate:,.0f} events/s committed one by one, {WANTED} "
        f"wanted; signed {statistics.median(lags):.2f} s later, {max(lags):.2f} s at most",
        f"integrate a backlog: {_backlog(10 * WANTED):,.0f} events/s",
    ]
    started = time.perf_counter()
    answer = verify_log()
    lines.append(f"verify log: {answer.checked / (time.perf_counter() - started):,.0f} rows/s")
    assert not answer.problems, answer.problems[:3]
    leaves = list(Leaf.objects.order_by("-index")[:WANTED])
    return [*lines, *_proofs(leaves)]


def _load(seconds: float, writers: int) -> float:
    """Write at the target rate while the integrator runs; return the rate achieved.

    Several writers let commits wait for the disk in parallel.
    """
    from django.db import connection, transaction

    from compliance.event_log.writes import integrate

    done, written, started = threading.Event(), [0] * writers, time.perf_counter()

    def beat() -> None:
        while not done.wait(1):
            integrate()
        integrate()
        connection.close()

    def write(which: int) -> None:
        while (now := time.perf_counter() - started) < seconds:
            for _ in range(max(0, int(now * WANTED / writers) - written[which])):
                with transaction.atomic():
                    _happen()
                written[which] += 1
            time.sleep(0.001)
        connection.close()

    integrator = threading.Thread(target=beat)
    threads = [threading.Thread(target=write, args=[which]) for which in range(writers)]
    for thread in (integrator, *threads):
        thread.start()
    for thread in threads:
        thread.join()
    took = time.perf_counter() - started
    done.set()
    integrator.join()
    return sum(written) / took


def _lags() -> list[float]:
    """Return for each event how long it took until a signed checkpoint covered it."""
    from compliance.event_log.models import Checkpoint, Leaf

    ends = list(Checkpoint.objects.order_by("size").values_list("size", "at"))
    lags, at = [], 0
    for index, happened in Leaf.objects.order_by("index").values_list("index", "event__at"):
        while ends[at][0] <= index:
            at += 1
        lags.append((ends[at][1] - happened).total_seconds())
    return lags


def _backlog(size: int) -> float:
    from django.db import transaction

    from compliance.event_log.writes import integrate

    with transaction.atomic():
        for _ in range(size):
            _happen()
    started = time.perf_counter()
    return integrate() / (time.perf_counter() - started)


def _proofs(leaves: list[Leaf]) -> list[str]:
    from compliance.event_log.tree import (
        StoredTiles,
        inclusion_proof,
        newest_checkpoint,
        trusted_keys,
    )
    from compliance.event_log.verifier import InclusionProof

    newest, tiles, keys = newest_checkpoint(), StoredTiles(), trusted_keys()
    assert newest is not None
    started = time.perf_counter()
    texts = [inclusion_proof(leaf, newest, tiles) for leaf in leaves]
    written = time.perf_counter()
    for leaf, text in zip(leaves, texts, strict=True):
        InclusionProof.parse(text).check(bytes(leaf.hash), keys)
    checked = time.perf_counter()
    return [
        f"write proofs: {len(leaves) / (written - started):,.0f}/s",
        f"check proofs offline: {len(leaves) / (checked - written):,.0f}/s",
    ]


def _happen() -> None:
    from compliance.event_log.events import EXPORTED
    from compliance.events.actor import Actor
    from compliance.events.models import ActorKind
    from compliance.events.record import record

    by = Actor(ActorKind.PERSON, name="A person of an operator")
    record(EXPORTED, by=by, carries={"count": 1, "filter": "bench", "size": 1})


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 10)
