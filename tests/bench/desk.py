"""The desk with a million findings on file: how long its pages take.

    .venv/bin/python -m tests.bench.desk

On the database of `DATABASE_URL`, or SQLite in a folder of its own. The findings are inserted as
rows, in as many patterns as a year of forty card rooms leaves; no round is replayed. Each page is
fetched as a browser fetches it, without the network between: asked are 300 ms in 95 of 100 cases,
of the processor, on which SQLite runs too, because neighbours on the machine do not count there.
`BENCH_FINDINGS` says how many findings.
"""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from html import unescape
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tests.bench.measure import Row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client

FINDINGS: Final = int(os.environ.get("BENCH_FINDINGS", "1000000"))
OPERATORS: Final = 40
TABLES: Final = 10
CAUSES: Final = (
    ("settlement.main", "main", "flush", "money"),
    ("settlement.three_card", "three_card", "straight_flush", "money"),
    ("limit.wac", "main", "", "money"),
    ("deal.count", "", "", "procedure"),
    ("approval.hours", "", "", "procedure"),
)
AGAIN: Final = 2
"""How often each cause was decided before it happened once more."""
NIGHTS: Final = 14
LARGEST: Final = 50_000
"""Findings of one pattern that nobody looked at for months."""
COPIES: Final = 20
AT_ONCE: Final = 5_000
CLAUSES: Final = ("PP-28", "PP-29", "PP-31", "WAC 230-15-140(1)")
TIMES: Final = 10
NEXT_PAGE: Final = re.compile(r'href="([^"]+)">Next page<')
ASKED: Final = 300
GOAL: Final = 150
ASKED_OF_FILES: Final = 10_000
GOAL_OF_FILES: Final = 5_000


class Took(NamedTuple):
    """A page or file: milliseconds of the processor at worst and in the median, of the clock."""

    what: str
    kind: str
    p95: float
    median: float
    clock: float


def rows() -> Iterator[Row]:
    """The 95th percentile of each page, in milliseconds of the processor; and of the clock."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.bench.desk"], check=True, capture_output=True, text=True
    )
    for what, kind, p95, median, clock in json.loads(ran.stdout.splitlines()[-1]):
        file = kind == "file"
        yield Row(
            what,
            f"{p95:.0f} ({median:.0f}) ms",
            f"{clock:.0f} ms by the clock",
            p95,
            ASKED_OF_FILES if file else ASKED,
            GOAL_OF_FILES if file else GOAL,
            "ms",
            less=True,
        )


def main() -> None:
    """Fill a fresh database, fetch the pages, print what they took as JSON."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    from tests.databases import Databases

    with tempfile.TemporaryDirectory() as folder:
        databases = Databases(Path(folder))
        try:
            with databases.using(databases.copy()):
                sys.stdout.write(json.dumps(measured()))
        finally:
            databases.drop_all()


def measured() -> list[Took]:
    """Each page as a browser of an agent, and one of an operator, fetch it."""
    from django.conf import settings
    from django.test.utils import override_settings

    from compliance.choices import Role
    from compliance.walls import without_walls
    from tests.compliance.pages.browsing import browser_as, browser_of
    from tests.compliance.people import person_as

    agent = person_as(Role.AGENT)
    with without_walls():
        fill(agent)
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    with override_settings(
        ALLOWED_HOSTS=["testserver"], STORAGES=settings.STORAGES | {"staticfiles": plain}
    ):
        own = browser_of(agent)
        told = [_page(own, *each) for each in pages()]
        theirs = browser_as(Role.OPERATOR_MANAGER, "room-0")
        told.append(_page(theirs, "findings, as an operator sees them", "/findings/", "page"))
    return told


