"""Pages of the watch: operators, an operator's streams, and one stream over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import django_tables2 as tables
from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html

from audits.replay.findings.models import Finding
from audits.review.charts import Column, Columns
from audits.watch.alarms import WATCH
from audits.watch.presentation import INNOCENT
from audits.watch.reads import Standing, coverage, find_stream, streams
from audits.watch.streams import COLUMNS, Stream
from compliance import clock
from compliance.access.models import Party
from compliance.access.permissions import OPERATOR_KINDS, Action
from compliance.events.exports import record_export
from compliance.files.downloads import as_file
from compliance.text import CsvRows
from compliance.ui.access import person_of
from compliance.ui.filters import day as show_day
from compliance.ui.pages import OfParty, Page
from compliance.ui.tables import CountColumn, DayColumn, ListTable, show_state
from games.checks import describe_code
from games.statistics.evidence import ALARM, leads

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase
    from django.utils.safestring import SafeString

MOST_ROWS = 100
KINDS = tuple((code, describe_code(code)) for code in INNOCENT)


class OperatorTable(ListTable):
    """Operators with what is watched of them."""

    operator = tables.Column(
        accessor="name", linkify=("watch_operator", {"code": tables.A("code")})
    )
    alarms = CountColumn(empty_values=())
    caption = "By operator"

    def __init__(self, rows: Any, *, alarms: dict[int, int]) -> None:
        super().__init__(rows)
        self._alarms = alarms

    def render_alarms(self, record: Party) -> int:
        """Show how many alarms stand."""
        return self._alarms.get(record.pk, 0)


class StreamTable(ListTable):
    """Streams, the strongest evidence first."""

    title = tables.Column(verbose_name="What is watched")
    observed = tables.Column(accessor="figures__observed", attrs=CountColumn().attrs)
    expected = tables.Column(accessor="figures__expected", attrs=CountColumn().attrs)
    evidence = tables.Column(accessor="figures__evidence", attrs=CountColumn().attrs)
    state = tables.Column(empty_values=())
    caption = "Streams, the strongest evidence first"

    def __init__(self, rows: list[Stream], *, operator: Party, is_lead: set[str]) -> None:
        super().__init__(rows)
        self._operator, self._is_lead = operator, is_lead

    def render_title(self, record: Stream) -> SafeString:
        """Link to the stream's page."""
        return format_html('<a class="usa-link" href="{}">{}</a>',
                           address_of(self._operator, record), record.title)  # fmt: skip

    def render_observed(self, value: float) -> str:
        return f"{value:,.1f}"

    def render_expected(self, record: Stream) -> str:
        """Show what to expect, and its usual deviation."""
        return f"{record.figures.expected:,.1f} ± {record.figures.deviation:,.1f}"

    def render_evidence(self, value: float) -> str:
        return f"{value:,.1f}"

    def render_state(self, record: Stream) -> SafeString | str:
        """Show an alarm, or a lead."""
        if record.is_alarm:
            return show_state("failing", "Alarm")
        return show_state("attention", "Lead") if record.title in self._is_lead else ""


class DayTable(ListTable):
    """How a stream stood after each gambling day, newest first."""

    day = DayColumn(verbose_name="Through")
    observed = tables.Column(attrs=CountColumn().attrs)
    expected = tables.Column(attrs=CountColumn().attrs)
    evidence = tables.Column(attrs=CountColumn().attrs)
    caption = "After each gambling day, newest first"

    def render_observed(self, value: float) -> str:
        return f"{value:,.1f}"

    render_expected = render_evidence = render_observed


def address_of(operator: Party, stream: Stream) -> str:
    """Return the address of a stream's page."""
    query = urlencode({"stream": stream.name, "statistic": stream.figures.statistic})
    return f"{reverse('watch_stream', args=[operator.code])}?{query}"


class WatchPage(Page):
    """All operators, and their alarms."""

    permission = Action.SEE_FINDINGS
    template_name = "audits/watch/operators.html"

    def get_context(self) -> dict[str, Any]:
        """Count the alarms that stand."""
        standing = Finding.objects.filter(issue__code__startswith=WATCH).exclude(
            standing=Finding.Standing.GONE
        )
        alarms: dict[int, int] = {}
        for operator in standing.values_list("issue__party", flat=True):
            alarms[operator] = alarms.get(operator, 0) + 1
        operators = list(Party.objects.filter(kind__in=OPERATOR_KINDS).order_by("name"))
        operators.sort(key=lambda each: -alarms.get(each.pk, 0))
        return {"table": OperatorTable(operators, alarms=alarms)}


