"""Pages of reports: the list, one report and its files, ordering one, and verifying a PDF."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django import forms
from django.db.models import Prefetch
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.utils.cache import add_never_cache_headers
from django.utils.dateparse import parse_date
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from audits.intake.days.models import GamblingDay
from audits.intake.models import RoundLog
from audits.intake.rounds import round_at
from compliance import clock
from compliance.access.models import Party
from compliance.access.permissions import Action, PartyKind
from compliance.files.archive import current_archive, read_bytes
from compliance.files.downloads import as_file
from compliance.text import CsvRows
from compliance.ui.access import require_sight
from compliance.ui.errors import in_turn
from compliance.ui.forms import PartyFilter
from compliance.ui.pages import ActionPage, ListPage, Page
from compliance.ui.tables import ListTable, WhenColumn
from reports.documents.days import OF_A_DAY
from reports.documents.letters import LETTERS
from reports.documents.models import Report, ReportOrder, ReportVisibility
from reports.documents.registry import About, NothingToReportError, document_kinds, read_inputs
from reports.documents.round_sheet import ROUND_SHEET, about_round
from reports.documents.sheets import sheet_of
from reports.library.reads import reports_about
from reports.library.verification import check_pdf
from reports.schedules.deliveries import note_seen, record_report_export
from reports.schedules.forms import DayFilters
from reports.schedules.models import Delivery
from reports.schedules.orders import order_report

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile
    from django.db.models import QuerySet
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from reports.documents.registry import DocumentKind
    from reports.rendering.blocks import Sheet


MOST_NEW = 10


class ReportTable(ListTable):
    """Reports, newest first."""

    title = tables.Column(linkify=("report", {"uuid": tables.A("uuid")}))
    reference = tables.Column()
    shown_to = tables.Column(empty_values=())
    made = WhenColumn(accessor="at")
    pages = tables.Column()
    caption = "Reports"

    def render_shown_to(self, record: Report) -> str:
        return ", ".join(str(each.party) for each in record.shown_to.all()) or "The commission"


class ReportFilters(DayFilters):
    """Filters of the list; reports about a party include the letters shown to it."""

    party = PartyFilter(method="about")

    def about(self, rows: QuerySet[Report], name: str, value: Party) -> QuerySet[Report]:
        """Filter by the party that they are about."""
        return reports_about(rows, value)


class ReportList(ListPage):
    """The reports that the user may see, with the new ones first."""

    permission = Action.SEE_REPORTS
    template_name = "reports/reports.html"
    table_class = ReportTable
    filter_class = ReportFilters

    def get_rows(self) -> QuerySet[Report]:
        """Return the reports; the commission also sees to whom each is shown."""
        if not self.allows(Action.SEE_FINDINGS):
            return Report.objects.all()
        outside = ReportVisibility.objects.exclude(party__kind=PartyKind.COMMISSION_UNIT)
        return Report.objects.prefetch_related(
            Prefetch("shown_to", outside.select_related("party"))
        )

    def get_table(self, rows: Any) -> ReportTable:
        return ReportTable(rows, exclude=() if self.allows(Action.SEE_FINDINGS) else ("shown_to",))

    def get_context(self) -> dict[str, Any]:
        new = Delivery.objects.filter(
            person=self.person, seen__isnull=True, report__envelopes__isnull=False
        )
        first = list(new.select_related("report").distinct().order_by("-pk")[: MOST_NEW + 1])
        return super().get_context() | {
            "new": first[:MOST_NEW],
            "more": len(first) > MOST_NEW,
            "inside": self.allows(Action.SEE_FINDINGS),
            "orders": self.allows(Action.SEE_CONTROLS),
        }


class MarkSeen(ActionPage):
    """Mark all reports as seen by the user."""

    permission = Action.SEE_REPORTS
    success_message = "All reports are marked as seen. They stay in the list."

    def act(self, data: dict[str, Any]) -> None:
        note_seen(by=self.person)

    def get_page_url(self) -> str:
        return resolve_url("reports")


class ReportPage(Page):
    """A report as a page, from the same data as its file."""

    template_name = "reports/report.html"

    def get_subject(self) -> Report:
        reports = Report.objects.select_related("supplements")
        return get_object_or_404(reports, uuid=self.kwargs["uuid"])

    def check_permission(self) -> None:
        """Require the permission on any party: a report is shown to parties it is not about."""
        require_sight(self.request, Action.SEE_REPORTS)

    def get_context(self) -> dict[str, Any]:
        """Render the report's data, and note that the user saw it."""
        report: Report = self.subject
        sheet = self.read_sheet()
        note_seen(report=report, by=self.person)
        return {
            "report": report,
            "sheet": sheet,
            "tables": list(sheet.tables.values()),
            "envelope": report.envelopes.last(),
            "supplements": report.supplements if report.supplements_id else None,
            **self._release(),
        }

    def read_sheet(self) -> Sheet:
        """Return the contents, from the kept inputs."""
        return sheet_of(read_inputs(read_bytes(current_archive(), self.subject.inputs)))

    def _release(self) -> dict[str, Any]:
        """Return whether the operator sees its day's report, and if the user may release it."""
        report: Report = self.subject
        if report.kind not in OF_A_DAY or not self.allows(Action.SEE_FINDINGS) or not report.day:
            return {}
        days = GamblingDay.objects.select_related("party__agency")
        kept = days.get(party=report.party, day=report.day)
        releases = kept.released is None and self.allows(Action.RELEASE_FINDINGS)
        # Report n + 1 of a day is that of its supplement n.
        return {"kept": kept, "releases": releases, "read": report.number - 1}