def pages() -> list[tuple[str, str, str]]:
    """What the desk shows: its name, its address, and whether it is a page or a file."""
    from audits.models import Case, Pattern
    from compliance.walls import without_walls

    with without_walls():
        largest = Pattern.objects.order_by("-findings", "pk").first()
        usual = Pattern.objects.filter(open=True).order_by("pk").last()
        case = Case.objects.get()
    assert largest is not None
    assert usual is not None
    return [
        ("dashboard, four weeks", "/dashboard/", "page"),
        ("dashboard, a year", "/dashboard/?days=365", "page"),
        ("work, mine", "/work/", "page"),
        ("work, my unit's", "/work/?whose=unit&desk=nobody", "page"),
        ("work, all and late", "/work/?whose=all&due=late", "page"),
        ("work, every state, the tenth page", "/work/?whose=all&state=any", "tenth"),
        ("findings", "/findings/", "page"),
        ("findings, the tenth page", "/findings/", "tenth"),
        ("findings of a clause", "/findings/?q=PP-28", "page"),
        ("findings of a round", "/findings/?q=R-7777-7", "page"),
        ("findings of a player", "/findings/?q=P-7777-7", "page"),
        ("findings of an amount", "/findings/?q=$77.00", "page"),
        ("findings of an amount that nothing moved", "/findings/?q=$0.13", "page"),
        ("findings of a code and operator", "/findings/?code=limit.wac&operator=room-7", "page"),
        ("findings of a day", "/findings/?day=2025-07-12", "page"),
        ("findings above an amount", "/findings/?moved=1000000", "page"),
        ("a pattern", f"/findings/{usual.uuid}/", "page"),
        (f"a pattern of {LARGEST:,} findings", f"/findings/{largest.uuid}/", "page"),
        ("the same, its tenth page", f"/findings/{largest.uuid}/", "tenth"),
        ("cases", "/cases/", "page"),
        ("a case, with the prior history", f"/cases/{case.uuid}/", "page"),
        ("a round looked for", "/rounds/find/?id=R-7777-7", "page"),
        ("visits", "/visits/", "page"),
        ("all findings as CSV", "/findings/export/?as=csv", "file"),
        ("all findings as XLSX", "/findings/export/?as=xlsx", "file"),
        ("all work as CSV", "/work/export/?whose=all&state=any&as=csv", "file"),
    ]


def _page(browser: Client, what: str, address: str, kind: str) -> Took:
    if kind == "tenth":
        for _ in range(9):
            [on] = NEXT_PAGE.findall(browser.get(address).text)
            address = address.partition("?")[0] + unescape(on)
    processor, clock = [], []
    for _ in range(1 + (3 if kind == "file" else TIMES)):
        began, at = time.process_time(), time.perf_counter()
        answer = browser.get(address)
        if answer.streaming:
            for _piece in answer.streaming_content:
                pass
        processor.append((time.process_time() - began) * 1000)
        clock.append((time.perf_counter() - at) * 1000)
        assert answer.status_code == 200, (address, answer.status_code)
    return Took(what, kind, _p95(processor[1:]), statistics.median(processor[1:]), _p95(clock[1:]))


