"""An operator's checklist for its recent gambling days: what was submitted, and what is missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from audits.intake.days.models import GamblingDay
from audits.intake.days.reads import approved_tables, bounds_of_day, closing_of_day
from audits.intake.reads import logs_of_day
from audits.intake.table_records.reads import closed_tables
from audits.review.disclosures.reads import disclosures_about
from audits.review.nightly_run.cash import checked_cash
from audits.review.nightly_run.missing import missing_of_day
from compliance import clock
from compliance.access.scope import without_access_scope
from compliance.clock import zone
from compliance.filings.controls.reads import list_cut_offs
from compliance.law.gambling_day import DAY, gambling_day

if TYPE_CHECKING:
    from datetime import datetime

    from audits.intake.models import RoundLog
    from audits.intake.table_records.models import TableRecord
    from audits.review.disclosures.models import Disclosure
    from audits.review.nightly_run.cash import CheckedCash
    from audits.review.nightly_run.missing import Missing
    from compliance.access.models import Party


SHOWN_DAYS = 7
OF_MONEY = frozenset({"night.cash", "night.fund"})
"""What differs, though no log lacks anything."""


@dataclass(frozen=True)
class CheckedDay:
    """A gambling day: its logs, when they are due, and what they lack."""

    day: GamblingDay
    logs: list[RoundLog]
    missing: list[Missing]
    """What is missing now; nothing as long as the day has not ended."""
    tables: int
    """How many tables the controls name and the operator did not record as closed."""
    closed: list[TableRecord]
    """Tables that the operator recorded as closed."""
    cash: list[CheckedCash]
    """The cash of the spans that ended on the day."""
    disclosures: list[Disclosure]
    """What the operator disclosed of the day."""

    @property
    def state(self) -> str:
        """Return `playing`, `due`, `missing`, `incomplete`, `closed` or `done`; money is apart."""
        now = clock.now()
        if not self.logs:
            if not self.tables:
                return "closed"
            if now < self.day.ends:
                return "playing"
            return "due" if now < self.day.closes else "missing"
        lacks = any(each.code not in OF_MONEY for each in self.missing)
        return "incomplete" if lacks else "done"

    def explanations_of(self, lack: Missing) -> list[Disclosure]:
        """Return what the operator disclosed of a table, or of the day."""
        return [
            each for each in self.disclosures if each.table in {"", lack.table} or not lack.table
        ]


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
    closed = closed_tables(party, day.day)
    expected = approved_tables(party, day.begins, day.ends).expected
    logs = logs_of_day(party, day.day)
    # Before a log is here or overdue, no table has rounds, and all cash would differ.
    is_read = now >= day.ends and (bool(logs) or now >= day.closes)
    return CheckedDay(
        day=day,
        logs=logs,
        missing=missing_of_day(day) if is_read else [],
        tables=sum(table not in closed for _, table in expected),
        closed=list(closed.values()),
        cash=checked_cash(day),
        disclosures=disclosures_about(party, [(day.day, "")]),
    )
