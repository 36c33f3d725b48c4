"""Health of the nightly run, because a night without a run must raise an alarm by itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import Count, Min, Q

from audits.intake.days.models import GamblingDay, NightlyWatch
from audits.replay.models import Replay
from compliance import clock
from compliance.access.models import Party
from compliance.access.permissions import OPERATOR_KINDS
from compliance.access.scope import without_access_scope

if TYPE_CHECKING:
    from django.db.models import QuerySet


GRACE = timedelta(hours=1)
"""Time after a day closes until it must have been checked and its replay finished."""


@dataclass(frozen=True)
class Nights:
    """Status of the nightly run: its last pass over everyone, and what is overdue."""

    operators: int
    watched: int
    seen: datetime | None
    """The oldest of all operators' last checks."""
    overdue: int
    """Days that closed more than an hour ago and were not checked."""
    failed: int
    """Nightly replays that failed, or were not done within an hour."""


def nights() -> Nights:
    """Return the status of the nightly run."""
    with without_access_scope():
        operators = Party.objects.filter(kind__in=OPERATOR_KINDS).count()
        seen = NightlyWatch.objects.aggregate(watched=Count("pk"), seen=Min("looked"))
        return Nights(
            operators=operators,
            overdue=days_overdue().count(),
            failed=replays_overdue().count(),
            **seen,
        )


def days_overdue() -> QuerySet[GamblingDay]:
    """Return days that the nightly run missed. Needs `without_access_scope`."""
    return GamblingDay.objects.filter(
        looked_through__isnull=True, closes__lt=clock.now() - GRACE
    ).order_by("closes")


def replays_overdue() -> QuerySet[Replay]:
    """Return nightly replays that failed or are late. Needs `without_access_scope`."""
    own = Q(cause__in=(Replay.Cause.NIGHTLY, Replay.Cause.SUPPLEMENT))
    ended = Q(state__in=(Replay.State.DONE, Replay.State.CANCELED))
    late = Q(state=Replay.State.FAILED) | Q(at__lt=clock.now() - GRACE)
    return Replay.objects.filter(own & late & ~ended)
