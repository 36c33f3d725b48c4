"""Run jobs: each kind defines its work, and one policy handles failures.

Bad input is rejected permanently. A transient condition (a full disk, an unavailable database or
archive) leads to retries after increasing pauses, and never counts against the job. Our own faults
are retried a few times and then given up with a reason, which raises an alarm.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from time import monotonic
from traceback import format_exc
from typing import TYPE_CHECKING

import structlog
from django.db import DatabaseError
from django.utils.module_loading import import_string

from compliance.jobs import queue
from compliance.jobs.failures import Failure, classify_failure, is_transient, summarize_error
from compliance.jobs.queue import Lease, LeaseLostError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence


PAUSES = tuple(timedelta(seconds=seconds) for seconds in (5, 15, 60, 300, 600))
"""Pauses before the second, third, … attempt; the last one repeats."""
MAX_FAULTS = 3
MAX_DEATHS = 10
"""After this many worker deaths during a job, the job is the cause."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One kind of work: the function that does it, and how failures end."""

    run: Callable[[Lease], None]
    """Does the work, then finishes the job or returns it."""
    give_up: Callable[[int, str], None] | None = None
    """Records on the subject that it failed and why; called as the job finishes. A kind without it
    is retried without limit.
    """
    refuse: Callable[[int, Exception], None] | None = None
    """Records on the subject that its input is bad; called as the job finishes."""
    bad_input: tuple[type[Exception], ...] = ()
    unavailable: tuple[type[Exception], ...] = ()
    """Exceptions that mean only this job's receiver is unavailable; other jobs continue."""
    pauses: Sequence[timedelta] = PAUSES
    """For our own faults, and for this job's receiver; a full disk always uses `PAUSES`."""
    max_faults: int = MAX_FAULTS
    max_waits: int | None = None
    """How many transient failures a job may have; None means no limit."""
    repeatable: bool = True
    """Whether to retry after a worker died; an email may already have been sent."""
    interrupted: str = "The worker that was doing it ended unexpectedly."
    """The reason given for a job that cannot be repeated after its worker died."""


class StoppedError(Exception):
    """Work cannot be done now (disk full, no database); the job was postponed."""


_kinds: dict[str, Callable[[], Kind]] = {}


def register(kind: str, path: str) -> None:
    """Register a kind of work by module and constant; an app does this in its `hooks`.

    It is imported at first use: the module that settles rounds imports a compiler.
    """
    _kinds[kind] = partial(import_string, path)


def do_jobs(
    kinds: Collection[str],
    *,
    seconds: float = float("inf"),
    group: int | None = None,
) -> int:
    """Run due jobs until time is up or none is left; return how many.

    Raises:
        StoppedError: a job could not be done for a reason that would stop the next one too.
    """
    until, done = monotonic() + seconds, 0
    while monotonic() < until:
        lease = queue.take_job(kinds, group=group)
        if lease is None:
            break
        do_job(lease)
        done += 1
    return done


def do_due_jobs(kinds: Collection[str], *, seconds: float) -> int:
    """Run due jobs for up to `seconds`; return how many were done.

    If no work can be done now, the job records why, and the next task tries again.
    """
    try:
        return do_jobs(kinds, seconds=seconds)
    except StoppedError as stopped:
        log.warning("work is put off", kinds=sorted(kinds), reason=str(stopped))
        return 0


def do_job(lease: Lease) -> None:
    """Run one job under its lease.

    Raises:
        StoppedError: the job was postponed for a transient reason.
    """
    kind = _kinds[lease.kind]()
    if reason := _given_up_for(lease, kind):
        _give_up(lease, kind, reason)
        return
    try:
        with queue.renewing(lease):
            kind.run(lease)
    except LeaseLostError:
        log.warning("lease lost: the work was discarded", kind=lease.kind, job=lease.job)
    except Exception as error:  # noqa: BLE001  (the policy covers every failure)
        _fail(lease, kind, error)


def pause_after(failures: int, pauses: Sequence[timedelta]) -> timedelta:
    """Return the pause after so many failures; the last one repeats."""
    return pauses[min(failures, len(pauses)) - 1]


def _given_up_for(lease: Lease, kind: Kind) -> str:
    """Return why a job is given up without an attempt; empty if it is not."""
    if kind.give_up is None:
        return ""
    if lease.faults >= kind.max_faults:  # failed for good; recording that on the subject failed
        return lease.failure
    if lease.resumed and not kind.repeatable:
        return kind.interrupted
    if lease.deaths >= MAX_DEATHS:
        return f"{lease.deaths} workers ended while doing it."
    return ""


def _fail(lease: Lease, kind: Kind, error: Exception) -> None:
    unavailable = isinstance(error, kind.unavailable) and not is_transient(error)
    failure = Failure.TRANSIENT if unavailable else classify_failure(error, kind.bad_input)
    if failure is Failure.BAD_INPUT and kind.refuse is not None:
        _refuse(lease, kind, error)
        return
    reason = summarize_error(error)
    if failure is Failure.TRANSIENT:
        pauses = kind.pauses if unavailable else PAUSES
        is_last = kind.max_waits is not None and lease.waits + 1 >= kind.max_waits
    else:
        # The trace as text: with its variables the log would contain players' names.
        log.error("work failed", kind=lease.kind, job=lease.job, trace=format_exc())
        pauses, is_last = kind.pauses, lease.faults + 1 >= kind.max_faults
    if is_last and kind.give_up is not None:
        _give_up(lease, kind, reason)
    else:
        with _returning(lease):
            pause = pause_after(lease.faults + lease.waits + 1, pauses)
            our_fault = failure is not Failure.TRANSIENT
            queue.put_off(lease, reason, pause=pause, our_fault=our_fault)
    if failure is Failure.TRANSIENT and not unavailable:
        raise StoppedError(reason) from error


def _refuse(lease: Lease, kind: Kind, error: Exception) -> None:
    """Record that the input is bad; a failure to do so is a failure of the job."""
    assert kind.refuse is not None  # noqa: S101  (the caller checked)
    try:
        with queue.finishing(lease):
            kind.refuse(lease.subject, error)
    except LeaseLostError:
        log.warning("work failed after its lease was lost", kind=lease.kind, job=lease.job)
    except Exception as second:  # noqa: BLE001  (the policy covers every failure)
        _fail(lease, replace(kind, refuse=None), second)


def _give_up(lease: Lease, kind: Kind, reason: str) -> None:
    """Record that a job failed for good; if that fails, retry only the recording."""
    assert kind.give_up is not None  # noqa: S101  (the callers checked)
    with _returning(lease):
        try:
            with queue.finishing(lease):
                kind.give_up(lease.subject, reason)
        except LeaseLostError:
            raise
        except Exception:  # noqa: BLE001  (whatever it is, the job must not keep its lease)
            # The trace as text: with its variables the log would contain players' names.
            log.error(
                "a failure was not recorded", kind=lease.kind, job=lease.job, trace=format_exc()
            )
            queue.mark_failed(lease, reason, faults=kind.max_faults, pause=PAUSES[-1])


@contextmanager
def _returning(lease: Lease) -> Iterator[None]:
    """Return a lease; if the database is unavailable, it expires by itself."""
    try:
        yield
    except LeaseLostError:
        log.warning("work failed after its lease was lost", kind=lease.kind, job=lease.job)
    except DatabaseError as away:
        log.warning("a job is left until its lease ends", job=lease.job, error=str(away))
