"""Reports in pages: one as a page, its file and data, and one that is ordered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.dateparse import parse_date
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from audits.models import GamblingDay, RoundLog
from audits.selectors.rounds import round_at
from compliance import clock
from compliance.archive import current_archive
from compliance.archive.content import read_bytes
from compliance.csv_rows import CsvRows
from compliance.file_answers import as_file
from compliance.models import Party
from compliance.permissions import Action
from compliance.web.acting import allows, person_of, require_sight
from reports.documents.kinds import About, NothingToReportError, document_kinds
from reports.documents.letters import LETTERS
from reports.documents.night_days import OF_A_DAY
from reports.documents.round_sheet import ROUND_SHEET, about_round
from reports.inputs import read_inputs
from reports.models import Report, ReportOrder
from reports.services.deliveries import note_seen
from reports.services.orders import order_report
from reports.sheets import sheet_of

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest

    from reports.documents.kinds import DocumentKind
    from reports.paper.blocks import Sheet


ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
EARLIEST = 1970


@login_required
@require_safe
def report(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """One report as a page, from the same data as its file."""
    found = _report(request, uuid)
    sheet = _sheet(found)
    note_seen(report=found, by=person_of(request))
    context = {
        "report": found,
        "sheet": sheet,
        "tables": list(sheet.tables.values()),
        "envelope": found.envelopes.last(),
        "supplements": found.supplements if found.supplements_id else None,
        **_release(request, found),
    }
    return render(request, "reports/report.html", context)


@login_required
@require_safe
def signed_file(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Hand out the newest signed file of a report."""
    found = _report(request, uuid)
    envelope = found.envelopes.last()
    if envelope is None:
        raise Http404
    content = read_bytes(current_archive(), envelope.file)
    return _download(content, found.file_name, "application/pdf")


@login_required
@require_safe
def data(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Hand out what a report was made of, as it was kept."""
    found = _report(request, uuid)
    content = read_bytes(current_archive(), found.inputs)
    return _download(content, f"{found.reference}.json", "application/json")


@login_required
@require_safe
def table(request: HttpRequest, uuid: UUID, table: str) -> HttpResponse:
    """Hand out one table of a report."""
    found = _report(request, uuid)
    rows = _sheet(found).tables.get(table)
    if rows is None:
        raise Http404
    answer = _download(b"", f"{found.reference}-{table}.csv", "text/csv; charset=utf-8")
    written = CsvRows(answer)
    written.write(*(column.title for column in rows.columns))
    written.write_all(rows.rows)
    return answer


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def about(request: HttpRequest, kind: str, uuid: UUID) -> HttpResponse:
    """The report of one kind about one thing: shown if it is made, ordered if it is not."""
    return _one(request, kind, About(subject=uuid))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def of_day(request: HttpRequest, kind: str, code: str) -> HttpResponse:
    """The report of one kind about a party and the day that `day` names, or today."""
    party = get_object_or_404(Party.objects.select_related("agency"), code=code)
    day = request.GET.get("day", clock.today().isoformat())
    try:
        on = parse_date(day) if ISO_DATE.fullmatch(day) else None
    except ValueError:  # no day of any calendar, as February 30
        on = None
    if on is None or on > clock.today() or on.year < EARLIEST:
        raise Http404
    return _one(request, kind, About(party=party, day=on))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def of_round(request: HttpRequest, log: UUID, line: int) -> HttpResponse:
    """The sheet of the round on a line of a log."""
    require_sight(request, ROUND_SHEET.action)
    found = get_object_or_404(RoundLog.objects.select_related("party"), uuid=log)
    on_file = round_at(found, line) if 1 <= line <= found.lines else None
    if on_file is None:
        raise Http404
    return _one(request, ROUND_SHEET.name, about_round(on_file))


def _one(request: HttpRequest, name: str, subject: About) -> HttpResponse:
    kind = document_kinds().get(name)
    if kind is None:
        raise Http404
    require_sight(request, kind.action)
    _require_open(kind, subject)
    number = kind.edition(subject)
    made = Report.objects.filter(kind=name, about=subject.key, number=number).first()
    if made is not None:
        return redirect("report", uuid=made.uuid)
    if request.method == "POST":
        order_report(kind=name, about=subject, by=person_of(request), number=number)
        messages.success(request, "The report is ordered. It is made in a few seconds.")
        return redirect(request.get_full_path())
    order = ReportOrder.objects.filter(kind=name, about=subject.key, number=number).first()
    context = {"kind": kind, "order": order, "comes": name in LETTERS and order is None}
    return render(request, "reports/order.html", context)


def _require_open(kind: DocumentKind, subject: About) -> None:
    """What is another party's is not there."""
    try:
        kind.shown_to(subject)
    except NothingToReportError as nothing:
        raise Http404 from nothing


def _report(request: HttpRequest, uuid: UUID) -> Report:
    require_sight(request, Action.SEE_REPORTS)
    return get_object_or_404(Report.objects.select_related("supplements"), uuid=uuid)


def _release(request: HttpRequest, found: Report) -> dict[str, Any]:
    """Whether the operator is shown what is told of its day, and whether one may release it."""
    sees = found.kind in OF_A_DAY and allows(request, Action.SEE_FINDINGS, found.party)
    if not sees or found.day is None:
        return {}
    kept = GamblingDay.objects.select_related("party__agency").get(party=found.party, day=found.day)
    releases = kept.released is None and allows(request, Action.RELEASE_FINDINGS, kept.party)
    # Report n + 1 of a day is that of its supplement n.
    return {"kept": kept, "releases": releases, "read": found.number - 1}


def _sheet(found: Report) -> Sheet:
    return sheet_of(read_inputs(read_bytes(current_archive(), found.inputs)))


def _download(content: bytes, name: str, kind: str) -> HttpResponse:
    return as_file(HttpResponse(content, content_type=kind), name)
