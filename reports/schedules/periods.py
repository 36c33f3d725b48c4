"""Reports of weeks and months: ordered when the last day is reported, and again if it changes.

An operator's is due when the nightly report of the period's last day is made or has failed and no
other of the period is being made. The commission's is due when its summary of that day is made, and
every operator's report of the period that can be made. A later nightly report, such as a
supplement, makes the next edition of both.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from django.db.models import Exists, Min, OuterRef

from audits.intake.days.models import GamblingDay
from compliance import clock
from compliance.access.scope import without_access_scope
from compliance.events.actor import SYSTEM
from reports.documents.days import OF_A_DAY, PERIODS, SUMMARY, ends_of, period_of
from reports.documents.models import Report, ReportOrder
from reports.documents.period_reports import is_released, readers
from reports.documents.registry import About
from reports.schedules.making import show_report
from reports.schedules.orders import order_report

if TYPE_CHECKING:
    from django.db.models import QuerySet


NIGHTLY = OF_A_DAY[0]
MOST_AT_ONCE = 200
State = ReportOrder.State
ENDED = (State.MADE, State.FAILED)


def order_periods(since: date = date.min) -> int:
    """Order the weeks and months that end since a date and are due; return how many were placed."""
    with without_access_scope():
        first = GamblingDay.objects.aggregate(first=Min("day"))["first"]
        if first is None:
            return 0
        begin = max(first, since)
        return sum(_order(kind, ends_of(kind, begin, clock.today())) for kind in PERIODS)


def order_next_editions(report: Report) -> None:
    """Order the next edition of reports that sum up a new report, if they were made before it."""
    with without_access_scope():
        if report.day is None:
            return
        if report.kind == NIGHTLY:
            for kind in PERIODS:
                end = period_of(kind, report.day).last
                _order_again(kind, About(party=report.party, day=end), report)
        elif report.kind in PERIODS and report.party is not None:
            _order_again(report.kind, About(day=report.day), report)


def show_periods_of_day(day: GamblingDay) -> None:
    """Show the reports of periods in which a released day was the last unreleased one."""
    for kind in PERIODS:
        period = period_of(kind, day.day)
        about = About(party=day.party, day=period.last)
        made = Report.objects.filter(kind=kind, about=about.key)
        if made and is_released(period, day.party):
            for report in made:
                for party in readers(about):
                    show_report(report=report, to=party)


def _order(kind: str, ends: list[date]) -> int:
    due = [day for day in _days_due(kind, ends) if not _under_way(kind, day)]
    for day in due:
        about = About(party=day.party, day=day.day)
        order_report(kind=kind, about=about, by=SYSTEM)
    return len(due) + sum(_order_commission(kind, end) for end in _ends_summed_up(kind, ends))


def _days_due(kind: str, ends: list[date]) -> list[GamblingDay]:
    """Return last days of periods whose nightly reports are complete, and that were not ordered."""
    mine = ReportOrder.objects.filter(party=OuterRef("party"), day=OuterRef("day"))
    reported = mine.filter(kind=NIGHTLY, number__gt=OuterRef("supplements"), state__in=ENDED)
    found = GamblingDay.objects.filter(
        Exists(reported), ~Exists(mine.filter(kind=kind)), day__in=ends,
        state=GamblingDay.State.CLOSED,
    )  # fmt: skip
    return list(found.select_related("party__agency").order_by("day", "pk")[:MOST_AT_ONCE])


def _under_way(kind: str, day: GamblingDay) -> bool:
    period = period_of(kind, day.day)
    of_period = ReportOrder.objects.filter(
        kind=NIGHTLY, party=day.party, day__range=(period.first, period.last)
    )
    return of_period.exclude(state__in=ENDED).exists()


def _ends_summed_up(kind: str, ends: list[date]) -> list[date]:
    """Return last days with a summary, for whose period the commission has no report."""
    orders = ReportOrder.objects.filter(day__in=ends)
    summed_up = orders.filter(kind=SUMMARY, state=State.MADE).values_list("day", flat=True)
    ordered = orders.filter(kind=kind, party=None).values_list("day", flat=True)
    left = set(summed_up) - set(ordered)
    return [end for end in ends if end in left]


def _order_commission(kind: str, end: date) -> int:
    """Order the commission's report, once no operator's of the period is pending."""
    being_made = ReportOrder.objects.filter(kind=kind, day=end).exclude(state__in=ENDED)
    if being_made.exists() or _days_due(kind, [end]):
        return 0
    order_report(kind=kind, about=About(day=end), by=SYSTEM)
    return 1


def _order_again(kind: str, about: About, after: Report) -> None:
    orders: QuerySet[ReportOrder] = ReportOrder.objects.filter(kind=kind, about=about.key)
    newest = Report.objects.filter(kind=kind, about=about.key).order_by("number").last()
    if newest is None or newest.at > after.at or orders.exclude(state__in=ENDED).exists():
        return
    last = orders.order_by("number").last()
    number = max(newest.number, last.number if last else 0) + 1
    order_report(kind=kind, about=about, by=SYSTEM, number=number)
