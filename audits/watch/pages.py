"""Pages of the watch: operators, an operator's streams, and one stream over time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import django_tables2 as tables
from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html

from audits.watch.presentation import (
    INNOCENT,
    USUAL,
    describe_bounds,
    draw_control,
    draw_evidence,
)
from audits.watch.reads import (
    Region,
    Standing,
    coverage,
    find_stream,
    find_streams,
    records_of,
    regions,
    streams,
)
from audits.watch.rounds import rounds_behind
from audits.watch.statistics import TABLE, Subject
from audits.watch.streams import COLUMNS, Stream
from compliance import clock
from compliance.access.models import Party
from compliance.access.permissions import OPERATOR_KINDS, Action
from compliance.events.exports import record_export
from compliance.files.downloads import as_file
from compliance.filings.requests.reads import game_names
from compliance.text import CsvRows
from compliance.ui.access import allows, person_of
from compliance.ui.pages import OfParty, Page
from compliance.ui.tables import CountColumn, DayColumn, ListTable, show_state
from games.cents import in_dollars
from games.checks import describe_code
from games.statistics.evidence import ALARM, leads

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http.response import HttpResponseBase
    from django.utils.safestring import SafeString

    from games.statistics.records import Hint, Records

MOST_ROWS = 100
CHARTED = 3
"""Streams of a subject that are drawn, the strongest ones."""
KINDS = tuple((code, describe_code(code)) for code in INNOCENT)


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
        """Show an alarm, a lead, or that it is a hint."""
        if record.is_alarm:
            return show_state("failing", "Alarm")
        if record.is_hint:
            return "Hint"
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


def address_of_subject(operator: Party, stream: Stream) -> str:
    """Return the address of the page of a stream's table, dealer, player, or other subject."""
    query = urlencode({"scope": stream.subject.scope, "name": stream.subject.name})
    return f"{reverse('watch_subject', args=[operator.code])}?{query}"


class SubjectPage(OfParty, Page):
    """A table, dealer, player, shift or pair: its streams, their charts, its pace and its hold."""

    permission = Action.SEE_FINDINGS
    template_name = "audits/watch/subject.html"

    def get(self, request: Any, **address: Any) -> HttpResponse:
        """Show the subject; if nothing is watched of it, the operator."""
        self.of = Subject(request.GET.get("scope", ""), request.GET.get("name", ""))
        self.found = [each for each in streams(self.subject) if each.subject == self.of]
        if not self.found:
            return redirect("watch_operator", self.subject.code)
        return super().get(request, **address)

    def get_context(self) -> dict[str, Any]:
        charted = self.found[:CHARTED]
        history: dict[tuple[str, str], list[Standing]] = {}
        for game in {each.game for each in charted}:
            wanted = [(e.name, e.figures.statistic) for e in charted if e.game == game]
            history |= find_streams(self.subject, game, wanted)
        every = streams(self.subject)
        weighed = [each for each in every if not each.is_hint]
        first = leads([each.figures.evidence for each in weighed])
        table = self.of.name if self.of.scope == TABLE else None
        names = game_names()
        return {
            "operator": self.subject,
            "title": f"{self.of.scope.capitalize()} {self.of.name}".strip(),
            "alarms": sum(each.is_alarm for each in self.found),
            "streams": len(self.found),
            "more": max(0, len(self.found) - MOST_ROWS),
            "table": StreamTable(
                self.found[:MOST_ROWS],
                operator=self.subject,
                is_lead={weighed[place].title for place in first},
            ),
            "charts": [
                (each, draw_evidence(days), draw_control(days))
                for each in charted
                if (days := history.get((each.name, each.figures.statistic)))
            ],
            "records": [
                RecordRow.of(game, name, records, names)
                for (game, name), records in records_of(self.subject).items()
                if name == table
            ],
        }


