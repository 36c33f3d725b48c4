"""The jobs of a replay: a work unit for each segment, then settling."""

from __future__ import annotations

from time import sleep
from typing import TYPE_CHECKING

from django.db.models.functions import Now

from audits.replay.events import REPLAY_FAILED
from audits.replay.models import Replay, ReplayComparison, ReplaySegment
from compliance.events.actor import SYSTEM
from compliance.events.record import record
from compliance.jobs import queue
from compliance.jobs.announce import announce
from compliance.jobs.models import Job
from compliance.jobs.work import do_jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


WORK = "audits.replay_segments"
MOST_AT_ONCE = 16
"""Maximum messages for a batch of work: each starts a process, which takes more jobs by itself."""


def announce_work(*, units: int, expires: float | None = None) -> None:
    """Notify the workers on commit; the sweep finds any work whose message is lost."""
    announce(WORK, times=min(units, MOST_AT_ONCE), expires=expires)


UNIT, SETTLING = ReplaySegment.JOB, Replay.JOB
KINDS = (UNIT, SETTLING)

UNDER_WAY = (Replay.State.WAITING, Replay.State.RUNNING)


def add_jobs(replay: Replay) -> None:
    """Add the jobs that a replay still needs."""
    open_units = replay.units.exclude(state=ReplaySegment.State.DONE).order_by("position")
    queue.add_jobs(
        UNIT, open_units.values_list("pk", flat=True), group=replay.pk, priority=replay.priority
    )
    add_settling(replay)


def add_settling(replay: Replay) -> None:
    """Settle a replay, which records its findings, once all its work units are done.

    An operator's replays settle one at a time, because each compares with the last one's findings.
    """
    if not Job.objects.filter(kind=UNIT, group=replay.pk).exists():
        queue.add_jobs(
            SETTLING,
            [replay.pk],
            group=replay.pk,
            exclusive=f"settling for {replay.party_id}",
            priority=replay.priority,
        )


def cancel_jobs(replay: int) -> None:
    """Remove a replay's jobs before its row changes: finishing a job locks in that order."""
    for kind in KINDS:
        queue.cancel_jobs(kind, group=replay)


def move_jobs(replay: int, priority: int) -> None:
    """Change the priority of a replay's jobs."""
    Job.objects.filter(kind__in=KINDS, group=replay).update(priority=priority)


def fail_replay(replay: int, failure: str, *, states: Iterable[str] = UNDER_WAY) -> None:
    """Mark a replay as failed, with the reason, unless it has ended already."""
    cancel_jobs(replay)
    ended = Replay.objects.filter(pk=replay, state__in=states).update(
        state=Replay.State.FAILED, failure=failure, ended=Now()
    )
    if ended:
        failed = Replay.objects.select_related("party").get(pk=replay)
        record(
            REPLAY_FAILED,
            by=SYSTEM,
            party=failed.party,
            about=failed,
            carries={"replay": str(failed.uuid), "failure": failure},
        )


WATCH = "watch"
"""The kind of job that adds an operator's segments to its watch, after its replays."""
ALL_KINDS = (ReplayComparison.JOB, *KINDS, WATCH)
AFTER_REPLAYS = -100


def add_watch(operator: int) -> None:
    """Watch an operator's new rounds, once for all replays that are under way."""
    queue.add_jobs(WATCH, [operator], priority=AFTER_REPLAYS)


LOOKS_AGAIN_AFTER_SECONDS = 0.2


def work_until_ended(replay: Replay, *, progress: Callable[[], None]) -> None:
    """Work on one replay, along with any other workers, until it has ended.

    `progress` is called often. Jobs leased by others are waited for, and done here once their lease
    is over.

    Raises:
        StoppedError: nothing can be done now.
    """
    while True:
        done = do_jobs(KINDS, seconds=LOOKS_AGAIN_AFTER_SECONDS, group=replay.pk)
        replay.refresh_from_db()
        progress()
        if replay.ended is not None:
            return
        # Another replay of the operator may have been interrupted while it was settling.
        if not done and not do_jobs({Replay.JOB}, seconds=LOOKS_AGAIN_AFTER_SECONDS):
            sleep(LOOKS_AGAIN_AFTER_SECONDS)
