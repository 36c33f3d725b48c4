"""Time for jobs: the database keeps it, so tests move due dates instead of a clock."""

from __future__ import annotations

from datetime import timedelta

from django.db.models.functions import Now

from compliance.jobs.models import Job


def make_jobs_due() -> None:
    Job.objects.filter(state=Job.State.PENDING).update(due=Now())


def kill_workers() -> None:
    """Expire every lease, as if the workers with the leases had died."""
    Job.objects.filter(state=Job.State.RUNNING).update(lease_until=Now() - timedelta(seconds=1))
