"""API for reports: the list, one report with its digests, and its files."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from compliance.access.models import Party
from compliance.access.permissions import Action, KeyScope
from compliance.api.fields import (
    CodeField,
    DayField,
    InstantField,
    PageQuery,
    chosen,
    page,
    page_of,
)
from compliance.api.operation import Operation, key_in, require_sight
from compliance.api.reading import query_of
from compliance.files.archive import current_archive, read_bytes
from compliance.files.downloads import as_file, from_archive
from compliance.text import CsvRows
from reports.documents.models import Report
from reports.documents.registry import read_inputs
from reports.documents.sheets import sheet_of
from reports.library.reads import reports_about
from reports.schedules.deliveries import record_report_export

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

    report = serializers.UUIDField(source="uuid")
    kind = serializers.CharField()
    party = serializers.CharField(source="party.code", allow_null=True)
    day = serializers.DateField(allow_null=True)
    title = serializers.CharField()
    reference = serializers.CharField()
    pages = serializers.IntegerField()
    body = serializers.CharField(help_text="SHA-256 of the body: what the report is known by.")
    signed = serializers.BooleanField(
        source="envelopes.all", help_text="Whether its signed file is there."
    )
    supplements = serializers.UUIDField(source="supplements.uuid", allow_null=True)
    at = InstantField()


class Reports(Operation):
    """Reports."""

    operation = "reports"
    reads = frozenset({KeyScope.REPORTS})

    @extend_schema(parameters=[ReportQuery], responses=page_of(ReportShape))
    def get(self, request: Request) -> Response:
        """Reports, the newest first."""
        query = query_of(request, ReportQuery)
        require_sight(request, Action.SEE_REPORTS)
        found = Report.objects.select_related("party", "supplements")
        found = chosen(found, request, query, kind="kind", day="day")
        if "party" in query:
            found = reports_about(found, get_object_or_404(Party, code=query["party"]))
        found = found.prefetch_related("envelopes")
        return Response(page(found, query, ReportShape, of="reports"))


class OneReport(Operation):
    """A report."""

    operation = "report"
    reads = frozenset({KeyScope.REPORTS})

    @extend_schema(responses=ReportShape)
    def get(self, request: Request, uuid: UUID) -> Response:
        """What a report is about, and by what it is known."""
        return Response(ReportShape(_find_report(request, uuid)).data)


class SignedFile(Operation):
    """A report's file."""

    operation = "report_file"
    reads = frozenset({KeyScope.REPORTS})

    @extend_schema(responses={(200, "application/pdf"): OpenApiTypes.BINARY})
    def get(self, request: Request, uuid: UUID) -> HttpResponseBase:
        """The newest signed file."""
        found = _find_report(request, uuid)
        envelope = found.envelopes.last()
        if envelope is None:
            raise Http404
        recorded = record_report_export(
            report=found, by=key_in(request), what="a signed report", form="PDF"
        )
        answer = from_archive(envelope.file, "application/pdf")
        return as_file(answer, f"{found.reference}.pdf", recorded=recorded)


class Data(Operation):
    """A report's data."""

    operation = "report_data"
    reads = frozenset({KeyScope.REPORTS})

    @extend_schema(responses={(200, "application/json"): OpenApiTypes.OBJECT})
    def get(self, request: Request, uuid: UUID) -> HttpResponseBase:
        """What the report was made of, as it was kept."""
        found = _find_report(request, uuid)
        recorded = record_report_export(
            report=found, by=key_in(request), what="the data of a report", form="JSON"
        )
        answer = from_archive(found.inputs, "application/json")
        return as_file(answer, f"{found.reference}.json", recorded=recorded)


class OneTable(Operation):
    """A report's table."""

    operation = "report_table"
    reads = frozenset({KeyScope.REPORTS})

    @extend_schema(responses={(200, "text/csv"): OpenApiTypes.STR})
    def get(self, request: Request, uuid: UUID, table: str) -> HttpResponse:
        """One of its tables."""
        found = _find_report(request, uuid)
        kept = read_inputs(read_bytes(current_archive(), found.inputs))
        rows = sheet_of(kept).tables.get(table)
        if rows is None:
            raise Http404
        written = io.StringIO()
        writer = CsvRows(written)
        writer.write(*(column.title for column in rows.columns))
        writer.write_all(rows.rows)
        recorded = record_report_export(
            report=found,
            by=key_in(request),
            what=f"the table {table} of a report",
            form="CSV",
            count=len(rows.rows),
        )
        answer = HttpResponse(written.getvalue(), content_type="text/csv; charset=utf-8")
        return as_file(answer, f"{found.reference}-{table}.csv", recorded=recorded)


def _find_report(request: Request, uuid: UUID) -> Report:
    require_sight(request, Action.SEE_REPORTS)
    return get_object_or_404(Report.objects.select_related("party", "supplements"), uuid=uuid)
