"""Reports that somebody asks for: what is due of a day, or once more as things stand now."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.db.models import Max

from audits.models import GamblingDay
from compliance import clock
from compliance.services.people import require
from compliance.services.refused import RefusedError
from compliance.walls import without_walls
from reports.documents.in_force import IN_FORCE_ON_A_DAY
from reports.documents.kinds import NothingToReportError, kind_of
from reports.documents.night_days import OF_A_DAY, SUMMARY, told_day
from reports.documents.period import PERIODS, period_of
from reports.models import Report, ReportOrder
from reports.services.orders import order_report

if TYPE_CHECKING:
    from compliance.actor import Asker
    from compliance.models import Party
    from reports.documents.kinds import About
    from reports.documents.period import Period

BY_HAND = (*OF_A_DAY, SUMMARY, *PERIODS, IN_FORCE_ON_A_DAY.name)


def order_by_hand(*, kind: str, about: About, by: Asker) -> ReportOrder:
    """Order a report of a day, or of the week or month that a day lies in.

    Of an operator's day there is one report and one for each supplement: what was made is given
    back, what failed waits again. A summary, a week, a month and what was in force are made anew
    with the next number, because they say how things stand when they are made.

    Refuses: a day that is to come, that is not kept, open, or not all judged; a week or month that
    has not ended, or in which there is nothing to sum up.
    """
    found = kind_of(kind)
    require(by, found.action, about.party)
    day = about.day
    assert day is not None  # noqa: S101 - the kinds that are made by hand are of a day
    if day > clock.today():
        msg = f"{day} is to come: nothing can be told of it."
        raise RefusedError(msg)
    with without_walls():
        if kind in PERIODS:
            period = period_of(kind, day)
            _require_ended(period, about.party)
            about = replace(about, day=period.last)
        elif kind in OF_A_DAY:
            try:
                told_day(about)
            except NothingToReportError as nothing:
                raise RefusedError(str(nothing)) from nothing
        elif kind == SUMMARY and not GamblingDay.objects.filter(day=day).exists():
            msg = f"No operator has a gambling day {day}: there is nothing to sum up."
            raise RefusedError(msg)
        number = found.edition(about) if kind in OF_A_DAY else _next_number(kind, about)
        return order_report(kind=kind, about=about, by=by, number=number)


def _require_ended(period: Period, party: Party | None) -> None:
    if period.last > clock.today():
        msg = f"{period.in_words} has not ended: its last day is {period.last}."
        raise RefusedError(msg)
    kept = GamblingDay.objects.filter(day__range=(period.first, period.last))
    if party is not None:
        kept = kept.filter(party=party, day=period.last, state=GamblingDay.State.CLOSED)
        if not kept.exists():
            msg = f"The gambling day {period.last} of {party} is not kept, or not closed yet."
            raise RefusedError(msg)
    elif not kept.exists():
        msg = f"No operator has a gambling day in {period.in_words}: there is nothing to sum up."
        raise RefusedError(msg)


def _next_number(kind: str, about: About) -> int:
    """One more than the last that was made; that of an order that is not made yet."""
    orders = ReportOrder.objects.filter(kind=kind, about=about.key)
    open_order = orders.exclude(state=ReportOrder.State.MADE).order_by("number").last()
    if open_order is not None:
        return open_order.number
    made = Report.objects.filter(kind=kind, about=about.key).order_by()
    numbers = (each.aggregate(last=Max("number"))["last"] for each in (orders.order_by(), made))
    return max(number or 0 for number in numbers) + 1
