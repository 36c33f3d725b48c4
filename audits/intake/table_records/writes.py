"""Record what operators say of their tables, and withdraw what is wrong."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import OperationalError, transaction

from audits.instants import EPOCH
from audits.intake.days.writes import keep_day
from audits.intake.events import FUNDS_RECORDED, TABLES_RECORDED
from audits.intake.segment_builder import AHEAD
from audits.intake.segments.ingestion import LAST_DAY
from audits.intake.table_records.comparison import (
    CASH,
    CLOSED,
    FUND,
    VALUES,
    Compared,
    compare_entries,
)
from audits.intake.table_records.models import TableRecord, TableStatement
from audits.intake.table_records.reads import entries_on_file, newest_record, rounds_at_table
from compliance import clock
from compliance.access.models import Party
from compliance.access.permissions import OPERATOR_KINDS, Action
from compliance.access.reads import require
from compliance.access.scope import without_access_scope
from compliance.clock import zone
from compliance.errors import RefusedError
from compliance.events.record import record
from compliance.filings.controls.reads import list_cut_offs
from compliance.law.gambling_day import gambling_day

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime
    from uuid import UUID

    from audits.intake.models import RoundLog
    from audits.intake.table_records.comparison import Entry
    from compliance.access.scope import Asker
    from compliance.events.actor import Actor


TICK = timedelta(microseconds=1)
FIRST_DAY = EPOCH.date()
TOO_EARLY = "This gambling day has not begun. Record a fund when its day has ended."


class RecordedMeanwhileError(OperationalError):
    """Other records came while a log was read: it is read again, and compared with them."""


@transaction.atomic
def record_tables(*, party: Party, entries: Sequence[Entry], by: Asker) -> TableStatement | None:
    """Record what a person or a program says of tables, all or nothing; None if nothing is new.

    Refuses: a caller without permission; a party that deals no rounds; a span that is not over; a
    record that overlaps another one; and a closed table with rounds on file.
    """
    require(by, Action.SUBMIT_ROUNDS, party)
    if party.kind not in OPERATOR_KINDS:
        msg = f"{party} deals no rounds: only card rooms and tribal operations have tables."
        raise RefusedError(msg)
    for number, entry in enumerate(entries, 1):
        says = _refused(party, entry)
        if says:
            raise RefusedError(_where(number, entries) + says)
    with without_access_scope():
        Party.objects.select_for_update().get(pk=party.pk)
        compared = compare_entries(entries, entries_on_file(party, newest_record(party)))
        for refused in compared.refused:
            says = refused.reason[:1].upper() + refused.reason[1:] + "."
            number = next(n for n, each in enumerate(entries, 1) if each is refused.entry)
            raise RefusedError(_where(number, entries) + says)
        return _record(party, compared, by=by, uuid=by.uuid, at=clock.by_database())


def _where(number: int, entries: Sequence[Entry]) -> str:
    return f"Record {number}: " if len(entries) > 1 else ""


def _refused(party: Party, entry: Entry) -> str:
    days = [each.date() for each in (entry.begins, entry.ends) if each] or [entry.day or FIRST_DAY]
    if not FIRST_DAY <= min(days) <= max(days) <= LAST_DAY:
        return f"Write a day from {FIRST_DAY} to {LAST_DAY}."
    if entry.ends is not None and entry.begins is not None:
        if entry.ends <= entry.begins:
            return "A span ends later than it begins. Correct the times."
        if entry.ends > clock.now() + AHEAD:
            return "The span is not over yet. Record the cash of a table when its span has ended."
        return ""
    if entry.subject == FUND:
        today = gambling_day(clock.now(), list_cut_offs(party), zone())
        return "" if entry.day and entry.day <= today else TOO_EARLY
    rounds = rounds_at_table(party, entry.table, entry.day) if entry.day else 0
    if rounds:
        return (
            f"{entry.table} has {rounds:,} rounds on file for {entry.day:%B %-d, %Y}, so it was "
            "not closed. Correct the log that has them, or choose another day."
        )
    return ""


def register_records(*, log: RoundLog, compared: Compared, by: Asker | Actor) -> None:
    """Record what a log says of tables, within its registration.

    Raises:
        RecordedMeanwhileError: others were recorded since its records were compared.
    """
    if not compared.accepted:
        return
    Party.objects.select_for_update().get(pk=log.party_id)
    if newest_record(log.party) != compared.newest:
        msg = "records of this operator's tables came in the meantime"
        raise RecordedMeanwhileError(msg)
    _record(log.party, compared, by=by, uuid=log.by, at=log.at, log=log)


@transaction.atomic
def withdraw_record(*, row: TableRecord, reason: str, by: Asker) -> TableStatement:
    """Withdraw a record that is wrong; the new one is recorded after it.

    Refuses a caller without permission, an empty reason, and a record that is withdrawn already.
    """
    party = row.statement.party
    assert row.subject != TableRecord.Subject.WITHDRAWN  # noqa: S101 - pages offer no other
    require(by, Action.SUBMIT_ROUNDS, party)
    if not reason.strip():
        msg = "Say why the record is wrong."
        raise RefusedError(msg)
    with without_access_scope():
        Party.objects.select_for_update().get(pk=party.pk)
        if TableRecord.objects.filter(withdraws=row).exists():
            msg = "This record was withdrawn already."
            raise RefusedError(msg)
        statement = _state(party, by.uuid, clock.by_database())
        _withdraw(statement, row, reason.strip())
        _note(statement, by, withdrawn=1)
    return statement


def _record(
    party: Party,
    compared: Compared,
    *,
    by: Asker | Actor,
    uuid: UUID | None,
    at: datetime,
    log: RoundLog | None = None,
) -> TableStatement | None:
    if not compared.accepted:
        return None
    statement = _state(party, uuid, at, log)
    for old in TableRecord.objects.filter(pk__in=compared.replaced).order_by("pk"):
        _withdraw(statement, old, "Replaced by the log that corrects it.")
    cut_offs, days = list_cut_offs(party), set()
    rows = []
    for entry in compared.accepted:
        day = entry.day
        if entry.ends is not None:
            day = gambling_day(entry.ends - TICK, cut_offs, zone())
        assert day is not None  # noqa: S101 - a record has a day or a span
        if entry.subject != CLOSED:
            days.add(day)
        rows.append(_row(statement, entry, day))
    TableRecord.objects.bulk_create(rows)
    for day in sorted(days):
        keep_day(party=party, day=day)
    counts = {
        subject: sum(entry.subject == subject for entry in compared.accepted)
        for subject in (CASH, CLOSED, FUND)
    }
    _note(statement, by, **counts, withdrawn=len(compared.replaced))
    return statement


def _row(statement: TableStatement, entry: Entry, day: date) -> TableRecord:
    return TableRecord(
        statement=statement,
        line=entry.line,
        subject=entry.subject,
        table=entry.table,
        day=day,
        begins=entry.begins,
        ends=entry.ends,
        **{name: getattr(entry, name) for name in VALUES},
    )


def _state(
    party: Party, uuid: UUID | None, at: datetime, log: RoundLog | None = None
) -> TableStatement:
    statement = TableStatement(party=party, log=log, by=uuid, at=at)
    statement.save()
    return statement


def _withdraw(statement: TableStatement, row: TableRecord, reason: str) -> None:
    TableRecord(
        statement=statement,
        subject=TableRecord.Subject.WITHDRAWN,
        table=row.table,
        fund=row.fund,
        day=row.day,
        reason=reason,
        withdraws=row,
    ).save()


def _note(
    statement: TableStatement,
    by: Asker | Actor,
    *,
    cash: int = 0,
    closed: int = 0,
    fund: int = 0,
    withdrawn: int = 0,
) -> None:
    log = statement.log.sha256 if statement.log else ""
    if fund:
        carries: dict[str, int | str] = {"funds": fund, "log": log}
        record(FUNDS_RECORDED, by=by, party=statement.party, about=statement, carries=carries)
    if not (cash or closed or withdrawn):
        return
    record(
        TABLES_RECORDED,
        by=by,
        party=statement.party,
        about=statement,
        carries={
            "cash": cash,
            "closed": closed,
            "withdrawn": withdrawn,
            "log": log,
        },
    )
