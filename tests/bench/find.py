"""Search and pages of players, dealers, tables, operators and rules over a million findings.

    .venv/bin/python -m tests.bench.find

The findings are in files, as replays leave them: forty operators, twenty-five nights each. Pages
are fetched and timed as those of the queue are. `BENCH_FINDINGS` is the number of findings.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
import sys
import tempfile
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.bench.measure import Row
from tests.bench.queue import ASKED, FINDINGS, GOAL, Took, fetch

if TYPE_CHECKING:
    from collections.abc import Iterator

OPERATORS: Final = 40
NIGHTS: Final = 25
FIRST: Final = date(2025, 6, 15)
CODES: Final = (
    ("settlement.main", "main", None),
    ("settlement.three_card", "three_card", "straight_flush"),
    ("settlement.three_card", "three_card", "flush"),
    ("limit.table_max", "main", None),
    ("deal.count", None, None),
)
PLAYERS, DEALERS, TABLES = 500, 40, 10
CLAUSES: Final = ("PP-15", "PP-28", "PP-29", "PP-31")
A_DAY: Final = "first=2025-07-01&last=2025-07-01"
SECONDS_TO_MAKE: Final = (120, 60)
"""Asked and goal, for the files of all findings: made once, after an upgrade or a loss."""


def rows() -> Iterator[Row]:
    """Yield the seconds that the files take, and the 95th percentile of each page."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.bench.find"], check=True, capture_output=True, text=True
    )
    seconds, pages = json.loads(ran.stdout.splitlines()[-1])
    asked, goal = SECONDS_TO_MAKE
    yield Row(
        "all findings into files by month, once", f"{seconds:.0f} s", "", seconds, asked, goal, "s",
        less=True,
    )  # fmt: skip
    for what, _, p95, median, clock in pages:
        yield Row(
            what, f"{p95:.0f} ({median:.0f}) ms", f"{clock:.0f} ms by the clock", p95, ASKED, GOAL,
            "ms", less=True,
        )  # fmt: skip


