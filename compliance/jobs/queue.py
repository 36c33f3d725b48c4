"""The job table: add a job, lease it, renew, finish, or postpone it.

The database is the only authority, and its clock the only clock: a message on the broker says that
there is work, a lease says who does it. One conditional UPDATE takes a lease, on SQLite as on
PostgreSQL. Nothing counts unless it is written under the token of the lease.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from threading import Event, Thread
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import structlog
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import Exists, F, OuterRef, Q, Subquery
from django.db.models.functions import Now

from compliance.jobs.models import Job

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from django.db.models import QuerySet


LEASE_SECONDS = 15.0
RENEW_AFTER_SECONDS = 4.0
CANDIDATES = 10
PENDING, RUNNING = Job.State.PENDING, Job.State.RUNNING

log = structlog.get_logger(__name__)


class LeaseLostError(Exception):
    """Another worker has taken the job, or it was canceled: nothing done here counts."""


@dataclass(frozen=True)
class Lease:
    """The right to do one job until the lease ends."""

    job: int
    token: UUID
    kind: str
    subject: int
    deaths: int
    """How many earlier workers died while doing the job."""
    faults: int
    waits: int
    failure: str
    """Why the last attempt did not finish."""
    resumed: bool
    """Whether the previous worker ended without returning the job."""


def add_jobs(
    kind: str,
    subjects: Iterable[int],
    *,
    group: int | None = None,
    exclusive: str = "",
    priority: int = 0,
    pause: timedelta = timedelta(),
) -> None:
    """Add a job for each row, due after a pause; a row that already has one keeps it."""
    # SQLite writes a sum with more digits, which compares as later than the same instant.
    due = Now() + pause if pause else Now()
    jobs = [
        Job(
            kind=kind,
            subject=subject,
            group=group,
            exclusive=exclusive,
            priority=priority,
            due=due,
        )
        for subject in subjects
    ]
    Job.objects.bulk_create(jobs, ignore_conflicts=True, batch_size=1000)


def cancel_jobs(kind: str, *, group: int) -> int:
    """Remove jobs, running or not; a worker that runs one finds out when it writes."""
    return Job.objects.filter(kind=kind, group=group).delete()[0]


def resume(kinds: Collection[str], *, subject: int | None = None) -> int:
    """Make waiting jobs due now, because what they waited for is back; return how many."""
    pending = Job.objects.filter(kind__in=kinds, state=PENDING)
    if subject is not None:
        pending = pending.filter(subject=subject)
    return pending.update(due=Now())


def postpone(kind: str, *, group: int, pause: timedelta) -> int:
    """Delay every pending job of a group by a pause; return how many were due earlier."""
    later = Now() + pause
    pending = Job.objects.filter(kind=kind, group=group, state=PENDING)
    return pending.filter(due__lt=later).update(due=later)


def due_jobs(kinds: Collection[str]) -> QuerySet[Job]:
    """Return the jobs that a worker could take now, in order."""
    open_now = Q(state=PENDING, due__lte=Now()) | Q(state=RUNNING, lease_until__lt=Now())
    running = Job.objects.filter(exclusive=OuterRef("exclusive"), state=RUNNING)
    excluding = running.filter(lease_until__gte=Now()).exclude(pk=OuterRef("pk"))
    return Job.objects.filter(open_now, Q(exclusive="") | ~Exists(excluding), kind__in=kinds)


def next_try(*kinds: str) -> Subquery:
    """Return when a row's job is due, as an annotation; null if there is no job."""
    return Subquery(Job.objects.filter(kind__in=kinds, subject=OuterRef("pk")).values("due")[:1])


def take_job(
    kinds: Collection[str], *, subject: int | None = None, group: int | None = None
) -> Lease | None:
    """Lease the next job; None if none is due.

    Jobs go by priority, then in the order in which they were added.
    """
    jobs = due_jobs(kinds)
    if subject is not None:
        jobs = jobs.filter(subject=subject)
    if group is not None:
        jobs = jobs.filter(group=group)
    while candidates := list(jobs[:CANDIDATES]):
        for job in candidates:
            if lease := _take(job):
                return lease
    return None


