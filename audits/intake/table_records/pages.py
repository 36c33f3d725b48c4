"""Pages of what an operator recorded of its tables and jackpots: closures, cash and funds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django.shortcuts import get_object_or_404

from audits.intake.table_records.forms import (
    CashForm,
    ClosedForm,
    FundForm,
    TableForm,
    WithdrawalForm,
)
from audits.intake.table_records.models import TableRecord
from audits.intake.table_records.reads import names_of_tables
from audits.intake.table_records.writes import record_tables, withdraw_record
from compliance import clock
from compliance.access.permissions import OPERATOR_KINDS, Action
from compliance.access.reads import name_of_asker
from compliance.ui.filters import day as show_day
from compliance.ui.filters import when
from compliance.ui.lists import signed
from compliance.ui.pages import ActionPage, FormPage, ListPage, OfParty
from compliance.ui.tables import DayColumn, ListTable, show_state
from games.cents import in_dollars

if TYPE_CHECKING:
    from django import forms
    from django.db.models import QuerySet

    from audits.intake.table_records.models import TableStatement

Subject = TableRecord.Subject
NOTHING_NEW = "This record is on file already. Nothing was changed."


def describe_record(row: TableRecord) -> str:
    """Say in a few words what a record says."""
    if row.subject == Subject.CLOSED:
        return f"Closed: {row.reason}"
    if row.subject == Subject.FUND:
        return f"Fund: balance {in_dollars(row.after or 0)}"
    return f"Win in cash {signed(row.win or 0)}"


class RecordTable(ListTable):
    """Records of tables, the newest day first."""

    place = tables.Column(
        verbose_name="Table or fund", linkify=("table_record", {"uuid": tables.A("uuid")})
    )
    day = DayColumn(verbose_name="Gambling day")
    says = tables.Column(empty_values=(), verbose_name="Record")
    state = tables.Column(empty_values=())
    caption = "Records of tables"

    class Meta:
        orderable = False

    def render_says(self, record: TableRecord) -> str:
        return describe_record(record)

    def render_state(self, record: TableRecord) -> str:
        if getattr(record, "withdrawal", None) is not None:
            return show_state("waiting", "Withdrawn")
        return show_state("working", "Counts")


class TableRecords(OfParty, ListPage):
    """What an operator recorded of its tables."""

    permission = Action.SEE_ROUNDS
    template_name = "audits/table_records/records.html"
    table_class = RecordTable
    by = ("-day", "-pk")

    def get_rows(self) -> QuerySet[TableRecord]:
        found = TableRecord.objects.filter(statement__party=self.subject)
        return found.exclude(subject=Subject.WITHDRAWN).select_related("withdrawal")

    def get_context(self) -> dict[str, Any]:
        submits = self.allows(Action.SUBMIT_ROUNDS) and self.subject.kind in OPERATOR_KINDS
        return super().get_context() | {"operator": self.subject, "submits": submits}


class OneRecord(ActionPage):
    """A record of a table; withdraw it if it is wrong."""

    permission = Action.SEE_ROUNDS
    post_permission = Action.SUBMIT_ROUNDS
    template_name = "audits/table_records/record.html"
    form_class = WithdrawalForm
    returns_to = ("table_record", "uuid")
    success_message = "The record no longer counts. Record what is right, if anything is."

    def get_subject(self) -> TableRecord:
        found = TableRecord.objects.exclude(subject=Subject.WITHDRAWN)
        found = found.select_related("statement__party", "statement__log", "withdrawal__statement")
        return get_object_or_404(found, uuid=self.kwargs["uuid"])

    @property
    def party(self) -> Any:
        return self.subject.statement.party

    def act(self, data: dict[str, Any]) -> TableStatement:
        return withdraw_record(row=self.subject, reason=data["reason"], by=self.person)

    def get_context(self) -> dict[str, Any]:
        """Add who recorded it, and the form if it still counts."""
        row: TableRecord = self.subject
        withdrawal = getattr(row, "withdrawal", None)
        withdraws = withdrawal is None and self.allows(Action.SUBMIT_ROUNDS)
        return {
            "record": row,
            "by": name_of_asker(row.statement.by),
            "withdrawal": withdrawal,
            "withdrawn_by": name_of_asker(withdrawal.statement.by) if withdrawal else None,
            "form": (self.refused or self.get_form()) if withdraws or self.refused else None,
        }


class RecordPage(OfParty, FormPage):
    """A form with one record of a table."""

    permission = Action.SUBMIT_ROUNDS
    button = "Save record"
    table_form: type[TableForm]
    returns_to = ("table_records", "code")

    def get_form(self, data: Any = None, files: Any = None) -> forms.Form:
        given = self.request.GET
        asked = {name: given[name] for name in ("table", "day") if name in given}
        names = names_of_tables(self.subject)
        return self.table_form(self.subject, names, clock.today(), data, initial=asked)

    def act(self, data: dict[str, Any]) -> TableStatement | None:
        entries = [self.table_form.entry_of(data)]
        return record_tables(party=self.subject, entries=entries, by=self.person)

    def get_success_message(self, result: TableStatement | None) -> str:
        return NOTHING_NEW if result is None else self.describe(result.records.get())

    def describe(self, row: TableRecord) -> str:
        """Say what was recorded."""
        raise NotImplementedError


class CloseTable(RecordPage):
    """Say that a table was closed on a gambling day."""

    table_form = ClosedForm
    title = "Record that a table was closed"

    def describe(self, row: TableRecord) -> str:
        return f"{row.table} counts as closed on {show_day(row.day)}."


class RecordCash(RecordPage):
    """Record a table's chips and drop."""

    table_form = CashForm
    title = "Record a table’s cash"

    def describe(self, row: TableRecord) -> str:
        return (
            f"{row.table}, {when(row.begins)} to {when(row.ends)}: win in cash "
            f"{signed(row.win or 0)}. Its rounds are compared with it once the day has closed."
        )


class RecordFund(OfParty, FormPage):
    """Record a jackpot's fund on a gambling day."""

    permission = Action.SUBMIT_ROUNDS
    button = "Save record"
    title = "Record a jackpot’s fund"
    returns_to = ("table_records", "code")

    def get_form(self, data: Any = None, files: Any = None) -> forms.Form:
        return FundForm(data)

    def act(self, data: dict[str, Any]) -> TableStatement | None:
        return record_tables(party=self.subject, entries=[FundForm.entry_of(data)], by=self.person)

    def get_success_message(self, result: TableStatement | None) -> str:
        if result is None:
            return NOTHING_NEW
        row = result.records.get()
        return (
            f"{row.fund}, {show_day(row.day)}: balance {in_dollars(row.after or 0)}. It is "
            "reconciled once the day has closed."
        )
