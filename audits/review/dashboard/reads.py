"""Dashboard figures of several weeks, added up from existing sums and never from rounds.

They are for the commission alone, which sees every operator, so they ignore the access scope.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, Sum

from audits.intake.days.models import GamblingDay
from audits.replay.findings.models import Issue, IssueNight
from audits.replay.findings.reads import of_players, sum_of_cents
from audits.replay.models import ReplaySegment
from audits.review.nightly_run.reads import GRACE
from compliance import clock
from compliance.access.scope import without_access_scope
from compliance.in_effect.limits_near_cap import limits_near_cap

if TYPE_CHECKING:
    from compliance.access.models import Party
    from compliance.in_effect.limits_near_cap import NearCap


WEEK = timedelta(days=7)
LONGEST_BY_DAY = 31
MOST_CAUSES = 20
MOST_MISSED = 20
HOURS = "approval.hours"
PLAYERS = of_players("issue__")
AGES = (("Up to a week", 7), ("Up to four weeks", 28), ("Up to a quarter", 91), ("Older", None))


@dataclass
class Span:
    """A gambling day, or a week of them; amounts are in cents."""

    first: date
    last: date
    rounds: int = 0
    findings: int = 0
    over: int = 0
    under: int = 0
    ran: int = 0
    missed: int = 0


class AgeSum(NamedTuple):
    """Open issues of an age."""

    age: str
    issues: int


class HoursSum(NamedTuple):
    """An operator's rounds outside its approved hours."""

    operator: str
    code: str
    rounds: int


@dataclass(frozen=True, kw_only=True)
class Dashboard:
    """The figures of the dashboard."""

    spans: list[Span]
    causes: list[dict[str, Any]]
    """By code and operator: issues, findings, rounds and money; the largest amount first."""
    more_causes: int
    ages: list[AgeSum]
    late: int
    outside_hours: list[HoursSum]
    missed: list[GamblingDay]
    near: list[NearCap]
    before: date | None
    """The newest audited gambling day before all these."""

    def total(self, name: str) -> int:
        """Return the sum of one figure over all spans."""
        return sum(getattr(each, name) for each in self.spans)


def dashboard(*, days: int, up_to: date | None = None, operator: Party | None = None) -> Dashboard:
    """Return the figures of a number of gambling days for one or all operators.

    Open work and limits near the cap are current, whatever the days.
    """
    now, until = clock.now(), up_to or clock.today()
    spans = _spans(until - timedelta(days=days - 1), until)
    with without_access_scope():
        causes = _causes(spans, operator)
        _add_rounds(spans, operator)
        _add_money(spans, operator)
        _add_nights(spans, operator)
        ages, late = _open_work(operator)
        outside = [
            HoursSum(each["issue__party__name"], each["issue__party__code"], each["sum_rounds"])
            for each in causes
            if each["issue__code"] == HOURS
        ]
        return Dashboard(
            spans=spans,
            causes=causes[:MOST_CAUSES],
            more_causes=max(0, len(causes) - MOST_CAUSES),
            ages=ages,
            late=late,
            outside_hours=sorted(outside, key=lambda each: -each.rounds),
            missed=list(
                _days(spans, operator)
                .filter(_missed())
                .select_related("party")
                .order_by("-day", "party__name")[:MOST_MISSED]
            ),
            near=limits_near_cap(at=now, operator=operator),
            before=_last_replayed_before(spans, operator),
        )


def _spans(since: date, until: date) -> list[Span]:
    """Split a period into days if there are few, otherwise into weeks that begin on Monday."""
    found = []
    begin = since
    while begin <= until:
        end = begin
        if (until - since).days >= LONGEST_BY_DAY:
            end = min(until, begin + timedelta(days=6 - begin.weekday()))
        found.append(Span(begin, end))
        begin = end + timedelta(days=1)
    return found


def _of_day(spans: list[Span], day: date) -> Span:
    return next(each for each in spans if each.first <= day <= each.last)


def _within(spans: list[Span], name: str) -> Q:
    return Q(**{f"{name}__gte": spans[0].first, f"{name}__lte": spans[-1].last})


