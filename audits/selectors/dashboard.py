"""How things stand over some weeks: sums of what is summed already, never of rounds.

For the commission alone, which sees every operator: what is asked here looks over the walls.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Exists, OuterRef, Q, Sum

from audits.models import GamblingDay, Pattern, PatternNight, ReplaySegment
from audits.selectors.nights import GRACE
from audits.selectors.sums import of_players, sum_of_cents
from compliance import clock
from compliance.selectors.limits_near_cap import limits_near_cap
from compliance.walls import without_walls

if TYPE_CHECKING:
    from compliance.models import Party
    from compliance.selectors.limits_near_cap import NearCap

WEEK = timedelta(days=7)
LONGEST_BY_DAY = 31
MOST_CAUSES = 20
MOST_MISSED = 20
HOURS = "approval.hours"
PLAYERS = of_players("pattern__")
AGES = (("Up to a week", 7), ("Up to four weeks", 28), ("Up to a quarter", 91), ("Older", None))


@dataclass
class Span:
    """A gambling day, or a week of them; cents."""

    first: date
    last: date
    rounds: int = 0
    findings: int = 0
    over: int = 0
    under: int = 0
    ran: int = 0
    missed: int = 0


@dataclass(frozen=True, kw_only=True)
class Dashboard:
    """What the dashboard shows."""

    spans: list[Span]
    causes: list[dict[str, Any]]
    """By code and operator: patterns, findings, rounds, money; what moved most first."""
    more_causes: int
    ages: list[tuple[str, int]]
    """Open patterns by how long ago they were opened."""
    late: int
    outside_hours: list[tuple[str, str, int]]
    """Operator, its code, and rounds dealt outside the approved hours."""
    missed: list[GamblingDay]
    near: list[NearCap]
    before: date | None
    """The newest gambling day that was judged before all these."""

    def total(self, name: str) -> int:
        """The sum of one figure over all spans."""
        return sum(getattr(each, name) for each in self.spans)


def dashboard(*, days: int, up_to: date | None = None, operator: Party | None = None) -> Dashboard:
    """Sum so many gambling days up, to today's or another one, of one operator or of all.

    What is open and which limits are near the cap is told as of now, whatever the days.
    """
    now, until = clock.now(), up_to or clock.today()
    spans = _spans(until - timedelta(days=days - 1), until)
    with without_walls():
        causes = _causes(spans, operator)
        _add_rounds(spans, operator)
        _add_money(spans, operator)
        _add_nights(spans, operator)
        ages, late = _open_work(operator)
        outside = [
            (each["pattern__party__name"], each["pattern__party__code"], each["sum_rounds"])
            for each in causes
            if each["pattern__code"] == HOURS
        ]
        return Dashboard(
            spans=spans,
            causes=causes[:MOST_CAUSES],
            more_causes=max(0, len(causes) - MOST_CAUSES),
            ages=ages,
            late=late,
            outside_hours=sorted(outside, key=lambda each: -each[2]),
            missed=list(
                _days(spans, operator)
                .filter(_missed())
                .select_related("party")
                .order_by("-day", "party__name")[:MOST_MISSED]
            ),
            near=limits_near_cap(at=now, operator=operator),
            before=_judged_before(spans, operator),
        )


def _spans(since: date, until: date) -> list[Span]:
    """Day by day where they are few, else by weeks that begin on a Monday."""
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
    nights = PatternNight.objects.filter(
        _within(spans, "day"), _of(operator, "pattern__party"), findings__gt=0
    )
    names = ("pattern__code", "pattern__party__name", "pattern__party__code")
    summed = nights.order_by().values(*names).annotate(
        patterns=Count("pattern", distinct=True), sum_findings=Sum("findings"),
        sum_rounds=Sum("rounds"), sum_over=sum_of_cents("over", PLAYERS),
        sum_under=sum_of_cents("under", PLAYERS),
    )  # fmt: skip
    rows = [dict(each) for each in summed]
    return sorted(rows, key=_first_looked_at)


def _first_looked_at(row: dict[str, Any]) -> tuple[int, int, str, str]:
    moved = abs(row["sum_over"]) + abs(row["sum_under"])
    return -moved, -row["sum_findings"], row["pattern__code"], row["pattern__party__name"]


def _add_rounds(spans: list[Span], operator: Party | None) -> None:
    """Rounds that were judged, by the replay that speaks of each day."""
    speaks = GamblingDay.objects.filter(
        current=OuterRef("replay"), party=OuterRef("segment__party"), day=OuterRef("segment__day")
    )
    judged = ReplaySegment.objects.filter(
        Exists(speaks), _within(spans, "segment__day"), _of(operator, "segment__party")
    )
    summed = judged.order_by().values_list("segment__day")
    for day, rounds in summed.annotate(sum_rounds=Sum("rounds")):
        _of_day(spans, day).rounds += rounds


def _add_money(spans: list[Span], operator: Party | None) -> None:
    nights = PatternNight.objects.filter(_within(spans, "day"), _of(operator, "pattern__party"))
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
    """A day that closed a while ago, and that the nightly run did not come by."""
    return Q(looked_through__isnull=True, closes__lt=clock.now() - GRACE)


def _judged_before(spans: list[Span], operator: Party | None) -> date | None:
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


def _open_work(operator: Party | None) -> tuple[list[tuple[str, int]], int]:
    """Open patterns by their age, and how many of them are past their due day."""
    now = clock.now()
    counts: dict[str, Count] = {"late": Count("pk", filter=Q(work__due__lt=clock.today()))}
    newer = Q(pk__isnull=True)
    for number, (_, days) in enumerate(AGES):
        within = Q() if days is None else Q(opened__gt=now - timedelta(days=days))
        counts[f"age_{number}"] = Count("pk", filter=within & ~newer)
        newer |= within
    found = Pattern.objects.filter(_of(operator, "party"), open=True, findings__gt=0).aggregate(
        **counts
    )
    ages = [(name, found[f"age_{number}"]) for number, (name, _) in enumerate(AGES)]
    return ages, found["late"]
