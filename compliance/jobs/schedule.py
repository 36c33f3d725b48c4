"""Scheduled jobs: the database keeps the last run, so restarts of beat do not matter.

Beat restarts its intervals at each start, so a daily task would never run if beat restarts more
often than that. Instead, it asks each minute whether a job is due.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import Q
from django.db.models.functions import Coalesce, Now

from compliance.jobs.failures import summarize_error
from compliance.jobs.models import LastRun

if TYPE_CHECKING:
    from collections.abc import Callable


AGAIN_AFTER = timedelta(minutes=10)
"""Pause before a job that failed, or whose worker was killed, is retried."""


def note_done(name: str, says: str = "") -> None:
    """Record by the database's clock that a job or command succeeded."""
    LastRun.objects.update_or_create(
        name=name,
        defaults={"begun": None, "done": Now(), "failing_since": None, "says": says},
    )


def note_failed(name: str, says: str) -> None:
    """Record that a job or command failed and why, keeping the time of the first failure."""
    LastRun.objects.get_or_create(name=name)
    LastRun.objects.filter(name=name).update(
        begun=None, failing_since=Coalesce("failing_since", Now()), says=says
    )


def run_if_due(name: str, *, every: timedelta, job: Callable[[], bool | None]) -> bool:
    """Run a job if it is due, in only one worker; return whether it ran.

    A job that returns False ran out of time, and continues the next minute.
    """
    LastRun.objects.get_or_create(name=name)
    due = Q(done=None) | Q(done__lte=Now() - every)
    free = Q(begun=None) | Q(begun__lte=Now() - AGAIN_AFTER)
    row = LastRun.objects.filter(name=name)
    if not row.filter(due, free).update(begun=Now()):
        return False
    try:
        is_unfinished = job() is False
    except Exception as error:
        row.update(failing_since=Coalesce("failing_since", Now()), says=summarize_error(error))
        raise
    if is_unfinished:
        row.update(begun=None)
    else:
        note_done(name)
    return True
