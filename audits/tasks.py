from celery import shared_task

from audits.services.abandoned import sweep_files
from audits.services.ledger import sweep
from audits.services.messages import announce_work
from audits.services.night import run_nights
from audits.services.readers import start_reader
from audits.services.share_work import work
from audits.services.work import escalate_late, lay_out

SECONDS_OF_WORK = 5
SWEEP_SECONDS = 10


@shared_task(name="audits.take_in")
def take_in_logs() -> None:
    """Have the logs read that wait; sent when one was handed in, and by beat for what was lost."""
    start_reader()


@shared_task(name="audits.sweep_files")
def sweep_abandoned_files() -> None:
    """Remove what was left behind half done, and nothing that somebody names."""
    sweep_files()


@shared_task(name="audits.replay_segments")
def replay_segments() -> None:
    """Take from the ledger what fills some seconds, so that the message costs nothing beside it."""
    if work(seconds=SECONDS_OF_WORK):
        announce_work(shares=1)


@shared_task(name="audits.sweep")
def sweep_ledger() -> None:
    """Say again what no message may have said: some are lost, some workers are killed."""
    if shares := sweep():
        announce_work(shares=shares, expires=SWEEP_SECONDS)


@shared_task(name="audits.night")
def night() -> None:
    """Do what is due at the operators whose gambling day has closed."""
    run_nights()


@shared_task(name="audits.desks")
def desks() -> None:
    """Give what is open its place on a desk, and put what is late before the supervisors."""
    lay_out()
    escalate_late()
