from celery import shared_task

from audits.services.abandoned import sweep_files
from audits.services.comparisons import comparisons_left
from audits.services.ledger import sweep
from audits.services.messages import announce_work
from audits.services.night import run_nights
from audits.services.readers import start_reader
from audits.services.share_work import work
from audits.services.waivers import end_waivers
from audits.services.work import escalate_late, lay_out

SECONDS_OF_WORK = 5
SWEEP_SECONDS = 10
SWEPT_FOR_SECONDS = 12 * SWEEP_SECONDS
"""How long the sweep's messages are good: see `sweep_ledger`."""


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
    """Say again what no message may have said: some are lost, some workers are killed.

    It asks the ledger, not the broker, and beat has it done every `SWEEP_SECONDS` for as long as
    anything is left: a message that expires unread, because no worker was up or all were busy, is
    followed by another, and who takes that one says himself that there is more. Nothing is left
    lying while beat and one worker live. A message is good for many turns, because it expires by
    the worker's clock and was dated by another machine's: a clock that is a minute ahead would let
    none through. It is good for no longer so that no worker, however long all were away, finds
    more of them than it takes in a few seconds.
    """
    if shares := sweep() + comparisons_left():
        announce_work(shares=shares, expires=SWEPT_FOR_SECONDS)


@shared_task(name="audits.night")
def night() -> None:
    """Do what is due at the operators whose gambling day has closed."""
    run_nights()


@shared_task(name="audits.desks")
def desks() -> None:
    """Lay out what is open, bring back what was waived, put what is late before the supervisors."""
    lay_out()
    end_waivers()
    escalate_late()