def _take(job: Job) -> Lease | None:
    token = uuid4()
    as_seen = Job.objects.filter(pk=job.pk, state=job.state, token=job.token)
    if job.state == RUNNING:
        as_seen = as_seen.filter(lease_until__lt=Now())
    try:
        with transaction.atomic():
            if job.exclusive:
                _release_expired(job)
            updated = as_seen.update(
                state=RUNNING, token=token, lease_until=_lease_end(), unreturned=F("unreturned") + 1
            )
    except IntegrityError:  # another job with the same exclusive value is running
        return None
    if not updated:
        return None
    return Lease(
        job=job.pk,
        token=token,
        kind=job.kind,
        subject=job.subject,
        deaths=job.unreturned,
        faults=job.faults,
        waits=job.waits,
        failure=job.failure,
        resumed=job.state == RUNNING,
    )


def _release_expired(job: Job) -> None:
    """End the expired lease of another job that excludes this one."""
    expired = Job.objects.filter(exclusive=job.exclusive, state=RUNNING, lease_until__lt=Now())
    expired.exclude(pk=job.pk).update(state=PENDING, token=None, lease_until=None)


def renew_lease(lease: Lease) -> bool:
    """Extend a lease from now; return whether it was still valid."""
    return _leased(lease).update(lease_until=_lease_end()) == 1


@contextmanager
def renewing(lease: Lease) -> Iterator[None]:
    """Renew a lease from a separate thread during a step that cannot be divided."""
    ended = Event()

    def renew_until_ended() -> None:
        try:
            while not ended.wait(RENEW_AFTER_SECONDS):
                try:
                    if not renew_lease(lease):
                        return
                except DatabaseError as error:
                    log.warning("a lease was not renewed", job=lease.job, error=str(error))
        finally:
            connection.close()

    thread = Thread(target=renew_until_ended, name=f"lease-{lease.job}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@contextmanager
def finishing(lease: Lease) -> Iterator[None]:
    """Finish a job: the block's writes and the job's end are committed together or not at all.

    Raises:
        LeaseLostError: another worker has taken the job; nothing was written.
    """
    with transaction.atomic():
        if _leased(lease).delete()[0] != 1:
            raise _lost(lease)
        yield


@contextmanager
def under(lease: Lease) -> Iterator[None]:
    """Write part of a job's results under its lease.

    Raises:
        LeaseLostError: another worker has taken the job; nothing was written.
    """
    with transaction.atomic():
        if not renew_lease(lease):
            raise _lost(lease)
        yield


def give_back(lease: Lease) -> None:
    """Return an unfinished job to the queue: time is up.

    Raises:
        LeaseLostError: another worker has taken the job.
    """
    _release(lease, due=Now())


def put_off(lease: Lease, failure: str, *, pause: timedelta, our_fault: bool = False) -> None:
    """Retry a job after a pause, and count the reason.

    Raises:
        LeaseLostError: another worker has taken the job.
    """
    counter = "faults" if our_fault else "waits"
    _release(lease, failure=failure, due=Now() + pause, **{counter: F(counter) + 1})


def mark_failed(lease: Lease, failure: str, *, faults: int, pause: timedelta) -> None:
    """Record on the job why it failed for good, because its subject could not be updated.

    Raises:
        LeaseLostError: another worker has taken the job.
    """
    _release(lease, failure=failure, due=Now() + pause, faults=faults)


def _release(lease: Lease, **changes: Any) -> None:
    released = {"state": PENDING, "token": None, "lease_until": None}
    changes |= released | {"unreturned": F("unreturned") - 1}
    if _leased(lease).update(**changes) != 1:
        raise _lost(lease)


def _leased(lease: Lease) -> QuerySet[Job]:
    return Job.objects.filter(pk=lease.job, token=lease.token, state=RUNNING)


def _lost(lease: Lease) -> LeaseLostError:
    return LeaseLostError(f"The lease on job {lease.job} ({lease.kind}) went to another worker.")


def _lease_end() -> Any:
    return Now() + timedelta(seconds=LEASE_SECONDS)
