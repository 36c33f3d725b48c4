"""Patterns that a list shows, as CSV or XLSX in which no cell computes anything."""

from __future__ import annotations

import io
from decimal import Decimal
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

from django.http import FileResponse, StreamingHttpResponse
from xlsxwriter import Workbook

from audits.findings_in_words import code_in_words
from audits.web.rounds.times import local
from compliance import clock
from compliance.csv_rows import CsvRows
from compliance.file_answers import as_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from django.db.models import QuerySet
    from django.http.response import HttpResponseBase

    from audits.models import Pattern

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
SEEN = (
    *("Pattern", "Operator", "Game", "Table", "Code", "What went wrong", "Wager", "Line"),
    *("Weight", "Findings", "Rounds", "Too much (USD)", "Too little (USD)"),
    *("First", "Last", "Shown to the operator"),
)
INSIDE = ("State", "On the desk of", "Due")
MOST_ROWS = 1_000_000
"""A sheet of XLSX holds 1,048,576."""


def exported(found: QuerySet[Pattern], *, name: str, form: str, inside: bool) -> HttpResponseBase:
    """All of some patterns as a file; what is internal only for the commission."""
    name = f"{name}-{clock.today().isoformat()}"
    rows = _rows(found, inside=inside)
    return _sheet(rows, f"{name}.xlsx") if form == "xlsx" else _lines(rows, f"{name}.csv")


def _lines(rows: Iterator[list[Any]], name: str) -> HttpResponseBase:
    """CSV, written as it is sent; a cell that a spreadsheet would compute is text."""

    def pieces() -> Iterator[str]:
        held = io.StringIO()
        written = CsvRows(held)
        for row in rows:
            written.write(*row)
            yield held.getvalue()
            held.seek(0)
            held.truncate()

    answer = StreamingHttpResponse(pieces(), content_type="text/csv; charset=utf-8")
    return as_file(answer, name)


def _sheet(rows: Iterator[list[Any]], name: str) -> HttpResponseBase:
    place = TemporaryFile()  # noqa: SIM115 - closed by the answer that sends it
    options = {
        "constant_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    with Workbook(place, options) as book:
        sheet = book.add_worksheet("Patterns")
        sheet.freeze_panes(1, 0)
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)
    place.seek(0)
    return as_file(FileResponse(place, content_type=XLSX), name)


def _rows(found: QuerySet[Pattern], *, inside: bool) -> Iterator[list[Any]]:
    yield [*SEEN, *(INSIDE if inside else ())]
    for each in found[:MOST_ROWS].iterator(chunk_size=1000):
        row = [
            *(str(each.uuid), each.party.name, each.game, each.table, each.code),
            *(code_in_words(each.code), each.wager, each.line, each.weight),
            *(each.findings, each.rounds, _dollars(abs(each.over)), _dollars(-abs(each.under))),
            *(_time(each.first), _time(each.last), _time(each.released)),
        ]
        if inside:
            work = getattr(each, "work", None)
            row += [
                each.get_state_display(),
                work.assigned_to.name if work and work.assigned_to else "",
                work.due.isoformat() if work else "",
            ]
        yield row


def _dollars(cents: int) -> Decimal:
    return Decimal(cents).scaleb(-2)


def _time(at: datetime | None) -> str:
    return local(at).isoformat(timespec="seconds") if at else ""