class SignedFile(ReportPage):
    """The newest signed file of a report."""

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        report: Report = self.subject
        envelope = report.envelopes.last()
        if envelope is None:
            raise Http404
        content = read_bytes(current_archive(), envelope.file)
        recorded = record_report_export(
            report=report, by=self.person, what="a signed report", form="PDF"
        )
        answer = HttpResponse(content, content_type="application/pdf")
        return as_file(answer, report.file_name, recorded=recorded)


class ReportData(ReportPage):
    """The data that a report was made from."""

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        report: Report = self.subject
        content = read_bytes(current_archive(), report.inputs)
        recorded = record_report_export(
            report=report, by=self.person, what="the data of a report", form="JSON"
        )
        answer = HttpResponse(content, content_type="application/json")
        return as_file(answer, f"{report.reference}.json", recorded=recorded)


class ReportTableFile(ReportPage):
    """One table of a report."""

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        name = self.kwargs["table"]
        table = self.read_sheet().tables.get(name)
        if table is None:
            raise Http404
        recorded = record_report_export(
            report=self.subject,
            by=self.person,
            what=f"the table {name} of a report",
            form="CSV",
            count=len(table.rows),
        )
        answer = HttpResponse(content_type="text/csv; charset=utf-8")
        written = CsvRows(answer)
        written.write(*(column.title for column in table.columns))
        written.write_all(table.rows)
        return as_file(answer, f"{self.subject.reference}-{name}.csv", recorded=recorded)


