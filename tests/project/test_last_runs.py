"""Daily jobs run each day, in one worker, however often beat restarts."""

from __future__ import annotations

import errno
from datetime import timedelta

import pytest
from django.utils import timezone

from compliance.conditions import retention
from compliance.jobs.models import RETENTION, LastRun
from compliance.jobs.schedule import run_if_due
from compliance.project.schedule import SCHEDULE
from compliance.tasks import remove_what_is_over

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def test_beat_asks_at_least_each_minute():
    assert [name for name, entry in SCHEDULE.items() if entry["schedule"] > 60] == []


def test_daily_job_runs_once_a_day_in_one_worker():
    ran = []

    def job() -> None:
        ran.append(run_if_due("job", every=DAY, job=job))  # another worker, in the meantime

    assert run_if_due("job", every=DAY, job=job)
    assert not run_if_due("job", every=DAY, job=job)
    assert ran == [False]
    LastRun.objects.update(done=timezone.now() - DAY - timedelta(seconds=1))
    assert run_if_due("job", every=DAY, job=job)


def test_job_out_of_time_goes_on_the_next_minute():
    assert run_if_due("job", every=DAY, job=lambda: False)
    assert run_if_due("job", every=DAY, job=lambda: True)
    assert not run_if_due("job", every=DAY, job=lambda: True)


def test_job_of_a_killed_worker_runs_again():
    LastRun.objects.create(name="job", begun=timezone.now() - timedelta(minutes=9))
    assert not run_if_due("job", every=DAY, job=lambda: True)
    LastRun.objects.update(begun=timezone.now() - timedelta(minutes=11))
    assert run_if_due("job", every=DAY, job=lambda: True)


def test_failed_retention_is_failing_until_it_succeeds(settings):
    settings.RETENTION = {"rounds": 3}
    assert retention().says.startswith("Never done.")
    with pytest.raises(OSError, match="No space"):
        run_if_due(RETENTION, every=DAY, job=full_disk)
    assert (retention().state, retention().says) == (
        "failing",
        "The last run failed: OSError: [Errno 28] No space left on device",
    )
    remove_what_is_over()  # not retried for ten minutes
    assert retention().state == "failing"
    LastRun.objects.update(begun=timezone.now() - timedelta(minutes=11))
    remove_what_is_over()
    assert retention().is_ok


def full_disk() -> None:
    raise OSError(errno.ENOSPC, "No space left on device")