def _p95(taken: list[float]) -> float:
    return sorted(taken)[-(-len(taken) * 95 // 100) - 1]


def fill(agent: Any) -> None:
    """Insert patterns with their work, nights, decisions and findings."""
    from audits.models import Finding, Pattern, PatternClause, PatternNight, PatternVisibility, Work
    from audits.services.cases import open_case
    from compliance.choices import PartyKind
    from tests.compliance.people import made_party

    unit = agent.memberships.get().party
    rooms = [made_party(PartyKind.CARD_ROOM, f"room-{number}") for number in range(OPERATORS)]
    patterns = list(_patterns(rooms))
    Pattern.objects.bulk_create(patterns, AT_ONCE)
    shown = [(each, unit) for each in patterns]
    shown += [(each, each.party) for each in patterns if each.released]
    PatternVisibility.objects.bulk_create(
        [PatternVisibility(shown=each, party=party) for each, party in shown], AT_ONCE
    )
    Work.objects.bulk_create(
        [
            Work(
                pattern=each,
                unit=unit,
                due=(each.opened + timedelta(days=3)).date(),
                assigned_to=agent if number % 5 == 0 else None,
            )
            for number, each in enumerate(patterns)
        ],
        AT_ONCE,
    )
    PatternClause.objects.bulk_create(
        [PatternClause(pattern=each, clause=id_) for each in patterns for id_ in CLAUSES], AT_ONCE
    )
    PatternNight.objects.bulk_create(
        [
            PatternNight(
                pattern=each, day=(each.last - timedelta(days=ago)).date(), findings=10, rounds=10,
                over=7700, under=100, first=each.first, last=each.last,
            )
            for each in patterns
            for ago in range(NIGHTS)
        ],
        AT_ONCE,
    )  # fmt: skip
    _decide(patterns, unit, agent)
    found = _findings(patterns)
    while some := list(islice(found, AT_ONCE)):
        Finding.objects.bulk_create(some)
    _copy()
    open_case(party=rooms[0], title="Payouts", reason="Seen.", by=agent)
    _analyze()


def _patterns(rooms: list[Any]) -> Iterator[Any]:
    from audits.models import Pattern

    decided = (Pattern.State.NO_VIOLATION, Pattern.State.CORRECTED, Pattern.State.CONFIRMED)
    last = datetime(2025, 7, 13, 4, 30, tzinfo=UTC)
    for time_ in range(AGAIN + 1):
        for number, room in enumerate(rooms):
            for table in range(TABLES):
                for code, wager, line, weight in CAUSES:
                    again = last - timedelta(days=90 * (AGAIN - time_) + number % 7)
                    yield Pattern(
                        party=room, game="pyramid-poker", table=f"T{table}", code=code,
                        wager=wager, line=line, weight=weight, findings=10 * NIGHTS,
                        rounds=10 * NIGHTS, over=7700 * NIGHTS, under=100 * NIGHTS,
                        first=again - timedelta(days=NIGHTS), last=again, opened=again,
                        open=time_ == AGAIN,
                        state=Pattern.State.NEW if time_ == AGAIN else decided[table % 3],
                        released=again if table % 2 else None,
                    )  # fmt: skip


def _decide(patterns: list[Any], unit: Any, agent: Any) -> None:
    from audits.models import Decision

    Decision.objects.bulk_create(
        [
            Decision(
                pattern=each, unit=unit, step="dismiss", was="new", state=each.state,
                reason="Read anew.", moved=7800 * NIGHTS, by=agent.uuid, at=each.opened,
            )
            for each in patterns
            if not each.open
        ],
        AT_ONCE,
    )  # fmt: skip


def _findings(patterns: list[Any]) -> Iterator[Any]:
    """The first of them; the others are copies under other names."""
    from audits.models import Finding, Pattern

    Pattern.objects.filter(pk=patterns[-1].pk).update(findings=LARGEST, rounds=LARGEST)
    owners = cycle(patterns[:-1])
    for number in range(FINDINGS // COPIES):
        owner = patterns[-1] if number < LARGEST // COPIES else next(owners)
        yield Finding(
            pattern=owner,
            identity=f"{number:030x}",
            day=(owner.last - timedelta(days=number % NIGHTS)).date(),
            round=f"R-{number}",
            at=owner.last - timedelta(minutes=number % 20_000),
            seat=number % 7,
            logged=2000,
            expected=2000 + number % 5000,
            delta=-(number % 5000) * 100,
            cites=[CLAUSES[number % len(CLAUSES)]],
            player=f"P-{number}",
        )


def _copy() -> None:
    from django.db import connection

    from audits.models import Finding

    own = {"identity", "round", "player", "delta"}
    same = [each.column for each in Finding._meta.concrete_fields if not each.primary_key]
    same = [each for each in same if each not in own]
    columns = ", ".join([*same, "identity", "round", "player", "delta"])
    table = Finding._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT MAX(id) FROM {table}")
        [last] = cursor.fetchone()
        for copy in range(1, COPIES):
            name = f"'-{copy}'"
            told = f"identity || '{copy:02}', round || {name}, player || {name}, delta - {copy}"
            cursor.execute(
                f"INSERT INTO {table} ({columns}) "
                f"SELECT {', '.join(same)}, {told} FROM {table} WHERE id <= {last}"
            )


def _analyze() -> None:
    """What a database does by itself on a quiet night."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


if __name__ == "__main__":
    main()