class ReportAbout(ActionPage):
    """The report of a kind about a subject: shown if it was made, and ordered if it was not."""

    template_name = "reports/order.html"
    success_message = "The report is ordered. It takes a few seconds."

    def dispatch(self, request: HttpRequest, *args: Any, **address: Any) -> HttpResponseBase:
        """Forbid caching: the same address soon shows the report."""
        response = super().dispatch(request, *args, **address)
        add_never_cache_headers(response)
        return response

    @property
    def kind(self) -> DocumentKind:
        """Return the kind in the address."""
        kind = document_kinds().get(self.kwargs["kind"])
        if kind is None:
            raise Http404
        return kind

    def get_subject(self) -> About:
        return About(subject=self.kwargs["uuid"])

    def check_permission(self) -> None:
        require_sight(self.request, self.kind.action)
        try:
            self.kind.shown_to(self.subject)
        except NothingToReportError as nothing:
            raise Http404 from nothing

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Show the report, or how far its order is."""
        return self._made() or self.show()

    def post(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Order it, unless it was made."""
        return self._made() or super().post(request, **address)

    def act(self, data: dict[str, Any]) -> ReportOrder:
        kind, about = self.kind, self.subject
        return order_report(kind=kind.name, about=about, by=self.person, number=kind.edition(about))

    def get_page_url(self) -> str:
        return self.request.get_full_path()

    def get_context(self) -> dict[str, Any]:
        """Add the order, and whether the letter is made without one."""
        order = self._find(ReportOrder.objects.all())
        comes = self.kind.name in LETTERS and order is None
        return {"kind": self.kind, "order": order, "comes": comes}

    def _made(self) -> HttpResponse | None:
        report = self._find(Report.objects.all())
        return redirect("report", uuid=report.uuid) if report else None

    def _find(self, among: QuerySet[Any]) -> Any:
        about: About = self.subject
        number = self.kind.edition(about)
        return among.filter(kind=self.kind.name, about=about.key, number=number).first()


ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
EARLIEST = 1970


class ReportOfDay(ReportAbout):
    """The report of a kind about a party and a day, by default today."""

    def get_subject(self) -> About:
        party = get_object_or_404(Party.objects.select_related("agency"), code=self.kwargs["code"])
        day = self.request.GET.get("day", clock.today().isoformat())
        try:
            on = parse_date(day) if ISO_DATE.fullmatch(day) else None
        except ValueError:  # not a day of any calendar, like February 30
            on = None
        if on is None or on > clock.today() or on.year < EARLIEST:
            raise Http404
        return About(party=party, day=on)


class RoundSheet(ReportAbout):
    """The sheet of the round on a line of a log."""

    def get_subject(self) -> About:
        require_sight(self.request, ROUND_SHEET.action)
        log = get_object_or_404(RoundLog.objects.select_related("party"), uuid=self.kwargs["log"])
        line = self.kwargs["line"]
        on_file = round_at(log, line) if 1 <= line <= log.lines else None
        if on_file is None:
            raise Http404
        return about_round(on_file)


NEWEST = 5


def newest(_: HttpRequest, party: Party) -> QuerySet[Report]:
    """Return the newest reports shown to a party."""
    return Report.objects.filter(shown_to__party=party).order_by("-at", "-pk")[:NEWEST]


LARGEST = 25 * 1024 * 1024
A_MINUTE = 20
"""Requests per address: a file may cost seconds of CPU time, and its report is rebuilt."""
MOST_PAGES = 60
"""Maximum pages of a report that is rebuilt for anyone who asks."""


class FileForm(forms.Form):
    """The file to verify."""

    file = forms.FileField(
        label="PDF file",
        help_text=f"A report as you received it, up to {LARGEST >> 20} MB. It is not kept.",
        max_length=None,
    )

    def clean_file(self) -> UploadedFile[Any]:
        """Refuse a file that is too large to check here."""
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > LARGEST:
            msg = f"This file is larger than {LARGEST >> 20} MB. Ask the agency to verify it."
            raise forms.ValidationError(msg)
        return file


@never_cache
@in_turn("verify", A_MINUTE)
@require_http_methods(["GET", "HEAD", "POST"])
def verify(request: HttpRequest) -> HttpResponse:
    """Verify an uploaded file without keeping any of it; the rate per address is limited."""
    if request.method != "POST":
        return render(request, "reports/verify.html", {"form": FileForm()})
    form = FileForm(request.POST, request.FILES)
    if not form.is_valid():
        return render(request, "reports/verify.html", {"form": form}, status=422)
    file = form.cleaned_data["file"]
    found = check_pdf(file.read(), most_pages=MOST_PAGES)
    context = {"form": FileForm(), "name": file.name, "found": found}
    return render(request, "reports/verify.html", context)
