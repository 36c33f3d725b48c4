"""Whether the nightly run does its duty: a night that did not run is itself an alarm."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import Count, Min, Q

from audits.models import GamblingDay, NightlyWatch, Replay
from compliance import clock
from compliance.choices import OPERATOR_KINDS
from compliance.models import Party
from compliance.walls import without_walls

if TYPE_CHECKING:
    from django.db.models import QuerySet

GRACE = timedelta(hours=1)
"""After a day closed, until it must have been looked at and its replay be done."""


@dataclass(frozen=True)
class Nights:
    """How the nightly run stands: when it last saw to everyone, and what it owes."""

    operators: int
    watched: int
    seen: datetime | None
    """When the operator that was seen to longest ago was."""
    overdue: int
    """Days that closed more than an hour ago and that nobody looked at."""
    failed: int
    """Replays of the run's own that failed, or are not done after more than an hour."""


def nights() -> Nights:
    """How the nightly run stands."""
    with without_walls():
        operators = Party.objects.filter(kind__in=OPERATOR_KINDS).count()
        seen = NightlyWatch.objects.aggregate(watched=Count("pk"), seen=Min("looked"))
        return Nights(
            operators=operators,
            overdue=days_overdue().count(),
            failed=replays_overdue().count(),
            **seen,
        )


def days_overdue() -> QuerySet[GamblingDay]:
    """Days whose nightly run did not come; ask within `without_walls`."""
    return GamblingDay.objects.filter(
        looked_through__isnull=True, closes__lt=clock.now() - GRACE
    ).order_by("closes")


def replays_overdue() -> QuerySet[Replay]:
    """Replays of the nightly run that came to nothing; ask within `without_walls`."""
    own = Q(cause__in=(Replay.Cause.NIGHTLY, Replay.Cause.SUPPLEMENT))
    ended = Q(state__in=(Replay.State.DONE, Replay.State.CANCELLED))
    late = Q(state=Replay.State.FAILED) | Q(at__lt=clock.now() - GRACE)
    return Replay.objects.filter(own & late & ~ended)
