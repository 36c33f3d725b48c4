"""Reader processes that ingest submitted logs: one at a time per operator."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models.functions import Now

from audits.intake.models import Submission
from compliance.jobs import queue
from compliance.jobs.queue import due_jobs
from compliance.jobs.work import pause_after
from compliance.secret import own_environment

if TYPE_CHECKING:
    from compliance.jobs.queue import Lease


REPORT_EVERY = 2.0
PAUSES = tuple(timedelta(seconds=min(10 << failures, 3600)) for failures in range(10))
"""Delays after a system failure, or after a reader was killed a second time."""
LOST = "Its reader was lost; it will be read again"
KILLED = (
    "The process that reads it was killed {deaths} times, the last time during this step: "
    "{step} (line {lines:,}). It may need more memory than this machine has."
)


@dataclass
class Reading:
    """A log that this process ingests until its lease ends."""

    submission: Submission
    lease: Lease
    _reported: float = field(default_factory=time.monotonic)

    def step(self, says: str) -> None:
        """Report the step that begins now."""
        self._report(state=Submission.State.READING, step=says, progress=0)

    def reached(self, progress: int, lines: int | None = None) -> None:
        """Report progress; this is called often and writes rarely."""
        if time.monotonic() - self._reported >= REPORT_EVERY:
            counted = {} if lines is None else {"lines": lines}
            self._report(progress=progress, **counted)

    def kills_readers(self) -> bool:
        """Postpone a log whose readers were killed twice; return whether this was the case.

        One kill may have been a restart. The submission's state shows that a reader was lost, not
        the lease, which a reader of another log of this operator may have ended since.
        """
        deaths, submission = self.lease.deaths, self.submission
        if deaths < 2 or submission.state != Submission.State.READING:
            return False
        failure = KILLED.format(
            deaths=deaths, step=submission.step or "it had just begun", lines=submission.lines
        )
        with transaction.atomic():
            queue.put_off(self.lease, failure, pause=pause_after(deaths - 1, PAUSES))
            self._write(state=Submission.State.WAITING, step=LOST, failure=failure)
        return True

    def note_failure(self, says: str, failure: str) -> None:
        """Record why the log is waiting for a retry.

        `says` is for the operator, `failure` for the people who run the system.
        """
        with suppress(DatabaseError, queue.LeaseLostError):  # the job has the reason, too
            self._report(state=Submission.State.WAITING, step=says[:60], failure=failure)

    def _report(self, **says: Any) -> None:
        with queue.under(self.lease):
            self._write(**says)
        self._reported = time.monotonic()

    def _write(self, **says: Any) -> None:
        Submission.objects.filter(pk=self.submission.pk).update(**says, changed=Now())


MAXIMUM_READERS = 2
PATIENCE = timedelta(seconds=20)
"""After this wait a second reader starts, because one huge file may take hours."""

_started: list[subprocess.Popen[bytes]] = []
"""The readers of this worker process."""


def start_reader() -> bool:
    """Start a reader if a log is pending and there is room; return whether one started."""
    _started[:] = [each for each in _started if each.poll() is None]
    if len(_started) == MAXIMUM_READERS:
        return False
    if not something_waits(since=PATIENCE if _started else timedelta()):
        return False
    command = [sys.executable, str(Path(settings.BASE_DIR) / "manage.py"), "take_in"]
    _started.append(
        subprocess.Popen(  # noqa: S603 - a command of our own
            command, stdin=subprocess.DEVNULL, env=own_environment()
        )
    )
    return True


def something_waits(since: timedelta = timedelta()) -> bool:
    """Return whether a log has been pending for too long, or was left by a lost reader."""
    return due_jobs({Submission.JOB}).filter(due__lte=Now() - since).exists()
