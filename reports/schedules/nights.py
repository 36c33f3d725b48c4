"""Reports of nights: ordered once per day and supplement, shown once the day is released.

What is due is determined from the database, so that days that passed during downtime are made up
for, and nothing is made twice. Report `n + 1` of a day is that of its supplement `n`; a first
report that is made after a supplement has that supplement's number.
"""

from __future__ import annotations

from datetime import date, datetime, time
from typing import TYPE_CHECKING

from django.db.models import Exists, F, Max, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from audits.intake.days.models import GamblingDay
from audits.intake.reads import current_segments
from compliance import clock
from compliance.access.scope import without_access_scope
from compliance.clock import zone
from compliance.events.actor import SYSTEM
from compliance.law.gambling_day import DAY
from reports.documents.days import OF_A_DAY, SHOWN_WITH_THE_DAY, SUMMARY, is_audited, readers_of
from reports.documents.models import Envelope, Report, ReportOrder, ReportVisibility
from reports.documents.registry import About
from reports.schedules.making import show_report
from reports.schedules.orders import order_report

if TYPE_CHECKING:
    from django.db.models import QuerySet


AT_THE_LATEST = time(12)
"""At this time on the next day, the summary is made from what there is."""
MOST_AT_ONCE = 200
State = ReportOrder.State
ENDED = (State.MADE, State.FAILED)


def order_nights(since: date = date.min) -> int:
    """Order what is due for every day since a date; return how many orders were placed."""
    with without_access_scope():
        ordered = sum(_order_day(day) for day in _days_due(since))
        return ordered + sum(_order_summary(day) for day in sorted(_days_to_sum_up(since)))


def show_reports_of_day(day: GamblingDay) -> None:
    """Show the reports of a released day to the operator and its agency."""
    about = About(party=day.party, day=day.day)
    for report in Report.objects.filter(kind__in=SHOWN_WITH_THE_DAY, party=day.party, day=day.day):
        for party in readers_of(about):
            show_report(report=report, to=party)


def show_released_days(since: date = date.min) -> None:
    """Show reports that were still being made when their day was released."""
    with without_access_scope():
        shown = ReportVisibility.objects.filter(report=OuterRef("pk"), party=OuterRef("party"))
        left = Report.objects.filter(
            ~Exists(shown), kind__in=SHOWN_WITH_THE_DAY, party=OuterRef("party"),
            day=OuterRef("day"),
        )  # fmt: skip
        released = GamblingDay.objects.filter(Exists(left), day__gte=since, released__isnull=False)
        for day in released.select_related("party__agency"):
            show_reports_of_day(day)


def _days_due(since: date) -> list[GamblingDay]:
    """Return closed and checked days whose newest edition has not been ordered."""
    orders = ReportOrder.objects.filter(
        kind=OF_A_DAY[0], party=OuterRef("party"), day=OuterRef("day")
    )
    newest = orders.order_by().values("day").annotate(newest=Max("number")).values("newest")
    return list(
        GamblingDay.objects.filter(
            day__gte=since, state=GamblingDay.State.CLOSED, looked_through__isnull=False
        )
        .annotate(ordered=Coalesce(Subquery(newest), 0))
        .filter(~Exists(orders.exclude(state__in=ENDED)), ordered__lte=F("supplements"))
        .select_related("party", "current")
        .order_by("day", "pk")[:MOST_AT_ONCE]
    )


def _order_day(day: GamblingDay) -> int:
    if not is_audited(day, current_segments(day.party, day=day.day)):
        return 0
    about = About(party=day.party, day=day.day)
    for kind in OF_A_DAY:
        order_report(kind=kind, about=about, by=SYSTEM, number=day.supplements + 1)
    return len(OF_A_DAY)


def _days_to_sum_up(since: date) -> set[date]:
    """Return days without a summary, and days with a report that is newer than theirs."""
    orders = ReportOrder.objects.filter(kind=SUMMARY, day__gte=since)
    never = GamblingDay.objects.filter(day__gte=since).exclude(day__in=orders.values("day"))
    summaries = Report.objects.filter(kind=SUMMARY, day=OuterRef("report__day")).order_by()
    latest = summaries.values("day").annotate(latest=Max("at")).values("latest")
    after = (
        Envelope.objects.filter(report__kind=OF_A_DAY[0], report__day__gte=since)
        .annotate(summed_up=Subquery(latest))
        .filter(at__gt=F("summed_up"))
    )
    days = set(never.order_by().values_list("day", flat=True).distinct())
    days |= set(after.order_by().values_list("report__day", flat=True).distinct())
    unfinished = orders.exclude(state=State.MADE)
    return days - set(unfinished.values_list("day", flat=True))


def _order_summary(day: date) -> int:
    about = About(day=day)
    number = ReportOrder.objects.filter(kind=SUMMARY, about=about.key).count() + 1
    being_made = ReportOrder.objects.filter(kind=OF_A_DAY[0], day=day).exclude(state__in=ENDED)
    late = _awaited(day).exists() and (number > 1 or not _is_noon_past(day))
    if late or being_made.exists():
        return 0
    order_report(kind=SUMMARY, about=about, by=SYSTEM, number=number)
    return 1


def _awaited(day: date) -> QuerySet[GamblingDay]:
    """Return operators whose newest edition of the day is not signed yet."""
    made = Envelope.objects.filter(
        report__kind=OF_A_DAY[0],
        report__party=OuterRef("party"),
        report__day=OuterRef("day"),
        report__number__gt=OuterRef("supplements"),
    )
    return GamblingDay.objects.filter(Q(state=GamblingDay.State.OPEN) | ~Exists(made), day=day)


def _is_noon_past(day: date) -> bool:
    return clock.now() >= datetime.combine(day + DAY, AT_THE_LATEST, zone())
