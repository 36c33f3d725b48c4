"""Reports that somebody asks for: what is due of a day, or once more as things stand now."""

from __future__ import annotations

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
from reports.models import Report, ReportOrder
from reports.services.orders import order_report

if TYPE_CHECKING:
    from compliance.models import Person
    from reports.documents.kinds import About

BY_HAND = (*OF_A_DAY, SUMMARY, IN_FORCE_ON_A_DAY.name)


def order_by_hand(*, kind: str, about: About, by: Person) -> ReportOrder:
    """Order a report of a day.

    Of an operator's day there is one report and one for each supplement: what was made is given
    back, what failed waits again. A summary and what was in force are made anew with the next
    number, because they say how things stand when they are made.

    Refuses: a day that is to come, that is not kept, open, or not all judged.
    """
    found = kind_of(kind)
    require(by, found.action, about.party)
    assert about.day is not None  # noqa: S101 - the kinds that are made by hand are of a day
    if about.day > clock.today():
        msg = f"{about.day} is to come: nothing can be told of it."
        raise RefusedError(msg)
    with without_walls():
        if kind in OF_A_DAY:
            try:
                told_day(about)
            except NothingToReportError as nothing:
                raise RefusedError(str(nothing)) from nothing
            number = found.edition(about)
        else:
            if kind == SUMMARY and not GamblingDay.objects.filter(day=about.day).exists():
                msg = f"No operator has a gambling day {about.day}: there is nothing to sum up."
                raise RefusedError(msg)
            number = _next_number(kind, about)
        return order_report(kind=kind, about=about, by=by, number=number)


def _next_number(kind: str, about: About) -> int:
    """One more than the last that was made; that of an order that is not made yet."""
    orders = ReportOrder.objects.filter(kind=kind, about=about.key)
    open_order = orders.exclude(state=ReportOrder.State.MADE).order_by("number").last()
    if open_order is not None:
        return open_order.number
    made = Report.objects.filter(kind=kind, about=about.key).order_by()
    numbers = (each.aggregate(last=Max("number"))["last"] for each in (orders.order_by(), made))
    return max(number or 0 for number in numbers) + 1
