from datetime import timedelta

from celery import shared_task
from django.conf import settings

from audits.intake.cleanup import sweep_files
from audits.intake.readers import start_reader
from audits.replay.engine import record_first_engine
from audits.replay.jobs import ALL_KINDS, announce_work
from audits.review.issues.assignments import escalate_late
from audits.review.issues.decisions import end_waivers
from audits.review.nightly_run.writes import run_nights
from compliance.jobs.queue import due_jobs
from compliance.jobs.schedule import run_if_due
from compliance.jobs.work import do_due_jobs
from compliance.verification.nightly import start_verification

SECONDS_OF_WORK = 5
SWEEP_SECONDS = 10
SWEPT_FOR_SECONDS = 12 * SWEEP_SECONDS
"""Expiry time of the sweep's messages; see `sweep_ledger`."""


@shared_task(name="audits.take_in")
def take_in_logs() -> None:
    """Start ingesting pending logs; sent on submission, and by beat in case a message was lost."""
    start_reader()


@shared_task(name="audits.sweep_files")
def sweep_abandoned_files() -> None:
    """Remove abandoned and unfinished files that no row names."""
    run_if_due("sweep of files", every=timedelta(hours=6), job=sweep_files)


@shared_task(name="audits.replay_segments")
def replay_segments() -> None:
    """Work on jobs for several seconds, so that the message is cheap in comparison."""
    if do_due_jobs(ALL_KINDS, seconds=SECONDS_OF_WORK) and due_jobs(ALL_KINDS).exists():
        announce_work(units=1)


@shared_task(name="audits.sweep")
def sweep_ledger() -> None:
    """Repeat messages that may be missing, because some are lost and some workers are killed.

    This checks the job table, not the broker, and beat runs it every `SWEEP_SECONDS` as long as
    anything is left. A message that expires unread, because no worker was up or all were busy, is
    followed by another, and the worker that takes that one announces any further work itself. So no
    job is left behind as long as beat and one worker are running. A message remains valid for many
    turns because it expires by the worker's clock but was dated by another machine's: otherwise a
    clock one minute ahead would let none through. It is valid for no longer than that, so that even
    after a long absence of all workers, one worker can process the backlog of messages in a few
    seconds.
    """
    if jobs := due_jobs(ALL_KINDS).count():
        announce_work(units=jobs, expires=SWEPT_FOR_SECONDS)


@shared_task(name="audits.night")
def night() -> None:
    """Do the nightly work for operators whose gambling day has closed."""
    run_nights()


@shared_task(name="audits.queues")
def queues() -> None:
    """End waivers, and escalate what is overdue."""
    run_if_due("queues", every=timedelta(minutes=10), job=_queues)


def _queues() -> None:
    end_waivers()
    escalate_late()


@shared_task(name="audits.verify")
def verify_nightly() -> None:
    """Verify everything each night in a production system, in a process of its own."""
    if settings.PRODUCTION:
        run_if_due("nightly verification", every=timedelta(days=1), job=_verify)


def _verify() -> None:
    record_first_engine()
    start_verification()
