"""Heartbeats: beat sends a task, a worker records when it arrived and compares the clocks."""

from __future__ import annotations

import socket
import threading
import time
from datetime import timedelta
from typing import TYPE_CHECKING

import structlog
from django.db import DatabaseError, connection
from django.db.models.functions import Now

from compliance.health import Condition, State
from compliance.project.models import Heartbeat, MachineClock
from compliance.project.schedule import HEARTBEAT_SECONDS

if TYPE_CHECKING:
    from datetime import datetime

log = structlog.get_logger(__name__)

OFFSET_SECONDS = 2.0
"""A clock that differs more from the database's is wrong."""
HEARD_WITHIN = timedelta(minutes=10)
"""A machine that has been silent for longer is left out."""


def record_heartbeat(*, part: str) -> None:
    """Record, by the database's clock, that a part of the system works."""
    Heartbeat.objects.update_or_create(part=part, defaults={"at": Now()})
    record_clock(part)


def last_heartbeat(part: str = "worker") -> datetime | None:
    """Return when a part last reported, if ever."""
    return Heartbeat.objects.filter(part=part).values_list("at", flat=True).first()


def record_clock(part: str) -> None:
    """Compare this machine's clock with the database's, and record how far it is ahead.

    The database reads its clock between two readings of ours: an offset smaller than half
    the time between them cannot be measured.
    """
    name = f"{part} on {socket.gethostname()}"[:300]
    before = time.time()
    row, _ = MachineClock.objects.update_or_create(part=name, defaults={"at": Now()})
    after = time.time()
    row.refresh_from_db(fields=["at"])
    offset = (before + after) / 2 - row.at.timestamp()
    known = offset if abs(offset) > (after - before) / 2 else 0.0
    MachineClock.objects.filter(part=name).update(seconds=known)


def keep_comparing_clock(part: str) -> None:
    """Compare this process's clock at each heartbeat, for as long as it runs.

    SQLite uses the clock of the calling machine: there is nothing to compare.
    """
    if connection.vendor != "sqlite":
        threading.Thread(target=_compare, args=[part], name="clock", daemon=True).start()


def _compare(part: str) -> None:
    while True:
        try:
            record_clock(part)
        except DatabaseError as failed:  # the condition of the database reports it
            log.warning("a clock was not compared", part=part, says=str(failed))
        finally:
            connection.close()
        time.sleep(HEARTBEAT_SECONDS)


def clocks() -> Condition:
    """Check that the clocks of web and workers agree with the database's; each offset is named."""
    found = list(MachineClock.objects.filter(at__gte=Now() - HEARD_WITHIN).order_by("part"))
    wrong = [each for each in found if abs(each.seconds) > OFFSET_SECONDS]
    if wrong:
        return Condition(
            state=State.FAILING,
            says=f"Clocks that differ from the database's: {_offsets(wrong)}.",
            do="Synchronize these clocks with NTP. Submission times use the database's clock.",
            count=len(wrong),
        )
    if not found:
        return Condition(state=State.UNKNOWN, says="No clock was compared in the last 10 minutes.")
    says = f"Clocks agree with the database's: {_offsets(found)}."
    return Condition(state=State.OK, says=says, count=0)


def _offsets(found: list[MachineClock]) -> str:
    return ", ".join(f"{each.part} is {_in_words(each.seconds)}" for each in found)


def _in_words(seconds: float) -> str:
    if not round(seconds, 1):
        return "the same"
    return f"{abs(seconds):.1f} seconds {'ahead' if seconds > 0 else 'behind'}"
