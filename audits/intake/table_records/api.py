"""API for records of tables and jackpots: closures, cash, funds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from audits.intake.segments.ingestion import LoggedRecord
from audits.intake.table_records.comparison import CASH, CLOSED, FUND, entry_of
from audits.intake.table_records.models import TableRecord
from audits.intake.table_records.writes import record_tables, withdraw_record
from compliance.access.permissions import Action, KeyScope
from compliance.api.fields import (
    CodeField,
    DayField,
    InstantField,
    PageQuery,
    TextOrNull,
    chosen,
    operator_of,
    page,
    page_of,
)
from compliance.api.once import once
from compliance.api.operation import Operation, key_in, require_sight
from compliance.api.problems import fault, invalid
from compliance.api.reading import TextField, body_of, query_of
from games.log.form import Record, read_line
from games.log.reference import record_schema
from games.log.schema import RECORDS

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

    from audits.intake.table_records.comparison import Entry


MOST_AT_ONCE = 500
SUBJECTS_SHOWN = (CASH, CLOSED, FUND)
EXAMPLE = {
    "v": 2,
    "record": "table_closed",
    "table": "T5",
    "day": "2025-07-12",
    "reason": "not staffed",
}


class TableRecordQuery(PageQuery):
    """Which records to list."""

    operator = CodeField(required=False)
    day = DayField(required=False)
    table = TextField(required=False, max_length=32)
    subject = serializers.ChoiceField(SUBJECTS_SHOWN, required=False)


@extend_schema_field(
    {"oneOf": [{"type": "object", **record_schema(fields)} for fields in RECORDS.values()]}
)
class RecordField(serializers.DictField):
    """A record, as a round log contains it; the log's own reader checks it."""


class NewRecords(serializers.Serializer[Any]):
    """Records of one operator's tables, as a round log contains them."""

    operator = CodeField()
    records = serializers.ListField(
        child=RecordField(),
        min_length=1,
        max_length=MOST_AT_ONCE,
        help_text="Lines `table_cash`, `table_closed` and `jackpot_fund` of the round log, "
        "version 2.",
    )


class Withdrawal(serializers.Serializer[Any]):
    """Why a record is wrong."""

    reason = TextField(min_length=1, max_length=256)


class TableRecordShape(serializers.Serializer[Any]):
    """A record of a table; amounts are in cents."""

    table_record = serializers.UUIDField(source="uuid")
    operator = serializers.CharField(source="statement.party.code")
    subject = serializers.ChoiceField(SUBJECTS_SHOWN)
    table = serializers.CharField(help_text="Empty of a fund, which is the room's.")
    day = serializers.DateField(help_text="The gambling day; of cash, that of its end.")
    begins = InstantField(allow_null=True)
    ends = InstantField(allow_null=True)
    opener = serializers.IntegerField(allow_null=True)
    fills = serializers.IntegerField(allow_null=True)
    credits = serializers.IntegerField(allow_null=True)
    closer = serializers.IntegerField(allow_null=True)
    drop = serializers.IntegerField(allow_null=True)
    win = serializers.IntegerField(allow_null=True, help_text="The table's win in cash.")
    fund = TextOrNull()
    game = TextOrNull(help_text="Whose rounds fill the fund.")
    kind = TextOrNull(help_text="`player_supported` or `progressive`, of a fund.")
    before = serializers.IntegerField(allow_null=True, help_text="The fund's former balance.")
    contributions = serializers.IntegerField(allow_null=True)
    payouts = serializers.IntegerField(allow_null=True)
    fee = serializers.IntegerField(allow_null=True, help_text="The fund's administrative fee.")
    after = serializers.IntegerField(allow_null=True, help_text="The fund's balance.")
    reason = TextOrNull(help_text="Why it was closed.")
    log = serializers.UUIDField(source="statement.log.uuid", allow_null=True)
    line = serializers.IntegerField(allow_null=True, help_text="In the log.")
    at = InstantField(source="statement.at")
    withdrawn = TextOrNull(
        source="withdrawal.reason", default=None, help_text="Why it no longer counts."
    )


class RecordedShape(serializers.Serializer[Any]):
    """The records that are new; those on file already change nothing."""

    records = TableRecordShape(many=True)


class TableRecords(Operation):
    """Records of tables and jackpots."""

    operation = "table_records"
    reads = frozenset({KeyScope.ROUNDS, KeyScope.SUBMISSION})
    writes = frozenset({KeyScope.SUBMISSION})

    @extend_schema(parameters=[TableRecordQuery], responses=page_of(TableRecordShape))
    def get(self, request: Request) -> Response:
        """Closures and cash of tables, and funds of jackpots, the newest record first."""
        query = query_of(request, TableRecordQuery)
        require_sight(request, Action.SEE_ROUNDS)
        found = TableRecord.objects.exclude(subject=TableRecord.Subject.WITHDRAWN).select_related(
            "statement__party", "statement__log", "withdrawal"
        )
        named = {"day": "day", "table": "table", "subject": "subject"}
        found = chosen(found, request, query, operator="statement__party", **named)
        return Response(page(found, query, TableRecordShape, of="table-records"))

    @extend_schema(
        request=NewRecords,
        responses={201: RecordedShape},
        examples=[
            OpenApiExample(
                "A closed table",
                {"operator": "cedar", "records": [EXAMPLE]},
                request_only=True,
            )
        ],
    )
    @once
    def post(self, request: Request) -> Response:
        """Record closures, cash and funds, all or nothing."""
        body = body_of(request, NewRecords)
        operator = operator_of(request, body["operator"], Action.SUBMIT_ROUNDS)
        entries = [_entry(place, each) for place, each in enumerate(body["records"])]
        statement = record_tables(party=operator, entries=entries, by=key_in(request))
        rows = statement.records.exclude(subject=TableRecord.Subject.WITHDRAWN) if statement else []
        return Response({"records": TableRecordShape(rows, many=True).data}, 201)


def _entry(place: int, given: dict[str, Any]) -> Entry:
    read = read_line(json.dumps(given).encode())
    where = f"/records/{place}"
    if isinstance(read, Record):
        try:
            return entry_of(LoggedRecord(0, str(read.record), read.of, read.values))
        except OverflowError:
            raise invalid(
                [fault("body", where, "its times are not in the calendar", "form")]
            ) from None
    reason = getattr(read, "reason", "expected a record of a table, not a round")
    field = getattr(read, "field", None)
    raise invalid([fault("body", f"{where}/{field}" if field else where, reason, "form")])


class WithdrawTableRecord(Operation):
    """A record that is wrong."""

    operation = "withdraw_table_record"
    writes = frozenset({KeyScope.SUBMISSION})

    @extend_schema(request=Withdrawal, responses=TableRecordShape)
    @once
    def post(self, request: Request, uuid: UUID) -> Response:
        """Withdraw a record; it stays on file and no longer counts."""
        found = TableRecord.objects.exclude(subject=TableRecord.Subject.WITHDRAWN)
        found = found.select_related("statement__party", "statement__log")
        row = get_object_or_404(found, uuid=uuid)
        require_sight(request, Action.SUBMIT_ROUNDS, row.statement.party)
        body = body_of(request, Withdrawal)
        withdraw_record(row=row, reason=body["reason"], by=key_in(request))
        row.refresh_from_db()
        return Response(TableRecordShape(row).data)
