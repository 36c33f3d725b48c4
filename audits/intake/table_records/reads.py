"""Queries for records of tables: those that count, and what they say of a gambling day."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import Max, Min

from audits.intake.days.reads import approved_tables
from audits.intake.reads import current_segments, segments_on_file
from audits.intake.table_records.comparison import CASH, CLOSED, FUND, VALUES, Entry
from audits.intake.table_records.models import TableRecord
from compliance import clock
from compliance.access.scope import without_access_scope

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date, datetime

    from django.db.models import QuerySet

    from compliance.access.models import Party

Subject = TableRecord.Subject
RECENT = timedelta(days=60)


def records_that_count(party: Party) -> QuerySet[TableRecord]:
    """Return an operator's records that were not withdrawn."""
    found = TableRecord.objects.filter(statement__party=party, withdrawal__isnull=True)
    return found.exclude(subject=Subject.WITHDRAWN)


def newest_record(party: Party) -> int:
    """Return the key of an operator's newest record; 0 if there is none."""
    with without_access_scope():
        found = TableRecord.objects.filter(statement__party=party)
        return found.aggregate(newest=Max("pk"))["newest"] or 0


def entries_on_file(party: Party, newest: int) -> list[Entry]:
    """Return the records that counted when `newest` was an operator's newest record."""
    with without_access_scope():
        found = TableRecord.objects.filter(statement__party=party, pk__lte=newest)
        gone = set(found.filter(withdraws__isnull=False).values_list("withdraws", flat=True))
        rows = found.exclude(subject=Subject.WITHDRAWN).select_related("statement__log")
        return [_entry(row) for row in rows.order_by("pk") if row.pk not in gone]


def _entry(row: TableRecord) -> Entry:
    log = row.statement.log
    return Entry(
        subject=row.subject,
        table=row.table,
        day=row.day,
        begins=row.begins,
        ends=row.ends,
        line=row.line,
        key=row.pk,
        log=log.sha256 if log else "",
        **{name: getattr(row, name) for name in VALUES},
    )


def closed_tables(party: Party, day: date) -> dict[str, TableRecord]:
    """Return the tables that an operator said were closed on a gambling day."""
    with without_access_scope():
        found = records_that_count(party).filter(subject=CLOSED, day=day)
        return {row.table: row for row in found.select_related("statement")}


def records_about(party: Party, places: Iterable[tuple[date, str]]) -> list[TableRecord]:
    """Return what an operator said of tables on some days; without a table, of all of that day."""
    wanted = set(places)
    found = records_that_count(party).filter(day__in={day for day, _ in wanted})
    return [
        row
        for row in found.select_related("statement").order_by("day", "table", "pk")
        if (row.day, row.table) in wanted or (row.day, "") in wanted
    ]


def cash_of_day(party: Party, day: date) -> list[TableRecord]:
    """Return the cash of the tables whose span ended on a gambling day."""
    with without_access_scope():
        found = records_that_count(party).filter(subject=CASH, day=day)
        return list(found.select_related("statement").order_by("table", "begins"))


def days_of_cash(party: Party, begins: datetime, ends: datetime) -> list[date]:
    """Return the gambling days of the cash whose span overlaps a period."""
    with without_access_scope():
        found = records_that_count(party).filter(subject=CASH, begins__lt=ends, ends__gt=begins)
        return sorted(set(found.values_list("day", flat=True)))


def funds_of_day(party: Party, day: date) -> list[TableRecord]:
    """Return what an operator said of its jackpots' funds on a gambling day."""
    with without_access_scope():
        found = records_that_count(party).filter(subject=FUND, day=day)
        return list(found.order_by("fund"))


def fund_before(party: Party, row: TableRecord) -> TableRecord | None:
    """Return the record of the same fund on the last day before, if there is one."""
    with without_access_scope():
        found = records_that_count(party).filter(subject=FUND, fund=row.fund, day__lt=row.day)
        return found.order_by("day").last()


def days_after_funds(party: Party, day: date) -> list[date]:
    """Return the next day of each fund that was ever recorded on a gambling day.

    Its former balance is that day's, or no longer is because the record was withdrawn.
    """
    with without_access_scope():
        of_party = TableRecord.objects.filter(statement__party=party, subject=FUND)
        funds = set(of_party.filter(day=day).values_list("fund", flat=True))
        later = of_party.filter(fund__in=funds, day__gt=day)
        return sorted(
            set(
                later.values("fund")
                .annotate(next=Min("day"))
                .order_by()
                .values_list("next", flat=True)
            )
        )


def rounds_at_table(party: Party, table: str, day: date) -> int:
    """Return how many rounds of a table are on file for a gambling day."""
    return sum(
        segment.tables[table][0]
        for segment in current_segments(party, day=day)
        if table in segment.tables
    )


def names_of_tables(party: Party) -> list[str]:
    """Return the tables that the controls of the last weeks name, and those with rounds then."""
    now = clock.now()
    names = set(approved_tables(party, now - RECENT, now).names)
    with without_access_scope():
        played = segments_on_file(party).filter(last_at__gte=now - RECENT)
        for tables in played.values_list("tables", flat=True):
            names |= tables.keys()
    return sorted(names)
