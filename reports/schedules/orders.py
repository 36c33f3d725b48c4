"""Orders of reports: placed once, made as jobs, or failed with a reason.

Letters are ordered automatically, one for each approval and each denial. The database shows which
decisions have no letter yet, so that none is lost during downtime, and none is made twice. The
letter is shown to its holder as soon as it is made.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import uuid4

import structlog
from django.db import transaction
from django.db.models import Exists, Max, OuterRef
from django.utils import timezone
from pyhanko.sign.timestamps import TimestampRequestError

from audits.intake.days.models import GamblingDay
from compliance import clock
from compliance.access.reads import require
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.actor import SYSTEM
from compliance.events.record import record
from compliance.files.archive import DamagedError, MissingError
from compliance.filings.requests.models import Approval, Denial
from compliance.jobs import queue
from compliance.jobs.announce import announce
from compliance.jobs.work import Kind, do_due_jobs
from compliance.retention.verification import archive_problem, waits_for_archive
from reports.documents.days import OF_A_DAY, PERIODS, SUMMARY, period_of, require_audited_day
from reports.documents.events import FAILED, ORDERED
from reports.documents.in_effect import IN_EFFECT_ON_A_DAY
from reports.documents.letters import APPROVAL_LETTER, DENIAL_LETTER
from reports.documents.models import Report, ReportOrder
from reports.documents.registry import About, NothingToReportError, kind_of
from reports.schedules.making import make_report
from reports.signing.keys import NoReportKeyError

if TYPE_CHECKING:
    from uuid import UUID

    from compliance.access.models import Party
    from compliance.access.scope import Asker
    from compliance.events.actor import Actor
    from compliance.jobs.queue import Lease
    from reports.documents.days import Period


MAKE_ORDERED = "reports.make_ordered"
State = ReportOrder.State
CANNOT_BE_MADE = (
    NothingToReportError, NoReportKeyError, RefusedError, MissingError, DamagedError,
    TimestampRequestError,
)  # fmt: skip
"""Errors that a person must fix, such as the configuration; a retry does not help."""

log = structlog.get_logger(__name__)


class ArchiveAwayError(OSError):
    """The archive cannot be read or written now; the message says why."""


@transaction.atomic
def order_report(*, kind: str, about: About, by: Asker | Actor, number: int = 1) -> ReportOrder:
    """Order a report, or return its existing order, which is pending again if it failed."""
    order, new = ReportOrder.objects.get_or_create(
        kind=kind,
        about=about.key,
        number=number,
        defaults={
            "uuid": uuid4(),
            "party": about.party,
            "day": about.day,
            "subject": about.subject,
            "line": about.line,
            "ordered": timezone.now(),
        },
    )
    again = not new and ReportOrder.objects.filter(pk=order.pk, state=State.FAILED).update(
        state=State.WAITING, reason=""
    )
    if new or again:
        record(
            ORDERED, by=by, party=about.party, about=order, carries={"kind": kind, "number": number}
        )
        queue.add_jobs(ReportOrder.JOB, [order.pk])
        order.refresh_from_db()
        announce(MAKE_ORDERED)
    return order


def make_reports(*, seconds: float) -> int:
    """Make ordered reports for as long as a task may take; return how many."""
    return do_due_jobs({ReportOrder.JOB}, seconds=seconds)


def make_order(lease: Lease) -> None:
    """Make the report of one order.

    Raises:
        ArchiveAwayError: the archive is missing, full or slow; the order waits for it.
    """
    from reports.schedules.periods import order_next_editions

    if problem := archive_problem():
        # Write nothing into a folder on which the archive's disk is not mounted.
        raise ArchiveAwayError(problem)
    order = ReportOrder.objects.select_related("party").get(pk=lease.subject)
    about = About(party=order.party, day=order.day, subject=order.subject, line=order.line)
    try:
        report = make_report(kind=order.kind, about=about, number=order.number)
    except CANNOT_BE_MADE as error:
        if waits_for_archive(error):
            raise ArchiveAwayError(str(error)) from error
        raise
    with queue.finishing(lease):
        order_next_editions(report)
        ReportOrder.objects.filter(pk=order.pk).update(state=State.MADE, report=report, reason="")
        if lease.waits:  # what it waited for is back: nothing needs to wait longer
            queue.resume({ReportOrder.JOB})


def give_up_order(subject: int, reason: str) -> None:
    """Mark an order as failed, with the reason."""
    order = ReportOrder.objects.select_related("party").get(pk=subject)
    ReportOrder.objects.filter(pk=subject).update(state=State.FAILED, reason=reason)
    record(
        FAILED,
        by=SYSTEM,
        party=order.party,
        about=order,
        reason=reason,
        carries={"kind": order.kind, "number": order.number},
    )
    log.error("a report could not be made", kind=order.kind, about=order.about, reason=reason)


ORDER_JOBS = Kind(
    run=make_order,
    give_up=give_up_order,
    refuse=lambda subject, error: give_up_order(subject, str(error)),
    bad_input=CANNOT_BE_MADE,
)


def retry_failed_orders(*, by: Asker | Actor) -> int:
    """Retry every report that failed; return how many."""
    again = 0
    for failed in ReportOrder.objects.filter(state=State.FAILED).select_related("party"):
        about = About(party=failed.party, day=failed.day, subject=failed.subject, line=failed.line)
        order_report(kind=failed.kind, about=about, by=by, number=failed.number)
        again += 1
    return again


BY_HAND = (*OF_A_DAY, SUMMARY, *PERIODS, IN_EFFECT_ON_A_DAY.name)


def order_by_hand(*, kind: str, about: About, by: Asker) -> ReportOrder:
    """Order a report of a day, or of the week or month that contains it.

    An operator's day has one report, and one for each supplement: a report already made is
    returned, and a failed one is pending again. A summary, a week, a month and terms in effect are
    made anew with the next number, because they describe the situation when they are made.

    Refuses: a day that is in the future, not on file, open, or not fully audited; a week or month
    that has not ended, or that has nothing to sum up.
    """
    found = kind_of(kind)
    require(by, found.action, about.party)
    day = about.day
    assert day is not None  # noqa: S101 - the kinds that are made by hand are of a day
    if day > clock.today():
        msg = f"{day} is in the future, so there is nothing to report."
        raise RefusedError(msg)
    with without_access_scope():
        if kind in PERIODS:
            period = period_of(kind, day)
            _require_ended(period, about.party)
            about = replace(about, day=period.last)
        elif kind in OF_A_DAY:
            try:
                require_audited_day(about)
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
    """Return one more than the last number made, or that of an order that is not made yet."""
    orders = ReportOrder.objects.filter(kind=kind, about=about.key)
    open_order = orders.exclude(state=ReportOrder.State.MADE).order_by("number").last()
    if open_order is not None:
        return open_order.number
    made = Report.objects.filter(kind=kind, about=about.key).order_by()
    numbers = (each.aggregate(last=Max("number"))["last"] for each in (orders.order_by(), made))
    return max(number or 0 for number in numbers) + 1


MOST_AT_ONCE = 200


def order_letters() -> int:
    """Order the letters of decisions that have none; return how many orders were placed."""
    with without_access_scope():
        due = [
            (kind.name, decision)
            for kind, decisions in ((APPROVAL_LETTER, Approval), (DENIAL_LETTER, Denial))
            for decision in _without_letter(decisions, kind.name)
        ]
        for kind, decision in due:
            order_report(kind=kind, about=About(subject=decision), by=SYSTEM)
    return len(due)


def _without_letter(decisions: type[Approval | Denial], kind: str) -> list[UUID]:
    ordered = ReportOrder.objects.filter(kind=kind, subject=OuterRef("uuid"))
    due = decisions.objects.filter(~Exists(ordered)).order_by("pk")
    return list(due.values_list("uuid", flat=True)[:MOST_AT_ONCE])
