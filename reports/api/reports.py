"""Reports: the list, one with its digests, and its files."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from compliance.api.fields import CodeField, DayField, at, chosen, day_of
from compliance.api.lists import PageQuery, page, page_of
from compliance.api.operation import Operation, require_sight
from compliance.api.reading import query_of
from compliance.archive import current_archive
from compliance.archive.content import read_bytes
from compliance.csv_rows import CsvRows
from compliance.file_answers import as_file, from_archive
from compliance.models import Party
from compliance.permissions import Action, KeyScope
from reports.inputs import read_inputs
from reports.models import Report
from reports.selectors.reports import about
from reports.sheets import sheet_of

if TYPE_CHECKING:
    from uuid import UUID

    from django.http.response import HttpResponseBase
    from rest_framework.request import Request


class ReportQuery(PageQuery):
    """Which reports to list."""

    kind = CodeField(required=False, help_text="As `kind` of a report says it.")
    party = CodeField(required=False, help_text="Code of the party that it is about.")
    day = DayField(required=False)


class ReportShape(serializers.Serializer[Any]):
    """A report."""

    report = serializers.UUIDField()
    kind = serializers.CharField()
    party = serializers.CharField(allow_null=True)
    day = serializers.DateField(allow_null=True)
    title = serializers.CharField()
    reference = serializers.CharField()
    pages = serializers.IntegerField()
    body = serializers.CharField(help_text="SHA-256 of the body: what the report is known by.")
    signed = serializers.BooleanField(help_text="Whether its signed file is there.")
    supplements = serializers.UUIDField(allow_null=True)
    at = serializers.DateTimeField()


class Reports(Operation):
    """Reports."""

    operation = "reports"
    reads = frozenset({KeyScope.REPORTS})

    @extend_schema(parameters=[ReportQuery], responses=page_of(ReportShape))
    def get(self, request: Request) -> Response:
        """Reports, the newest first."""
        said = query_of(request, ReportQuery)
        require_sight(request, Action.SEE_REPORTS)
        found = Report.objects.select_related("party", "supplements")
        found = chosen(found, request, said, kind="kind", day="day")
        if "party" in said:
            found = about(found, get_object_or_404(Party, code=said["party"]))
        found = found.prefetch_related("envelopes")
        return Response(page(found, said, _told, of="reports"))


class OneReport(Operation):
    """A report."""

    operation = "report"
    reads = frozenset({KeyScope.REPORTS})

    @extend_schema(responses=ReportShape)
    def get(self, request: Request, uuid: UUID) -> Response:
        """What a report is about, and by what it is known."""
        return Response(_told(_found(request, uuid)))


class SignedFile(Operation):
    """A report's file."""

    operation = "report_file"
    reads = frozenset({KeyScope.REPORTS})

    @extend_schema(responses={(200, "application/pdf"): OpenApiTypes.BINARY})
    def get(self, request: Request, uuid: UUID) -> HttpResponseBase:
        """The newest signed file."""
        found = _found(request, uuid)
        envelope = found.envelopes.last()
        if envelope is None:
            raise Http404
        return as_file(from_archive(envelope.file, "application/pdf"), f"{found.reference}.pdf")


class Data(Operation):
    """A report's data."""

    operation = "report_data"
    reads = frozenset({KeyScope.REPORTS})

    @extend_schema(responses={(200, "application/json"): OpenApiTypes.OBJECT})
    def get(self, request: Request, uuid: UUID) -> HttpResponseBase:
        """What the report was made of, as it was kept."""
        found = _found(request, uuid)
        return as_file(from_archive(found.inputs, "application/json"), f"{found.reference}.json")


class OneTable(Operation):
    """A report's table."""

    operation = "report_table"
    reads = frozenset({KeyScope.REPORTS})

    @extend_schema(responses={(200, "text/csv"): OpenApiTypes.STR})
    def get(self, request: Request, uuid: UUID, table: str) -> HttpResponse:
        """One of its tables."""
        found = _found(request, uuid)
        kept = read_inputs(read_bytes(current_archive(), found.inputs))
        rows = sheet_of(kept).tables.get(table)
        if rows is None:
            raise Http404
        written = io.StringIO()
        writer = CsvRows(written)
        writer.write(*(column.title for column in rows.columns))
        writer.write_all(rows.rows)
        answer = HttpResponse(written.getvalue(), content_type="text/csv; charset=utf-8")
        return as_file(answer, f"{found.reference}-{table}.csv")


def _found(request: Request, uuid: UUID) -> Report:
    require_sight(request, Action.SEE_REPORTS)
    return get_object_or_404(Report.objects.select_related("party", "supplements"), uuid=uuid)


def _told(report: Report) -> dict[str, Any]:
    return {
        "report": str(report.uuid),
        "kind": report.kind,
        "party": report.party.code if report.party else None,
        "day": day_of(report.day),
        "title": report.title,
        "reference": report.reference,
        "pages": report.pages,
        "body": report.body,
        "signed": bool(report.envelopes.all()),
        "supplements": str(report.supplements.uuid) if report.supplements else None,
        "at": at(report.at),
    }
