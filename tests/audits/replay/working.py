"""Run replays in the test's own process, without waiting for pauses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audits.replay.jobs import ALL_KINDS, KINDS
from compliance.jobs.work import do_jobs
from tests.compliance.jobs.due import make_jobs_due

if TYPE_CHECKING:
    from audits.replay.models import Replay


def work(*, of: Replay | None = None, seconds: float = float("inf")) -> bool:
    """Do all jobs of replays, or of one; return whether there were any."""
    make_jobs_due()
    if of is None:
        return do_jobs(ALL_KINDS, seconds=seconds) > 0
    return do_jobs(KINDS, seconds=seconds, group=of.pk) > 0
