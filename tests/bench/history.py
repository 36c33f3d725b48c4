"""How the cost of a night depends on the nights on file: 50, 500 and 5,000 nights of 14 rounds.

    .venv/bin/python -m tests.bench.history NIGHTS

One operator without approvals, so that every round has findings. All nights are submitted in one
log and audited by one replay; then five rounds are submitted and a round is found, all in this
process. `BENCH_NIGHTS` are the numbers of nights.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.bench.measure import Row

if TYPE_CHECKING:
    from collections.abc import Iterator

NIGHTS: Final = tuple(map(int, os.environ.get("BENCH_NIGHTS", "50 500 5000").split()))
ROUNDS: Final = 14
FIRST: Final = date(2008, 7, 12)
TIMES_MORE: Final = 1.1
"""How much more than in proportion to its nights a history may cost."""
MOST_SECONDS: Final = (180, 60)
SUBMISSION: Final = (1.05, 1.0)
FIND_SECONDS: Final = (0.1, 0.05)
TRIES: Final = 3

TEXT: Final = f"""Nights of {ROUNDS} rounds of an operator without approvals, so that each round has
findings; SQLite, in one process. All are submitted in one log and audited by one replay. A
submission of five rounds is compared with that of an operator who has one night on file.

"""

Figures = dict[str, float]


def rows() -> Iterator[Row]:
    """Yield what more nights cost beside fewer, in CPU seconds."""
    few: Figures = {}
    for nights in NIGHTS:
        figures = _run(nights)
        few = few or figures | {"nights": nights}
        seconds = figures["replay"]
        if nights > few["nights"]:
            ratio, times = seconds / few["replay"], nights / few["nights"]
            yield Row(
                f"{nights:,} nights replayed beside {few['nights']:,}", f"{seconds:.1f} s",
                f"{few['replay']:.2f} s", ratio, TIMES_MORE * times, times, less=True,
            )  # fmt: skip
        yield Row(
            f"{nights:,} nights replayed", f"{1000 * seconds / nights:.1f} ms a night",
            f"{figures['queries'] / nights:.0f} queries a night", seconds, *MOST_SECONDS, "s",
            less=True,
        )  # fmt: skip
        yield Row(
            f"five rounds submitted with {nights:,} nights on file",
            f"{1000 * figures['submission']:.0f} ms", f"{1000 * figures['first']:.0f} ms",
            figures["submission"] / figures["first"], *SUBMISSION, less=True,
        )  # fmt: skip
        yield Row(
            f"a round found among {nights:,} nights", f"{1000 * figures['find']:.0f} ms", "",
            figures["find"], *FIND_SECONDS, "s", less=True,
        )  # fmt: skip


def _run(nights: int) -> Figures:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.bench.history", str(nights)],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    figures: Figures = json.loads(ran.stdout.splitlines()[-1])
    return figures


def main(nights: int) -> None:
    """Measure in a fresh database and archive, and print the figures as JSON."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
        import django

        django.setup()
        from django.test.utils import override_settings

        from compliance.secret import Secret
        from tests.databases import Databases

        databases = Databases(folder)
        try:
            with (
                override_settings(VAR=folder / "var", ARCHIVE_URL=Secret(str(folder / "archive"))),
                databases.using(databases.copy()),
            ):
                sys.stdout.write(json.dumps(measured(nights)))
        finally:
            databases.drop_all()


def measured(nights: int) -> Figures:
    """Return CPU seconds by what was done, and the queries of the replay."""
    from django.db import connection

    from audits.intake.rounds import find_round
    from audits.replay.models import Replay
    from audits.replay.writes import Scope, begin_replay
    from compliance.access.permissions import PartyKind, Role
    from compliance.access.scope import without_access_scope
    from tests.audits.replay.working import work
    from tests.compliance.people import made_party, party_for

    party_for(Role.AGENT)
    room, other = (made_party(PartyKind.CARD_ROOM, code) for code in ("room", "other"))
    night = _night()
    for each in (room, other):  # compiles the kernels, and fills the caches of both
        submit(each, _lines(night, nights + 100))
    begin_replay(operator=other, scope=Scope(), by=None)
    while work():
        pass
    figures: Figures = {"first": _submitted(other, night, nights), "queries": 0}
    submit(room, b"".join(_lines(night, number) for number in range(nights)))
    figures["submission"] = _submitted(room, night, nights)

    def count(execute: Any, *arguments: Any) -> Any:
        figures["queries"] += 1
        return execute(*arguments)

    with connection.execute_wrapper(count), _timed(figures, "replay"):
        scope = Scope(day=FIRST, last=FIRST + timedelta(days=nights - 1))
        replay = begin_replay(operator=room, scope=scope, by=None)
        while replay.ended is None:
            work(of=replay)
            replay.refresh_from_db()
    assert replay.state == Replay.State.DONE, replay.failure
    with _timed(figures, "find"), without_access_scope():
        found = find_round([room], f"{nights // 2}-{night[3]['round']}")
    assert found is not None
    return figures


def _submitted(party: Any, night: list[dict[str, Any]], nights: int) -> float:
    """Return the least CPU seconds in which five rounds are submitted and read."""
    least = float("inf")
    for number in range(TRIES):
        began = time.process_time()
        submit(party, _lines(night[:5], nights + 200 + number))
        least = min(least, time.process_time() - began)
    return least


@contextmanager
def _timed(figures: Figures, name: str) -> Iterator[None]:
    began = time.process_time()
    yield
    figures[name] = time.process_time() - began


def _night() -> list[dict[str, Any]]:
    from tests.audits.replay.nights import dealt, spoiled

    return spoiled(dealt(ROUNDS, day=FIRST), every=7)


def _lines(night: list[dict[str, Any]], days: int) -> bytes:
    """Return the same night some days later, under other IDs."""
    from tests.audits.replay.nights import written

    later = timedelta(days=days)
    return written(
        each
        | {"round": f"{days}-{each['round']}"}
        | {name: _moved(each[name], later) for name in ("from", "at") if name in each}
        for each in night
    )


def _moved(at: str, later: timedelta) -> str:
    return (datetime.fromisoformat(at) + later).isoformat()


def submit(party: Any, content: bytes) -> None:
    """Submit a log and ingest it in this process."""
    from audits.intake.ingestion import take_in_here
    from audits.intake.submission import submit_whole
    from compliance.events.actor import SYSTEM

    take_in_here(
        submit_whole(
            party=party, name="nights.jsonl", content=io.BytesIO(content), by=SYSTEM,
            read_here=True,
        )
    )  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]))