def _of(operator: Party | None, name: str) -> Q:
    return Q(**{name: operator}) if operator is not None else Q()


def _causes(spans: list[Span], operator: Party | None) -> list[dict[str, Any]]:
    nights = IssueNight.objects.filter(
        _within(spans, "day"), _of(operator, "issue__party"), findings__gt=0
    )
    names = ("issue__code", "issue__party__name", "issue__party__code")
    summed = nights.order_by().values(*names).annotate(
        issues=Count("issue", distinct=True), sum_findings=Sum("findings"),
        sum_rounds=Sum("rounds"), sum_over=sum_of_cents("over", PLAYERS),
        sum_under=sum_of_cents("under", PLAYERS),
    )  # fmt: skip
    rows = [dict(each) for each in summed]
    return sorted(rows, key=_first_looked_at)


def _first_looked_at(row: dict[str, Any]) -> tuple[int, int, str, str]:
    moved = abs(row["sum_over"]) + abs(row["sum_under"])
    return -moved, -row["sum_findings"], row["issue__code"], row["issue__party__name"]


def _add_rounds(spans: list[Span], operator: Party | None) -> None:
    """Add audited rounds, from the current replay of each day."""
    speaks = GamblingDay.objects.filter(
        current=OuterRef("replay"), party=OuterRef("segment__party"), day=OuterRef("segment__day")
    )
    replayed = ReplaySegment.objects.filter(
        Exists(speaks), _within(spans, "segment__day"), _of(operator, "segment__party")
    )
    summed = replayed.order_by().values_list("segment__day")
    for day, rounds in summed.annotate(sum_rounds=Sum("rounds")):
        _of_day(spans, day).rounds += rounds


def _add_money(spans: list[Span], operator: Party | None) -> None:
    nights = IssueNight.objects.filter(_within(spans, "day"), _of(operator, "issue__party"))
    summed = nights.order_by().values_list("day")
    for day, findings, over, under in summed.annotate(
        sum_findings=Sum("findings"),
        sum_over=sum_of_cents("over", PLAYERS),
        sum_under=sum_of_cents("under", PLAYERS),
    ):
        span = _of_day(spans, day)
        span.findings += findings
        span.over += abs(over)
        span.under += abs(under)


def _days(spans: list[Span], operator: Party | None) -> Any:
    return GamblingDay.objects.filter(_within(spans, "day"), _of(operator, "party"))


def _missed() -> Q:
    """Match days that closed a while ago without a nightly run."""
    return Q(looked_through__isnull=True, closes__lt=clock.now() - GRACE)


def _last_replayed_before(spans: list[Span], operator: Party | None) -> date | None:
    earlier = GamblingDay.objects.filter(
        _of(operator, "party"), day__lt=spans[0].first, current__isnull=False
    )
    return earlier.order_by("-day").values_list("day", flat=True).first()


def _add_nights(spans: list[Span], operator: Party | None) -> None:
    counted = _days(spans, operator).order_by().values_list("day")
    for day, ran, missed in counted.annotate(
        ran=Count("pk", filter=Q(looked_through__isnull=False)),
        missed=Count("pk", filter=_missed()),
    ):
        span = _of_day(spans, day)
        span.ran += ran
        span.missed += missed


def _open_work(operator: Party | None) -> tuple[list[AgeSum], int]:
    """Count open issues by age, and how many of them are overdue."""
    now = clock.now()
    counts: dict[str, Count] = {"late": Count("pk", filter=Q(work__due__lt=clock.today()))}
    newer = Q(pk__isnull=True)
    for number, (_, days) in enumerate(AGES):
        within = Q() if days is None else Q(opened__gt=now - timedelta(days=days))
        counts[f"age_{number}"] = Count("pk", filter=within & ~newer)
        newer |= within
    found = Issue.objects.filter(_of(operator, "party"), open=True, findings__gt=0).aggregate(
        **counts
    )
    ages = [AgeSum(name, found[f"age_{number}"]) for number, (name, _) in enumerate(AGES)]
    return ages, found["late"]
