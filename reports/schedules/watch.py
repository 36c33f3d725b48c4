"""Health of reports: late and failed ones raise an alarm, like a night that did not run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import Count, Exists, OuterRef, Q
from django.db.models.functions import Now
from django.utils import timezone

from audits.intake.days.models import GamblingDay
from compliance import clock
from compliance.access.scope import without_access_scope
from compliance.health import Condition
from compliance.health import State as Health
from compliance.jobs.models import Job
from compliance.law.gambling_day import DAY
from reports.documents.days import OF_A_DAY, PERIODS, SUMMARY
from reports.documents.letters import LETTERS
from reports.documents.models import Envelope, ReportOrder
from reports.schedules.models import Delivery

if TYPE_CHECKING:
    from django.db.models import QuerySet


LATE = timedelta(hours=2)
"""Time after a day closes until its nightly report must be signed."""
SLOW = timedelta(hours=1)
"""Time after an order is placed until its report must be made."""
LOOKED_BACK = 35 * DAY
"""How far back to search for late reports: a month, and the days in which it is reported."""
BY_ITSELF = (*OF_A_DAY, SUMMARY, *PERIODS, *LETTERS)
"""What the system orders automatically. People watch their own orders themselves."""
State = ReportOrder.State


@dataclass(frozen=True)
class Reporting:
    """Status of making reports."""

    late: int
    """Gambling days that closed over two hours ago and have no signed nightly report."""
    failed: int
    """The system's own reports that could not be made, and have no later edition."""
    slow: int
    """Orders older than an hour whose report is still not made."""


def reporting() -> Reporting:
    """Return the status of making reports."""
    with without_access_scope():
        orders = orders_astray().aggregate(
            failed=Count("pk", filter=Q(state=State.FAILED)),
            slow=Count("pk", filter=~Q(state=State.FAILED)),
        )
        return Reporting(late=late_days().count(), **orders)


@dataclass(frozen=True)
class Sending:
    """Status of sending reports."""

    failed: int
    """Failed deliveries that nobody has sent again or given up."""
    waiting: int
    """Deliveries that were due an hour ago and that no worker took."""


def sending() -> Sending:
    """Return the status of sending reports."""
    overdue = Job.objects.filter(kind__in=Delivery.JOBS.values(), due__lt=Now() - SLOW)
    with without_access_scope():
        return Sending(
            failed=Delivery.objects.filter(state=Delivery.State.FAILED).count(),
            waiting=overdue.count(),
        )


def late_days() -> QuerySet[GamblingDay]:
    """Return days whose nightly report is late. Needs an access scope or `without_access_scope`."""
    now = clock.now()
    signed = Envelope.objects.filter(
        report__kind=OF_A_DAY[0], report__party=OuterRef("party"), report__day=OuterRef("day")
    )
    return GamblingDay.objects.filter(
        ~Exists(signed), closes__lt=now - LATE, day__gte=(now - LOOKED_BACK).date()
    ).order_by("day", "pk")


def orders_astray() -> QuerySet[ReportOrder]:
    """Return the system's orders that failed or are slow, and that no later edition fixes."""
    mended = Envelope.objects.filter(
        report__kind=OuterRef("kind"),
        report__about=OuterRef("about"),
        report__number__gte=OuterRef("number"),
    )
    failed = Q(state=State.FAILED)
    slow = Q(state=State.WAITING, ordered__lt=timezone.now() - SLOW)
    return ReportOrder.objects.filter(failed | slow, ~Exists(mended), kind__in=BY_ITSELF)


def reports() -> Condition:
    """Check that every closed day is reported, and every ordered report is made."""
    found = reporting()
    return _condition(
        (
            (found.late, "gambling days that closed over two hours ago without a report"),
            (found.failed, "reports that could not be made"),
            (found.slow, "reports that were ordered over an hour ago and are not done"),
        ),
        do="The page of ordered reports says why. Fix the cause, then retry one or all there.",
        page="report_orders",
        ok="Every closed day is reported on time.",
    )


def sent_reports() -> Condition:
    """Check that reports are delivered."""
    found = sending()
    return _condition(
        (
            (found.failed, "reports that could not be sent"),
            (found.waiting, "reports that were due over an hour ago"),
        ),
        do="The page of deliveries says why. Fix the cause, then send them again or give them up.",
        page="deliveries",
        ok="Reports are sent on time.",
    )


def _condition(wrong: tuple[tuple[int, str], ...], *, do: str, page: str, ok: str) -> Condition:
    count = sum(number for number, _ in wrong)
    if not count:
        return Condition(state=Health.OK, says=ok, count=0)
    says = "; ".join(f"{words}: {number}" for number, words in wrong if number)
    return Condition(
        state=Health.FAILING, says=f"{says[0].upper()}{says[1:]}.", do=do, count=count, page=page
    )
