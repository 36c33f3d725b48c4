"""Nights of four tables with their cash: one round omitted, one invented, one altered, none."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from audits.intake.days.writes import keep_day
from audits.intake.table_records.comparison import CASH, Entry
from audits.intake.table_records.writes import record_tables
from audits.review.nightly_run.cash import checked_cash
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from tests.audits.submission.logs import ingested, played, written
from tests.compliance.people import made_person, party_for

WEST = ZoneInfo("America/Los_Angeles")
BEGIN = datetime(2025, 7, 12, 6, tzinfo=WEST)
END = BEGIN + timedelta(days=1)
OMITTED, INVENTED, ALTERED, HONEST = TABLES = ("T1", "T2", "T3", "T4")
TOLERANCE = 200_00


def house_win(line: dict[str, Any]) -> int:
    """Return what the house won of a round, as the contract has it: only `main` may be banked."""
    banked = "banker" in line
    against = (
        result
        for seat in line["seats"]
        for wager, result in seat["result"].items()
        if not (banked and wager == "main")
    )
    return line["house"].get("result", 0) - sum(against)


def some_round(chance: Random, name: str, table: str, at: datetime) -> dict[str, Any]:
    """Return a round whose results are of any size, so that some changes stay within $200."""
    line = played(name, at, table)
    largest = chance.choice([100, 5_000, 40_000])
    seat = line["seats"][0]
    seat["result"] = {key: chance.randint(-largest, largest) for key in seat["result"]}
    if chance.random() < 0.3:
        line |= {"banker": 1, "bank": 100_000}
        line["house"] |= {"wager": 1_000, "result": chance.randint(-1_000, 1_000)}
        seat["wagers"]["main"] = 0
    if chance.random() < 0.1:
        line["void"] = "power failure"
    return line


def play_night(number: int, seed: str) -> tuple[dict[str, int], dict[str, int]]:
    """Play, change and submit a night; return by table rounds minus cash, and what was named."""
    chance = Random(f"{seed} {number}")
    lines: dict[str, list[dict[str, Any]]] = {
        table: [
            some_round(chance, f"{table}-{n}", table, BEGIN + timedelta(minutes=5 + 20 * n))
            for n in range(chance.randint(3, 12))
        ]
        for table in TABLES
    }
    cash = {table: sum(map(house_win, lines[table])) for table in TABLES}
    lines[OMITTED].pop(chance.randrange(len(lines[OMITTED])))
    lines[INVENTED].append(some_round(chance, "T2-new", "T2", END - timedelta(minutes=1)))
    altered = chance.choice(lines[ALTERED])["seats"][0]["result"]
    altered["six_card"] += chance.choice([-1, 1]) * chance.randint(1, 60_000)
    by_rounds = {table: sum(map(house_win, lines[table])) for table in TABLES}

    clerk = party_for(Role.OPERATOR_CLERK, f"room{number}")
    by = made_person(f"clerk{number}", clerk, Role.OPERATOR_CLERK)
    record_tables(party=clerk, entries=[entry(chance, t, cash[t]) for t in TABLES], by=by)
    ingested(clerk, written([line for table in TABLES for line in lines[table]]))
    with without_access_scope():
        checked = checked_cash(keep_day(party=clerk, day=BEGIN.date()))
    named = {each.record.table: each.delta for each in checked if not each.is_within}
    return {table: by_rounds[table] - cash[table] for table in TABLES}, named


def entry(
    chance: Random, table: str, win: int, begins: datetime = BEGIN, ends: datetime = END
) -> Entry:
    """Return cash of a table that amounts to a win: the closer makes up for the rest."""
    opener, fills, returned, drop = (chance.randint(0, 10**6) for _ in range(4))
    closer = win + opener + fills - returned - drop
    more = max(0, -closer)
    return Entry(
        subject=CASH, table=table, begins=begins, ends=ends, opener=opener + more, fills=fills,
        credits=returned, closer=closer + more, drop=drop,
    )  # fmt: skip
