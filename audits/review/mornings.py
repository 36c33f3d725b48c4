"""What people of the commission see first: last night, who has what, money and its trends."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

import django_tables2 as tables
from django.db.models import Count, Exists, Min, OuterRef, Q, Sum
from django.urls import reverse
from django.utils.html import format_html

from audits.intake.days.models import GamblingDay
from audits.replay.findings.models import Issue, IssueNight
from audits.replay.findings.reads import by_impact, last_audited_day, of_players, sum_of_cents
from audits.replay.findings.wording import title_of
from audits.replay.models import ReplaySegment
from audits.review.columns import OverpaidColumn, UnderpaidColumn
from audits.review.issues.models import Work
from compliance import clock
from compliance.access.models import Party
from compliance.access.permissions import Role
from compliance.ui.access import asked
from compliance.ui.charts import MONEY, Column, Columns
from compliance.ui.filters import day as show_day
from compliance.ui.tables import CountColumn, ListTable
from games.cents import in_dollars

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.utils.safestring import SafeString


MOST_ISSUES: Final = 10
MOST_NIGHTS: Final = 5
NIGHTS: Final = 28
PER: Final = 1000


def _has_role(request: HttpRequest, party: Party, *roles: Role) -> bool:
    return any(
        each.party_id == party.pk and each.role in roles for each in asked(request).memberships
    )


@dataclass
class NightSums:
    """A night at an operator, or at all of them; amounts are in cents."""

    party: Party | None = None
    day: date | None = None
    rounds: int = 0
    issues: int = 0
    findings: int = 0
    over: int = 0
    under: int = 0

    @property
    def rate(self) -> float:
        """Return findings per 1,000 audited rounds."""
        return self.findings * PER / self.rounds if self.rounds else 0.0


class NightTable(ListTable):
    """Last night by operator, the most money first; the name leads to its findings."""

    party = tables.Column(verbose_name="Operator")
    rounds = CountColumn()
    issues = CountColumn()
    findings = CountColumn()
    rate = tables.Column(verbose_name="Findings per 1,000 rounds", attrs=CountColumn().attrs)
    over = OverpaidColumn()
    under = UnderpaidColumn()
    caption = "By operator, the largest amounts first"
    compact = True

    def render_party(self, record: NightSums) -> SafeString:
        assert record.party is not None  # noqa: S101 - by operator
        query = urlencode({"first": record.day, "last": record.day})
        url = f"{reverse('subject_operator', args=[record.party.code])}?{query}"
        return format_html('<a class="usa-link" href="{}">{}</a>', url, record.party)

    def render_rate(self, value: float) -> str:
        return f"{value:,.1f}"


def night(request: HttpRequest, party: Party) -> dict[str, Any] | None:
    """Return last night for an agent or a supervisor: what is new, the worst first."""
    if not _has_role(request, party, Role.AGENT, Role.SUPERVISOR):
        return None
    if (day := last_audited_day()) is None:
        return {"day": None}
    on_day = IssueNight.objects.filter(issue=OuterRef("pk"), day=day, findings__gt=0)
    found = Issue.objects.filter(Exists(on_day), open=True)
    earlier = IssueNight.objects.filter(issue=OuterRef("pk"), day__lt=day, findings__gt=0)
    count = found.count()
    rows = by_impact(found.annotate(is_known=Exists(earlier))).select_related("party")
    shown = list(rows[:MOST_ISSUES])
    of_night = {each.issue_id: each for each in IssueNight.objects.filter(issue__in=shown, day=day)}
    is_open = Issue.objects.filter(open=True, findings__gt=0)
    return {
        "day": day,
        "today": clock.today(),
        "issues": [
            (title_of(each), each, _night_in_words(each, of_night[each.pk])) for each in shown
        ],
        "before": is_open.exclude(Exists(on_day)).count(),
        "count": count,
        "more": max(0, count - MOST_ISSUES),
        "new": found.exclude(Exists(earlier)).count(),
        "nights": list_earlier_nights(day),
        "table": NightTable(sums_of_night(day)),
    }


def list_earlier_nights(day: date) -> list[dict[str, Any]]:
    """Return the newest nights before a day with open issues, and how many each has."""
    nights: Any = IssueNight.objects.filter(
        day__lt=day, findings__gt=0, issue__open=True
    ).order_by()
    counted = nights.values("day").annotate(issues=Count("issue", distinct=True))
    return list(counted.order_by("-day")[:MOST_NIGHTS])


def _night_in_words(issue: Issue, night: IssueNight) -> str:
    """Return what an issue came to on one night, if it has others; empty if it has not."""
    if night.findings == issue.findings:
        return ""
    count, what = (night.rounds, "round") if night.rounds else (night.findings, "finding")
    parts = [f"{count:,} {what}{'' if count == 1 else 's'}"]
    for cents, way in ((night.over, "overpaid"), (night.under, "underpaid")):
        if cents:
            parts.append(f"{in_dollars(abs(cents))} {way}")
    return ", ".join(parts)


def sums_of_night(day: date) -> list[NightSums]:
    """Return what a night came to at each operator, the most money first."""
    sums: defaultdict[int, NightSums] = defaultdict(NightSums)
    for audited in GamblingDay.objects.filter(day=day, current__isnull=False):
        sums[audited.party_id].day = day
    for rounds in _rounds(Q(segment__day=day)).values("segment__party").annotate(n=Sum("rounds")):
        sums[rounds["segment__party"]].rounds = rounds["n"]
    nights: Any = IssueNight.objects.filter(day=day, findings__gt=0).order_by()
    nights = nights.values("issue__party")
    for row in nights.annotate(issues=Count("issue", distinct=True), **_sums()):
        of = sums[row["issue__party"]]
        of.day, of.issues = day, row["issues"]
        of.findings, of.over, of.under = row["n"], row["sum_over"], row["sum_under"]
    for operator in Party.objects.filter(pk__in=list(sums)):
        sums[operator.pk].party = operator
    known = [each for each in sums.values() if each.party is not None]
    return sorted(known, key=lambda it: (-it.over - it.under, -it.findings, str(it.party)))


def _sums() -> dict[str, Any]:
    players = of_players("issue__")
    return {
        "n": Sum("findings"),
        "sum_over": sum_of_cents("over", players),
        "sum_under": sum_of_cents("under", players),
    }


def _rounds(within: Q) -> Any:
    """Return the work units of the current replays of days."""
    current = GamblingDay.objects.filter(
        current=OuterRef("replay"), party=OuterRef("segment__party"), day=OuterRef("segment__day")
    )
    return ReplaySegment.objects.filter(within, Exists(current)).order_by()


class LoadTable(ListTable):
    """Open issues by agent."""

    name = tables.Column(verbose_name="Assigned to")
    open = CountColumn()
    late = CountColumn(verbose_name="Overdue")
    escalated = CountColumn()
    oldest = tables.Column(verbose_name="Oldest opened", empty_values=())
    caption = "Open issues by agent"

    def render_name(self, record: dict[str, Any]) -> SafeString:
        query = "whose=unit&queue=nobody" if record["key"] is None else "whose=unit"
        return format_html(
            '<a class="usa-link" href="{}?{}">{}</a>', reverse("work"), query, record["name"]
        )

    def render_oldest(self, record: dict[str, Any]) -> str:
        return show_day(record["oldest"]) if record["oldest"] else "–"


def load(request: HttpRequest, party: Party) -> dict[str, Any] | None:
    """Return for a supervisor who has what, and how old it is."""
    if not _has_role(request, party, Role.SUPERVISOR):
        return None
    of_unit = Work.objects.filter(unit=party, issue__open=True, issue__findings__gt=0).order_by()
    rows: list[dict[str, Any]] = [
        {**each, "key": each["assigned_to"], "name": each["assigned_to__name"] or "Unassigned"}
        for each in of_unit.values("assigned_to", "assigned_to__name").annotate(
            open=Count("pk"),
            late=Count("pk", filter=Q(due__lt=clock.today())),
            escalated=Count("pk", filter=Q(escalated__isnull=False)),
            oldest=Min("issue__opened"),
        )
    ]
    rows.sort(key=lambda each: (each["key"] is not None, -each["late"], -each["open"]))
    return {"table": LoadTable(rows)}


def trends(request: HttpRequest, party: Party) -> dict[str, Any] | None:
    """Return for a director the money, the rates and how they develop."""
    if not _has_role(request, party, Role.DIRECTOR):
        return None
    if (day := last_audited_day()) is None:
        return {"day": None}
    since = day - timedelta(days=NIGHTS - 1)
    nights: dict[date, NightSums] = {}
    audited = GamblingDay.objects.filter(day__gte=since, day__lte=day, current__isnull=False)
    for of in sorted(set(audited.values_list("day", flat=True))):
        nights[of] = NightSums(day=of)
    within = Q(segment__day__gte=since, segment__day__lte=day)
    for row in _rounds(within).values("segment__day").annotate(n=Sum("rounds")):
        nights[row["segment__day"]].rounds = row["n"]
    found: Any = IssueNight.objects.filter(day__in=nights, findings__gt=0).order_by()
    for row in found.values("day").annotate(**_sums()):
        of_day = nights[row["day"]]
        of_day.findings = row["n"]
        of_day.over, of_day.under = row["sum_over"], row["sum_under"]
    last, earlier = nights[day], [each for of, each in nights.items() if of != day]
    rate = sum(each.findings for each in earlier) * PER / max(1, sum(e.rounds for e in earlier))
    return {
        "day": day,
        "sums": last,
        "rate": f"{last.rate:,.1f}",
        "usual": f"{rate:,.1f}" if earlier else "",
        "nights": len(earlier),
        "money": _draw_money(list(nights.values())),
        "rates": _draw_rates(list(nights.values())),
        "table": NightTable(sums_of_night(day)),
    }


def _url(each: NightSums) -> str:
    query = urlencode({"first": each.day, "last": each.day})
    return f"{reverse('all_findings')}?{query}#rounds"


def _name(each: NightSums) -> str:
    return f"{each.day:%b} {each.day.day}" if each.day else ""


def _draw_money(nights: list[NightSums]) -> Columns:
    return Columns.of(
        "Money by night: overpaid above the line, underpaid below",
        [Column(_name(each), each.over, each.under, _url(each)) for each in nights],
        says="Money by night, overpaid above the line and underpaid below it.",
        kinds=MONEY,
    )


def _draw_rates(nights: list[NightSums]) -> Columns:
    return Columns.of(
        "Findings per 1,000 rounds, by night",
        [Column(_name(each), round(10 * each.rate), 0, _url(each)) for each in nights],
        says="Findings per 1,000 rounds, by night.",
        written=lambda value: f"{value / 10:g}",
        band=True,
    )
