"""Export of an issue list as CSV or XLSX without any formulas."""

from __future__ import annotations

import io
from decimal import Decimal
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

from django.http import FileResponse, StreamingHttpResponse
from xlsxwriter import Workbook

from audits.replay.findings.wording import describe_coverage, parts_of, title_of
from compliance import clock
from compliance.events.exports import record_export
from compliance.files.downloads import as_file
from compliance.text import CsvRows
from compliance.ui.access import person_of
from compliance.ui.filters import local
from games.explanation.words import describe_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from django.db.models import QuerySet
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from audits.replay.findings.models import Issue


XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
SEEN = (
    *("Issue", "Title", "Operator", "Game", "Table", "Wager", "Line", "Cause"),
    *("Severity", "Findings", "Rounds", "Overpaid (USD)", "Underpaid (USD)"),
    *("First", "Last", "Shown to the operator", "Code"),
)
INSIDE = ("State", "Assigned to", "Due")
MOST_ROWS = 1_000_000
"""An XLSX sheet holds 1,048,576 rows."""


def exported(
    request: HttpRequest, found: QuerySet[Issue], *, name: str, inside: bool
) -> HttpResponseBase:
    """Export all given issues as a file; internal columns are for the commission only."""
    asked = {key: str(value) for key, value in request.GET.items() if value}
    form = "xlsx" if asked.pop("as", "") == "xlsx" else "csv"
    recorded = record_export(
        by=person_of(request),
        what=f"the list {name}",
        format=form.upper(),
        count=min(found.count(), MOST_ROWS),
        filters=asked,
    )
    rows = _rows(found, inside=inside)
    answer = _sheet(rows) if form == "xlsx" else _lines(rows)
    return as_file(answer, f"{name}-{clock.today().isoformat()}.{form}", recorded=recorded)


def _lines(rows: Iterator[list[Any]]) -> StreamingHttpResponse:
    """Stream the rows as CSV; text that a spreadsheet would take for a formula stays text."""

    def pieces() -> Iterator[str]:
        held = io.StringIO()
        written = CsvRows(held)
        for row in rows:
            written.write(*row)
            yield held.getvalue()
            held.seek(0)
            held.truncate()

    return StreamingHttpResponse(pieces(), content_type="text/csv; charset=utf-8")


def _sheet(rows: Iterator[list[Any]]) -> FileResponse:
    place = TemporaryFile()  # noqa: SIM115 - closed by the answer that sends it
    options = {
        "constant_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    with Workbook(place, options) as book:
        sheet = book.add_worksheet("Issues")
        sheet.freeze_panes(1, 0)
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)
    place.seek(0)
    return FileResponse(place, content_type=XLSX)


def _rows(found: QuerySet[Issue], *, inside: bool) -> Iterator[list[Any]]:
    yield [*SEEN, *(INSIDE if inside else ())]
    for each in found[:MOST_ROWS].iterator(chunk_size=1000):
        row = [
            *(str(each.uuid), title_of(each), each.party.name, describe_name(each.game)),
            *(", ".join(parts_of(each, "table")), _names(each, "wager"), _names(each, "line")),
            *(" ".join(filter(None, (each.diagnosis, describe_coverage(each)))), each.weight),
            *(each.findings, each.rounds, _dollars(abs(each.over)), _dollars(-abs(each.under))),
            *(_time(each.first), _time(each.last), _time(each.released), each.code),
        ]
        if inside:
            work = getattr(each, "work", None)
            row += [
                each.get_state_display(),
                work.assigned_to.name if work and work.assigned_to else "",
                work.due.isoformat() if work else "",
            ]
        yield row


def _names(issue: Issue, part: str) -> str:
    return ", ".join(map(describe_name, parts_of(issue, part)))


def _dollars(cents: int) -> Decimal:
    return Decimal(cents).scaleb(-2)


def _time(at: datetime | None) -> str:
    return local(at).isoformat(timespec="seconds") if at else ""
