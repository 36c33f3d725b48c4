"""Nights of play at an operator without approvals: every round has findings, in every issue.

The deals are correct; `spoiled` puts wrong results into some rounds.
"""

from __future__ import annotations

import io
import json
from datetime import date, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from audits.intake.ingestion import take_in_here
from audits.intake.submission import submit_whole
from compliance.events.actor import SYSTEM
from games.simulator.night import deal_night
from games.simulator.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Iterable

    from audits.intake.models import RoundLog
    from compliance.access.models import Party

WEST = ZoneInfo("America/Los_Angeles")
NIGHT = date(2025, 7, 12)


def dealt(
    rounds: int,
    *,
    day: date = NIGHT,
    game: str = "pyramid-poker",
    tables: tuple[str, ...] = ("T1", "T2"),
    ids: str = "",
) -> list[dict[str, Any]]:
    """Return the first rounds of a night, by table and time."""
    opening = datetime(day.year, day.month, day.day, 10, tzinfo=WEST)
    plan = Plan(
        game=game, tables=tables, opening=opening, seed=f"{day}", pace=10, ids=ids or f"{day}-"
    )
    return [json.loads(each.line) for each in islice(deal_night(plan), rounds)]


def spoiled(rounds: list[dict[str, Any]], *, every: int, cents: int = 100) -> list[dict[str, Any]]:
    """Return the same rounds; every `every`-th one pays the first seat's main wager wrong."""
    for each in rounds[::every]:
        each["seats"][0]["result"]["main"] += cents
    return rounds


def written(rounds: Iterable[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(each).encode() + b"\n" for each in rounds)


def many_nights(count: int, rounds: int) -> bytes:
    """Return a log of `count` gambling days, each of which makes a segment."""
    days = [NIGHT + timedelta(days=number) for number in range(count)]
    return b"".join(written(spoiled(dealt(rounds, day=day), every=7)) for day in days)


def on_file(operator: Party, rounds: Iterable[dict[str, Any]], **more: Any) -> RoundLog:
    """Submit a log and ingest it."""
    submission = submit_whole(
        party=operator,
        name="night.jsonl",
        content=io.BytesIO(written(rounds)),
        by=SYSTEM,
        read_here=True,
        **more,
    )
    return take_in_here(submission)