def main() -> None:
    """Fill a fresh database and archive, fetch the pages, and print their times as JSON."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
        import django

        django.setup()
        from django.conf import settings
        from django.test.utils import override_settings

        from compliance.secret import Secret
        from tests.databases import Databases

        databases = Databases(folder)
        plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
        try:
            with (
                override_settings(
                    VAR=folder / "var",
                    ARCHIVE_URL=Secret(str(folder / "archive")),
                    ALLOWED_HOSTS=["testserver"],
                    STORAGES=settings.STORAGES | {"staticfiles": plain},
                ),
                databases.using(databases.copy()),
            ):
                sys.stdout.write(json.dumps(measured()))
        finally:
            databases.drop_all()


def measured() -> tuple[float, list[Took]]:
    """Make the files, then fetch each page as an agent's browser and as an operator's."""
    from audits.replay.findings.months import months, units_with_findings
    from compliance.access.models import Party
    from compliance.access.permissions import Role
    from compliance.access.scope import without_access_scope
    from tests.compliance.pages.browsing import browser_as, browser_of
    from tests.compliance.people import person_as

    agent = person_as(Role.AGENT)
    with without_access_scope():
        fill(agent)
        parties = list(Party.objects.values_list("pk", flat=True))
        began = time.process_time()
        made = months(units_with_findings(parties), seconds=10_000)
        seconds = time.process_time() - began
    assert made.left_out == 0
    own = browser_of(agent)
    theirs = browser_as(Role.OPERATOR_MANAGER, "room-0")
    return seconds, [
        fetch(own, "all findings", "/search/findings/", "page"),
        fetch(own, "all findings, the hundredth page", "/search/findings/?page=100", "page"),
        fetch(
            own, "findings of a day", "/search/findings/?first=2025-07-01&last=2025-07-01", "page"
        ),
        fetch(own, "an operator", "/search/of/room-7/", "page"),
        fetch(own, "a table", "/search/of/room-7/tables/T3/", "page"),
        fetch(own, "a player", "/search/of/room-7/players/p-77/", "page"),
        fetch(own, "a dealer", "/search/of/room-7/dealers/d-7/", "page"),
        fetch(own, "a rule", "/search/rules/?clause=PP-28", "page"),
        fetch(own, "search for part of a player's ID", "/search/?q=p-7", "page"),
        fetch(own, "search for words of a title", "/search/?q=payout+error", "page"),
        fetch(theirs, "an operator, as its manager sees it", "/search/of/room-0/", "page"),
    ]


def fill(agent: Any) -> None:
    """Put findings on file: archived files, and the rows that name them."""
    from audits.intake.days.models import GamblingDay
    from audits.intake.models import RoundLog, Segment
    from audits.replay.findings.models import Issue, IssueNight, IssueVisibility
    from audits.replay.models import Replay, ReplaySegment
    from compliance.access.permissions import PartyKind
    from tests.compliance.people import made_party

    unit = agent.memberships.get().party
    a_night = FINDINGS // (OPERATORS * NIGHTS)
    for number in range(OPERATORS):
        room = made_party(PartyKind.CARD_ROOM, f"room-{number}")
        log = RoundLog(
            party=room, sha256=_sha(room.code), size=1, name="log", lines=1, good=1, rejected=0,
            already=0, at=datetime(2025, 7, 13, tzinfo=UTC),
        )  # fmt: skip
        log.save()
        issues = [
            Issue.objects.create(
                party=room, game="pyramid-poker", cause=f"cause {place}", code=code,
                headline="isolated payout errors", weight="money", findings=a_night * NIGHTS,
                opened=datetime(2025, 7, 13, tzinfo=UTC),
                released=datetime(2025, 7, 13, tzinfo=UTC) if place else None,
            )
            for place, (code, _, _) in enumerate(CODES)
        ]  # fmt: skip
        IssueVisibility.objects.bulk_create(
            IssueVisibility(shown=each, party=party)
            for each in issues
            for party in ((unit, room) if each.released else (unit,))
        )
        for night in range(NIGHTS):
            day = FIRST + timedelta(days=night)
            files = _files(a_night, day, number)
            opening = datetime(day.year, day.month, day.day, 17, tzinfo=UTC)
            segment = Segment(
                log=log, party=room, game="pyramid-poker", day=day, generation=1, piece=1, logs=[],
                identity=_sha(day), sha256=files["segment"], index_sha256=_sha(1),
                tails_sha256=_sha(2), rounds=a_night, seats=a_night, tables={"T1": []},
                first_at=opening, last_at=opening,
            )  # fmt: skip
            segment.save()
            replay = Replay.objects.create(
                party=room, made_for=unit, scope={}, days=[str(day)], inputs=_sha("inputs"),
                fingerprint=_sha((room.code, day)), engine=_sha("engine"), at=opening,
                state=Replay.State.DONE,
            )  # fmt: skip
            ReplaySegment.objects.create(
                replay=replay, segment=segment, position=0, terms=_sha("terms"),
                state=ReplaySegment.State.DONE, findings=a_night, rounds=a_night,
                findings_file=files["findings"], issues_file=files["issues"],
                marks_file=files["marks"],
            )  # fmt: skip
            GamblingDay.objects.create(
                party=room, day=day, begins=opening, ends=opening, closes=opening, current=replay
            )
            IssueNight.objects.bulk_create(
                IssueNight(
                    issue=each, day=day, replay=replay, findings=a_night // len(CODES),
                    rounds=a_night // len(CODES), over=100, under=0,
                )
                for each in issues
            )  # fmt: skip


def _files(findings: int, day: date, seed: int) -> dict[str, str]:
    """Store a night's findings, issues, marks and rounds; return the digests."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq
    import zstandard

    from audits.replay.findings.marks import MARK
    from compliance.files.archive import current_archive, store_bytes
    from games.log.parquet import LINE

    compress = zstandard.ZstdCompressor(level=3).compress
    lines = [_finding(place, day, seed) for place in range(findings)]
    marks = np.zeros(findings, MARK)
    marks["issue"] = np.arange(findings) % len(CODES)
    issues = [
        {"key": ["pyramid-poker", f"cause {place}"], "weight": "money", "counts": {}, "parts": [],
         "examples": []}
        for place in range(len(CODES))
    ]  # fmt: skip
    rounds = io.BytesIO()
    ids = [each["round"] for each in lines]
    dealers = [f"d-{place % DEALERS}" for place in range(findings)]
    table = pa.table({"round": ids, "dealer_id": dealers, LINE: pa.nulls(findings, pa.string())})
    pq.write_table(table, rounds)
    archive = current_archive()
    return {
        name: store_bytes(archive, content).digest
        for name, content in {
            "findings": compress(b"".join(json.dumps(each).encode() + b"\n" for each in lines)),
            "issues": compress(b"".join(json.dumps(each).encode() + b"\n" for each in issues)),
            "marks": marks.tobytes(),
            "segment": rounds.getvalue(),
        }.items()
    }


def _finding(place: int, day: date, seed: int) -> dict[str, Any]:
    code, wager, line = CODES[place % len(CODES)]
    at = datetime(day.year, day.month, day.day, 17, tzinfo=UTC) + timedelta(seconds=place)
    number = place * 7919 + seed
    return {
        "id": f"{seed:04x}{day.toordinal():08x}{place:020x}",
        "game": "pyramid-poker",
        "table": f"T{number % TABLES}",
        "round": f"R-{seed}-{day}-{place}",
        "at": int(at.timestamp() * 1_000_000),
        "log": _sha(seed),
        "source_line": place + 1,
        "code": code,
        "seat": number % 7,
        "wager": wager,
        "logged": 2000,
        "expected": 2000 + number % 5000,
        "delta": -(number % 5000) if code.startswith("settlement") else 0,
        "cites": [CLAUSES[place % len(CLAUSES)]],
        "player": f"p-{number % PLAYERS}",
        "line": line,
        "carried_since": None,
        "weight": "money",
    }


def _sha(of: object) -> str:
    return hashlib.sha256(str(of).encode()).hexdigest()


if __name__ == "__main__":
    main()
