"""Round logs written by hand: one round of Pyramid Poker, repeated as often as needed."""

from __future__ import annotations

import hashlib
import io
import json
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from audits.intake.ingestion import take_in_here
from audits.intake.submission import submit_whole
from compliance.events.actor import SYSTEM

if TYPE_CHECKING:
    from audits.intake.models import RoundLog
    from compliance.access.models import Party

WEST = ZoneInfo("America/Los_Angeles")
EVENING = datetime(2026, 3, 6, 20, 0, tzinfo=WEST)


def played(name: str, at: datetime = EVENING, table: str = "T3", **more: Any) -> dict[str, Any]:
    """Return a round as a card room logs it."""
    return {
        "v": 1,
        "round": name,
        "game": "pyramid-poker",
        "table": table,
        "at": at.isoformat(),
        "decks": 6,
        "house": {"cards": "Kd Ks 9c", "low": "9c"},
        "seats": [
            {
                "seat": 1,
                "player": "p-118",
                "cards": "Qs Qd 9h",
                "low": "9h",
                "wagers": {"main": 2500, "three_card": 500, "six_card": 500},
                "result": {"main": 0, "three_card": 500, "six_card": 500},
            }
        ],
        **more,
    }


def evening(count: int, first: int = 1, begin: datetime = EVENING, table: str = "T3") -> list[dict]:
    """Return rounds of one table, a minute apart."""
    return [
        played(f"{table}-{first + number:06d}", begin + timedelta(minutes=number), table)
        for number in range(count)
    ]


def written(rounds: list[dict[str, Any]]) -> bytes:
    """Return a log of these rounds."""
    return b"".join(json.dumps(each).encode() + b"\n" for each in rounds)


def ingested(party: Party, content: bytes, name: str = "night.jsonl", **more: Any) -> RoundLog:
    """Submit a log as the command line does, and ingest it."""
    submission = submit_whole(
        party=party, name=name, content=io.BytesIO(content), by=SYSTEM, read_here=True, **more
    )
    return take_in_here(submission)


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
