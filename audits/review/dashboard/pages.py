"""The dashboard: rounds, findings, money, nights and open work of several weeks at a glance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import django_tables2 as tables
from django import forms
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html

from audits.replay.findings.reads import last_audited_day
from audits.review.columns import OverpaidColumn, UnderpaidColumn, name_code
from audits.review.dashboard.reads import (
    HOURS,
    AgeSum,
    Dashboard,
    HoursSum,
    Span,
    dashboard,
)
from compliance.access.permissions import Action
from compliance.ui.charts import MONEY, Bar, Bars, Column, Columns
from compliance.ui.forms import DayField, OperatorField
from compliance.ui.lists import signed
from compliance.ui.pages import Page
from compliance.ui.tables import CountColumn, ListTable, MoneyColumn
from games.explanation.words import describe_name

if TYPE_CHECKING:
    from django.http import HttpResponse
    from django.utils.safestring import SafeString

    from compliance.in_effect.limits_near_cap import NearCap


PERIODS = (("7", "A week"), ("28", "Four weeks"), ("91", "A quarter"), ("365", "A year"))
USUAL = 28
MOST_BARS = 10
MOST_LIMITS = 50


class PeriodForm(forms.Form):
    """The number of days, the last day, and the operator; all are kept in the address."""

    days = forms.ChoiceField(label="Period", choices=PERIODS, required=False)
    up_to = DayField(label="Last day", required=False)
    operator = OperatorField(required=False, empty_label="All operators")


class SpanTable(ListTable):
    """Figures by gambling day or week, newest first."""

    first = tables.Column(verbose_name="Day")
    rounds = CountColumn()
    findings = CountColumn()
    over = OverpaidColumn()
    under = UnderpaidColumn()
    ran = CountColumn(verbose_name="Nights run")
    missed = CountColumn(verbose_name="Not run")
    caption = "By gambling day, newest first"

    def render_first(self, record: Span) -> str:
        """Show the day, or the first and the last day."""
        return name_span(record)


class CauseTable(ListTable):
    """Issues by kind and operator, the largest amounts first."""

    code = tables.Column(accessor="issue__code", verbose_name="What went wrong")
    operator = tables.Column(accessor="issue__party__name")
    issues = CountColumn()
    findings = CountColumn(accessor="sum_findings")
    over = OverpaidColumn(accessor="sum_over")
    under = UnderpaidColumn(accessor="sum_under")
    compact = True

    def render_code(self, value: str, record: dict[str, Any]) -> SafeString:
        query = urlencode({"operator": record["issue__party__code"], "code": value})
        return format_html(
            '<a class="usa-link" href="{}?{}">{}</a>', reverse("issues"), query, name_code(value)
        )


class AgeTable(ListTable):
    """Open issues by age."""

    age = tables.Column()
    issues = CountColumn()
    caption = "Open issues by age"


class HoursTable(ListTable):
    """Rounds outside the approved hours by operator."""

    operator = tables.Column()
    rounds = CountColumn()
    caption = "By operator"

    def render_operator(self, record: HoursSum) -> SafeString:
        query = urlencode({"operator": record.code, "code": HOURS})
        return format_html(
            '<a class="usa-link" href="{}?{}">{}</a>', reverse("issues"), query, record.operator
        )


class NearCapTable(ListTable):
    """Approved maximums near the cap."""

    operator = tables.Column()
    table = tables.Column(verbose_name="Game and table")
    wager = tables.Column()
    maximum = MoneyColumn()
    cap = MoneyColumn()
    percent = CountColumn(verbose_name="Percent of the cap")

    def render_table(self, record: NearCap) -> str:
        """Name the game, too."""
        return f"{describe_name(record.game)}, {record.table}"

    def render_wager(self, value: str) -> str:
        return describe_name(value)

    def render_percent(self, record: NearCap) -> str:
        return f"{record.percent}%{' (above it)' if record.maximum > record.cap else ''}"


class DashboardPage(Page):
    """The dashboard, with its period and operator in the address."""

    permission = Action.SEE_FINDINGS
    template_name = "audits/dashboard/dashboard.html"

    def get(self, request: Any, **address: Any) -> HttpResponse:
        """Show the dashboard; an invalid period shows the usual one, and says so."""
        self.form_of_period = PeriodForm(request.GET or None, initial={"days": str(USUAL)})
        return self.show(status=422 if self.form_of_period.errors else 200)

    def get_context(self) -> dict[str, Any]:
        """Collect the figures, and draw the charts."""
        form = self.form_of_period
        data = form.cleaned_data if form.is_bound and form.is_valid() else {}
        operator = data.get("operator")
        last = data.get("up_to") or last_audited_day(operator)
        shown = dashboard(days=int(data.get("days") or USUAL), up_to=last, operator=operator)
        charts = draw_spans(shown)
        return {
            "form": form,
            "shown": shown,
            "through": shown.spans[-1].last,
            "sums": sums_of(shown),
            "spans": SpanTable(shown.spans[::-1]),
            "charts": charts,
            "drawn": any(each.shapes for each in charts),
            "before_on": self._earlier(shown),
            "causes": CauseTable(
                shown.causes, caption=_caption("The largest amounts first", shown.more_causes)
            ),
            "ages": AgeTable([*shown.ages, AgeSum("Overdue, of all these", shown.late)]),
            "open": sum(count for _, count in shown.ages),
            "hours": HoursTable(shown.outside_hours),
            "near": NearCapTable(
                shown.near[:MOST_LIMITS],
                caption=_caption(
                    "Maximums of 90% of today's cap or more", len(shown.near) - MOST_LIMITS
                ),
            ),
            **draw_bars(shown),
        }

    def _earlier(self, shown: Dashboard) -> str:
        """Return the query for the preceding audited days; empty if there are none."""
        if shown.before is None:
            return ""
        asked = self.request.GET
        kept = {name: asked[name] for name in ("days", "operator") if asked.get(name)}
        return urlencode({**kept, "up_to": shown.before.isoformat()})


def _caption(text: str, more: int) -> str:
    return f"{text}; {more} more" if more > 0 else text


def sums_of(shown: Dashboard) -> list[tuple[str, str]]:
    """Return the figures of the whole period."""
    return [
        ("Rounds audited", f"{shown.total('rounds'):,}"),
        ("Findings", f"{shown.total('findings'):,}"),
        ("Players overpaid", signed(shown.total("over"))),
        ("Players underpaid", signed(-shown.total("under"))),
        ("Nightly audits run", f"{shown.total('ran'):,}"),
        ("Nightly audits not run", f"{shown.total('missed'):,}"),
    ]


def name_span(span: Span) -> str:
    """Return a day, or the first and the last day."""
    first = str(date_format(span.first, "M j"))
    return first if span.first == span.last else f"{first} to {date_format(span.last, 'M j')}"


def address_of_span(span: Span) -> str:
    """Return the address of all findings of a span."""
    query = urlencode({"first": span.first.isoformat(), "last": span.last.isoformat()})
    return f"{reverse('all_findings')}?{query}#rounds"


def draw_spans(shown: Dashboard) -> list[Columns]:
    """Draw the figures over time."""

    def draw(caption: str, says: str, up: str, down: str = "", **more: Any) -> Columns:
        columns = [
            Column(
                name_span(each), getattr(each, up), getattr(each, down) if down else 0,
                address_of_span(each) if up in {"findings", "over"} else "",
            )
            for each in shown.spans
        ]  # fmt: skip
        return Columns.of(caption, columns, says=f"{caption}. {says}", **more)

    total = shown.total
    return [
        draw("Rounds audited", f"{total('rounds'):,} in all.", "rounds", band=True),
        draw("Findings", f"{total('findings'):,} in all.", "findings", band=True),
        draw(
            "Money: overpaid above the line, underpaid below",
            f"{signed(total('over'))} overpaid and {signed(-total('under'))} underpaid.",
            "over",
            "under",
            kinds=MONEY,
        ),
        draw(
            "Nightly audits: run above the line, not run below",
            f"{total('ran'):,} run, {total('missed'):,} not run.",
            "ran",
            "missed",
        ),
    ]


def draw_bars(shown: Dashboard) -> dict[str, Bars]:
    """Draw the largest figures by code, age, operator and table."""
    causes = shown.causes[:MOST_BARS]
    return {
        "causes_chart": Bars.of(
            "Findings by kind and operator.",
            [
                Bar(
                    f"{name_code(each['issue__code'])}, {each['issue__party__name']}",
                    each["sum_findings"],
                    f"{each['sum_findings']:,}",
                    f"{reverse('issues')}?"
                    + urlencode(
                        {"operator": each["issue__party__code"], "code": each["issue__code"]}
                    ),
                )
                for each in causes
            ],
        ),
        "ages_chart": Bars.of(
            "Open issues by age.", [(age, count, f"{count:,}") for age, count in shown.ages]
        ),
        "hours_chart": Bars.of(
            "Rounds outside the approved hours by operator.",
            [(name, rounds, f"{rounds:,}") for name, _, rounds in shown.outside_hours[:MOST_BARS]],
        ),
        "near_chart": Bars.of(
            "Approved maximums in percent of the cap.",
            [
                (f"{each.operator}, {each.table}", each.percent, f"{each.percent}%")
                for each in shown.near[:MOST_BARS]
            ],
        ),
    }