@dataclass(frozen=True)
class RecordRow:
    """The records of a table for people."""

    game: str
    table: str
    rounds: int
    pace: str
    hold: str
    per_hour: str
    hints: list[Hint]

    @classmethod
    def of(cls, game: str, table: str, records: Records, names: Mapping[str, str]) -> RecordRow:
        """Say pace and hold; three deviations is the usual band of what was won."""
        reach = USUAL * records.spread
        hours = records.seconds / 3_600
        hold = per_hour = ""
        if records.wagered:
            won, width = records.won / records.wagered, reach / records.wagered
            hold = (
                f"{won:.1%}; in so many rounds, chance alone moves it by up to "
                f"{100 * width:.1f} points"
            )
        if hours:
            low, high = (round((records.won + side * reach) / hours) for side in (-1, 1))
            per_hour = (
                f"{in_dollars(round(records.won / hours))}; chance alone moves it between "
                f"{in_dollars(low)} and {in_dollars(high)}"
            )
        pace = f"{records.pace:,.0f}" if records.seconds else ""
        hints = list(records.hints())
        return cls(names.get(game, game), table, records.rounds, pace, hold, per_hour, hints)


class RegionTable(ListTable):
    """The map of the state: operators by the strongest evidence of each kind."""

    operator = tables.Column(
        accessor="operator__name",
        linkify=("watch_operator", {"code": tables.A("operator__code")}),
    )
    streams = CountColumn()
    alarms = CountColumn()
    caption = "The strongest evidence of each kind, by operator; an alarm is 9"

    def __init__(self, rows: list[Region]) -> None:
        super().__init__(
            rows,
            extra_columns=[(code.rpartition(".")[2], _EvidenceColumn(code)) for code in INNOCENT],
        )


class _EvidenceColumn(tables.Column):  # type: ignore[misc]
    """The strongest evidence of one kind; linked to its streams."""

    def __init__(self, code: str) -> None:
        title = code.rpartition(".")[2].capitalize()
        super().__init__(verbose_name=title, accessor="strongest", empty_values=(),
                         attrs=CountColumn().attrs)  # fmt: skip
        self._code = code

    def render(self, record: Region) -> SafeString | str:
        """Show the evidence; an alarm in words too, never by color alone."""
        evidence = record.strongest.get(self._code)
        if evidence is None:
            return "–"
        address = reverse("watch_operator", args=[record.operator.code])
        state = show_state("failing", "Alarm") if evidence >= ALARM else ""
        return format_html('<a class="usa-link" href="{}?kind={}">{}</a> {}',
                           address, self._code, f"{evidence:,.1f}", state)  # fmt: skip


class WatchPage(Page):
    """All operators, and their alarms."""

    permission = Action.SEE_FINDINGS
    template_name = "audits/watch/operators.html"

    def get_context(self) -> dict[str, Any]:
        """Show the strongest evidence as of the last replay of each operator."""
        operators = Party.objects.filter(kind__in=OPERATOR_KINDS).order_by("name")
        return {"table": RegionTable(regions(operators))}


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
        names = game_names()
        weighed = [each for each in found if not each.is_hint]
        first = leads([each.figures.evidence for each in weighed])
        return {
            "operator": self.subject,
            "filters": form,
            "table": StreamTable(
                found[:MOST_ROWS],
                operator=self.subject,
                is_lead={weighed[place].title for place in first},
            ),
            "count": len(found),
            "more": max(0, len(found) - MOST_ROWS),
            "alarms": sum(each.is_alarm for each in found),
            "coverage": coverage(self.subject),
            "query": urlencode({**self.request.GET.dict(), "as": "csv"}),
            "records": [
                row
                for (game, name), records in records_of(self.subject).items()
                if (row := RecordRow.of(game, name, records, names)).hints
            ],
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
            party=self.subject,
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
            "band": draw_control(days),
            "bounds": describe_bounds(stream),
            "of": address_of_subject(self.subject, stream),
            "table": DayTable(days[::-1]),
            "level": int(ALARM),
            "behind": rounds_behind(self.subject, stream.game, stream.subject, days[-1].day)
            if days and allows(self.request, Action.SEE_ROUNDS, self.subject)
            else None,
        }
