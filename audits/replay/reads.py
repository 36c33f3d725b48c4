"""Progress and results of replays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Q, Sum

from audits.replay.models import ReplaySegment
from compliance.jobs.models import Job

if TYPE_CHECKING:
    from audits.replay.models import Replay


STATE = ReplaySegment.State


@dataclass(frozen=True)
class Progress:
    """Progress of a replay, in segments and rounds."""

    work_units: int
    done: int
    leased: int
    rounds: int
    rounds_done: int

    @property
    def percent(self) -> int:
        """Return the percentage of rounds audited."""
        return 100 * self.rounds_done // self.rounds if self.rounds else 0


def progress_of(replay: Replay) -> Progress:
    """Return a replay's current progress."""
    done = Q(state=STATE.DONE)
    units = Job.objects.filter(kind=ReplaySegment.JOB, group=replay.pk)
    found = replay.units.aggregate(
        work_units=Count("pk"),
        done=Count("pk", filter=done),
        rounds=Sum("segment__rounds", default=0),
        rounds_done=Sum("segment__rounds", filter=done, default=0),
    )
    return Progress(**found, leased=units.filter(state=Job.State.RUNNING).count())


def last_failure(replay: Replay) -> str:
    """Return why a segment of a replay has not been audited yet; empty if none failed."""
    jobs = Job.objects.filter(kind=ReplaySegment.JOB, group=replay.pk).exclude(failure="")
    return jobs.values_list("failure", flat=True).first() or ""


def answer_of(replay: Replay) -> dict[str, Any]:
    """Return a replay as the API shows it."""
    return {
        "replay": str(replay.uuid),
        "fingerprint": replay.fingerprint,
        "state": replay.state,
        "rounds": replay.rounds,
        "seats": replay.seats,
        "findings": replay.findings,
        "digest": replay.digest or None,
    }
