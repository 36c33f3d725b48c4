"""The dashboard: rounds, findings, money, nights and open work of some weeks at one glance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django import forms
from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.urls import reverse
from django.utils.formats import date_format
from django.views.decorators.http import require_safe

from audits.findings_in_words import code_in_words, name_in_words
from audits.selectors.dashboard import Dashboard, Span, dashboard
from audits.web.cases.pages import operators
from audits.web.charts import MONEY, Bars, Column, Columns
from compliance.permissions import Action
from compliance.web.acting import require_sight
from compliance.web.fields import DayField
from compliance.web.lists import dollars, signed

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from compliance.models import Party
    from compliance.selectors.limits_near_cap import NearCap

PERIODS = (("7", "A week"), ("28", "Four weeks"), ("91", "A quarter"), ("365", "A year"))
USUAL = 28
MOST_BARS = 10
MOST_LIMITS = 50


class Question(forms.Form):
    """Of how many days, up to which, and of whom; all live in the address."""

    days = forms.ChoiceField(label="How long", choices=PERIODS, required=False)
    up_to = DayField(label="Up to the day", required=False)
    operator = forms.TypedChoiceField(required=False, empty_value=None)

    def __init__(self, known: dict[str, Party], data: Any) -> None:
        super().__init__(data, initial={"days": str(USUAL)})
        field = self.fields["operator"]
        assert isinstance(field, forms.TypedChoiceField)  # noqa: S101
        named = [(code, party.name) for code, party in known.items()]
        field.choices = [("", "Every operator"), *named]
        field.coerce = known.__getitem__


@login_required
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """How things stand."""
    require_sight(request, Action.SEE_FINDINGS)
    form = Question(operators(), request.GET or None)
    said = form.cleaned_data if form.is_bound and form.is_valid() else {}
    shown = dashboard(
        days=int(said.get("days") or USUAL),
        up_to=said.get("up_to"),
        operator=said.get("operator"),
    )
    charts = _over_time(shown)
    context = {
        "form": form,
        "shown": shown,
        "sums": _sums(shown),
        "spans": [_span(each) for each in reversed(shown.spans)],
        "charts": charts,
        "drawn": any(each.shapes for each in charts),
        "before_on": _up_to(request, shown),
        "causes": [_cause(each) for each in shown.causes],
        "causes_chart": _causes(shown),
        "ages_chart": Bars.of(
            "Open patterns by age.",
            [(name, count, f"{count:,}") for name, count in shown.ages],
        ),
        "open": sum(count for _, count in shown.ages),
        "outside_chart": Bars.of(
            "Rounds outside the approved hours by operator.",
            [(name, rounds, f"{rounds:,}") for name, _, rounds in shown.outside_hours[:MOST_BARS]],
        ),
        "near": [_near(each) for each in shown.near[:MOST_LIMITS]],
        "more_near": max(0, len(shown.near) - MOST_LIMITS),
        "near_chart": Bars.of(
            "Approved maximums in hundredths of the cap.",
            [
                (f"{each.operator}, {each.table}", each.percent, f"{each.percent} %")
                for each in shown.near[:MOST_BARS]
            ],
        ),
    }
    status = 422 if form.is_bound and form.errors else 200
    return render(request, "audits/dashboard/dashboard.html", context, status=status)


def _up_to(request: HttpRequest, shown: Dashboard) -> str:
    """The same question up to the newest day that was judged before; none where there is none."""
    if shown.before is None:
        return ""
    asked = {name: value for name in ("days", "operator") if (value := request.GET.get(name))}
    return urlencode({**asked, "up_to": shown.before.isoformat()})


def _sums(shown: Dashboard) -> list[tuple[str, str]]:
    return [
        ("Rounds judged", f"{shown.total('rounds'):,}"),
        ("Findings", f"{shown.total('findings'):,}"),
        ("Players got too much", signed(shown.total("over"))),
        ("Players got too little", signed(-shown.total("under"))),
        ("Nights that ran", f"{shown.total('ran'):,}"),
        ("Nights that did not run", f"{shown.total('missed'):,}"),
    ]


def _named(span: Span) -> str:
    first = str(date_format(span.first, "M j"))
    return first if span.first == span.last else f"{first} to {date_format(span.last, 'M j')}"


def _span(span: Span) -> dict[str, Any]:
    return {
        "name": _named(span),
        "rounds": f"{span.rounds:,}",
        "findings": f"{span.findings:,}",
        "over": signed(span.over),
        "under": signed(-span.under),
        "ran": f"{span.ran:,}",
        "missed": f"{span.missed:,}",
    }


def _over_time(shown: Dashboard) -> list[Columns]:
    def drawn(caption: str, says: str, up: str, down: str = "", **more: Any) -> Columns:
        columns = [
            Column(_named(each), getattr(each, up), getattr(each, down) if down else 0)
            for each in shown.spans
        ]
        return Columns.of(caption, columns, says=f"{caption}. {says}", **more)

    total = shown.total
    return [
        drawn("Rounds judged", f"{total('rounds'):,} in all.", "rounds"),
        drawn("Findings", f"{total('findings'):,} in all.", "findings"),
        drawn(
            "Money: too much upwards, too little downwards",
            f"{signed(total('over'))} too much and {signed(-total('under'))} too little.",
            "over",
            "under",
            kinds=MONEY,
        ),
        drawn(
            "Nights: those that ran upwards, those that did not downwards",
            f"{total('ran'):,} nights ran, {total('missed'):,} did not.",
            "ran",
            "missed",
        ),
    ]


def _cause(row: dict[str, Any]) -> dict[str, Any]:
    asked = {"operator": row["pattern__party__code"], "code": row["pattern__code"]}
    return {
        "what": code_in_words(row["pattern__code"]).rstrip("."),
        "code": row["pattern__code"],
        "operator": row["pattern__party__name"],
        "url": f"{reverse('patterns')}?{urlencode(asked)}",
        "patterns": f"{row['patterns']:,}",
        "findings": f"{row['sum_findings']:,}",
        "over": signed(abs(row["sum_over"])),
        "under": signed(-abs(row["sum_under"])),
    }


def _causes(shown: Dashboard) -> Bars:
    rows = []
    for each in shown.causes[:MOST_BARS]:
        name = f"{each['pattern__code']}, {each['pattern__party__name']}"
        rows.append((name, each["sum_findings"], f"{each['sum_findings']:,}"))
    return Bars.of("Findings by code and operator.", rows)


def _near(each: NearCap) -> dict[str, Any]:
    return {
        "operator": each.operator,
        "where": f"{name_in_words(each.game)}, {each.table}",
        "wager": name_in_words(each.wager),
        "maximum": dollars(each.maximum),
        "cap": dollars(each.cap),
        "percent": f"{each.percent} %",
        "above": each.maximum > each.cap,
    }