class StreamForm(forms.Form):
    """Which streams to show: of what kind, and about whom."""

    kind = forms.ChoiceField(choices=(("", "All"), *KINDS), required=False, label="Kind")
    about = forms.CharField(required=False, label="Table, player or card", max_length=80)


class OperatorWatch(OfParty, Page):
    """An operator's streams, the strongest first; as a file with `as=csv`."""

    permission = Action.SEE_FINDINGS
    template_name = "audits/watch/operator.html"

    def get(self, request: Any, **address: Any) -> HttpResponseBase:  # type: ignore[override]
        """Show the strongest streams, or send all of them."""
        if request.GET.get("as") == "csv":
            return self._file()
        return super().get(request, **address)

    def get_context(self) -> dict[str, Any]:
        form = StreamForm(self.request.GET)
        found = self._found(form)
        first = leads([each.figures.evidence for each in found])
        return {
            "operator": self.subject,
            "filters": form,
            "table": StreamTable(
                found[:MOST_ROWS],
                operator=self.subject,
                is_lead={found[place].title for place in first},
            ),
            "count": len(found),
            "more": max(0, len(found) - MOST_ROWS),
            "alarms": sum(each.is_alarm for each in found),
            "coverage": coverage(self.subject),
            "query": urlencode({**self.request.GET.dict(), "as": "csv"}),
        }

    def _found(self, form: StreamForm) -> list[Stream]:
        data = form.cleaned_data if form.is_valid() else {}
        kind, about = data.get("kind"), (data.get("about") or "").strip().lower()
        return [
            each
            for each in streams(self.subject)
            if (not kind or each.kind == kind) and about in each.title.lower()
        ]

    def _file(self) -> HttpResponseBase:
        found = self._found(StreamForm(self.request.GET))
        recorded = record_export(
            by=person_of(self.request),
            what="watch",
            format="CSV",
            count=len(found),
            filters={"operator": self.subject.code},
        )
        answer = HttpResponse(content_type="text/csv; charset=utf-8")
        written = CsvRows(answer)
        written.write(*COLUMNS)
        written.write_all(each.as_row(self.subject.code).values() for each in found)
        name = f"watch-{self.subject.code}-{clock.today().isoformat()}.csv"
        return as_file(answer, name, recorded=recorded)


class StreamPage(OfParty, Page):
    """One stream: the bet as a sentence, its evidence over time, and what may explain it."""

    permission = Action.SEE_FINDINGS
    template_name = "audits/watch/stream.html"

    def get(self, request: Any, **address: Any) -> HttpResponse:
        """Show the stream; without one, or after a correction that left none, all of them."""
        self.name = request.GET.get("stream", "")
        self.statistic = request.GET.get("statistic", "")
        self.stream = next((each for each in streams(self.subject) if self._is_meant(each)), None)
        if self.stream is None:
            return redirect("watch_operator", self.subject.code)
        return super().get(request, **address)

    def _is_meant(self, stream: Stream) -> bool:
        return (stream.name, stream.figures.statistic) == (self.name, self.statistic)

    def get_context(self) -> dict[str, Any]:
        stream = self.stream
        assert stream is not None  # noqa: S101  (the page is not shown without one)
        days = find_stream(self.subject, self.name, self.statistic)
        return {
            "operator": self.subject,
            "stream": stream,
            "innocent": INNOCENT[stream.kind],
            "kind": describe_code(stream.kind),
            "chart": draw_evidence(days),
            "table": DayTable(days[::-1]),
            "level": int(ALARM),
        }


def draw_evidence(days: list[Standing]) -> Columns:
    """Draw the evidence after each day; the axis is its logarithm, so each unit is tenfold."""
    columns = [
        Column(show_day(each.day), max(0, round(100 * each.evidence)),
               max(0, round(-100 * each.evidence)))
        for each in days
    ]  # fmt: skip
    last = days[-1].evidence if days else 0.0
    says = f"Evidence after each gambling day, at the end {last:,.1f}; an alarm is {ALARM:.0f}."
    return Columns.of("Evidence against chance (powers of ten)", columns, says=says)
