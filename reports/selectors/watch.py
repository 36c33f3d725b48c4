"""Whether reports come: a late one and a failed one are alarms, as a night that did not run is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import Count, Exists, OuterRef, Q
from django.utils import timezone

from audits.models import GamblingDay
from compliance import clock
from compliance.gambling_day import DAY
from compliance.walls import without_walls
from reports.documents.letters import LETTERS
from reports.documents.night_days import OF_A_DAY, SUMMARY
from reports.documents.period import PERIODS
from reports.models import Delivery, Envelope, ReportOrder

if TYPE_CHECKING:
    from django.db.models import QuerySet

LATE = timedelta(hours=2)
"""After a day closed, until its nightly report must be signed."""
SLOW = timedelta(hours=1)
"""After an order was placed, until its report must be made."""
LOOKED_BACK = 35 * DAY
"""How far back late reports are looked for: a month, and the days in which it is reported."""
BY_ITSELF = (*OF_A_DAY, SUMMARY, *PERIODS, *LETTERS)
"""What the system orders without being asked. What somebody ordered, they see to themselves."""
State = ReportOrder.State


@dataclass(frozen=True)
class Reporting:
    """How the making of reports stands."""

    late: int
    """Gambling days that closed over two hours ago and have no signed nightly report."""
    failed: int
    """Reports of the system's own that could not be made, and no later edition was."""
    slow: int
    """Orders older than an hour whose report is still not made."""


def reporting() -> Reporting:
    """How the making of reports stands."""
    with without_walls():
        orders = orders_astray().aggregate(
            failed=Count("pk", filter=Q(state=State.FAILED)),
            slow=Count("pk", filter=~Q(state=State.FAILED)),
        )
        return Reporting(late=late_days().count(), **orders)


@dataclass(frozen=True)
class Sending:
    """How the sending of reports stands."""

    failed: int
    """Deliveries that failed, and that nobody has sent again or given up."""
    waiting: int
    """Deliveries that were due an hour ago and that nobody took."""


def sending() -> Sending:
    """How the sending of reports stands."""
    failed = Q(state=Delivery.State.FAILED)
    left = Q(state=Delivery.State.WAITING, due__lt=timezone.now() - SLOW)
    with without_walls():
        counted = Delivery.objects.filter(failed | left).aggregate(
            failed=Count("pk", filter=failed), waiting=Count("pk", filter=left)
        )
    return Sending(**counted)


def late_days() -> QuerySet[GamblingDay]:
    """Days whose nightly report is late; ask within walls, or `without_walls`."""
    now = clock.now()
    signed = Envelope.objects.filter(
        report__kind=OF_A_DAY[0], report__party=OuterRef("party"), report__day=OuterRef("day")
    )
    return GamblingDay.objects.filter(
        ~Exists(signed), closes__lt=now - LATE, day__gte=(now - LOOKED_BACK).date()
    ).order_by("day", "pk")


def orders_astray() -> QuerySet[ReportOrder]:
    """Orders of the system's own that failed or take too long, and that no later edition mends."""
    mended = Envelope.objects.filter(
        report__kind=OuterRef("kind"),
        report__about=OuterRef("about"),
        report__number__gte=OuterRef("number"),
    )
    failed = Q(state=State.FAILED)
    slow = Q(state__in=(State.WAITING, State.BEING_MADE), ordered__lt=timezone.now() - SLOW)
    return ReportOrder.objects.filter(failed | slow, ~Exists(mended), kind__in=BY_ITSELF)
