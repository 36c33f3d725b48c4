"""An operator's checklist for its recent gambling days: what was submitted, and what is missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from audits.intake.days.models import GamblingDay
from audits.intake.days.reads import approved_tables, bounds_of_day, closing_of_day
from audits.intake.reads import logs_of_day
from audits.review.nightly_run.missing import missing_of_day
from compliance import clock
from compliance.access.scope import without_access_scope
from compliance.clock import zone
from compliance.filings.controls.reads import list_cut_offs
from compliance.law.gambling_day import DAY, gambling_day

if TYPE_CHECKING:
    from datetime import datetime

    from audits.intake.models import RoundLog
    from audits.review.nightly_run.missing import Missing
    from compliance.access.models import Party


SHOWN_DAYS = 7


@dataclass(frozen=True)
class CheckedDay:
    """A gambling day: its logs, when they are due, and what they lack."""

    day: GamblingDay
    logs: list[RoundLog]
    missing: list[Missing]
    """What is missing now; nothing as long as the day has not ended."""
    tables: int
    """How many tables the controls name."""

    @property
    def state(self) -> str:
        """Return `playing`, `due`, `missing`, `incomplete`, `closed` or `done`."""
        now = clock.now()
        if not self.logs:
            if not self.tables:
                return "closed"
            if now < self.day.ends:
                return "playing"
            return "due" if now < self.day.closes else "missing"
        return "incomplete" if self.missing else "done"


def recent_days(party: Party, now: datetime) -> list[CheckedDay]:
    """Return an operator's current gambling day and those before it, the newest first."""
    with without_access_scope():
        today = gambling_day(now, list_cut_offs(party), zone())
        return [
            _checked(party, GamblingDay(party=party, day=today - n * DAY), now)
            for n in range(SHOWN_DAYS)
        ]


def _checked(party: Party, day: GamblingDay, now: datetime) -> CheckedDay:
    day.begins, day.ends = bounds_of_day(party, day.day)
    day.closes = closing_of_day(party, day.begins, day.ends)
    tables = len(approved_tables(party, day.begins, day.ends).expected)
    missing = missing_of_day(day) if now >= day.ends else []
    return CheckedDay(day, logs_of_day(party, day.day), missing, tables)
