from datetime import timedelta

from celery import shared_task

from compliance.api.kept_answers import forget_answers
from compliance.event_log.cosigning import ask_witnesses
from compliance.event_log.siem import ship
from compliance.event_log.writes import integrate
from compliance.filings.games.odds import ODDS_PROCESS, add_odds_jobs
from compliance.jobs.models import RETENTION
from compliance.jobs.schedule import run_if_due
from compliance.jobs.work import do_due_jobs
from compliance.notifications.mail import send_mails
from compliance.notifications.models import WebhookDelivery
from compliance.notifications.webhook_deliveries import forget_old
from compliance.notifications.writes import notify_of_deadlines
from compliance.people.sign_in_limits import forget_old_devices, forget_old_limits
from compliance.retention.writes import retain

SECONDS = 20
SECONDS_OF_WEBHOOKS = 10
"""Less than the others: resolving a name may take twenty seconds, and its machine ten to answer."""


@shared_task(name="compliance.integrate")
def integrate_events() -> int:
    """Add waiting events to the log."""
    return integrate()


@shared_task(name="compliance.send_notices")
def send_notices() -> int:
    """Send notification emails for as long as a task may take; return how many."""
    return send_mails(seconds=SECONDS)


@shared_task(name="compliance.notify_programs")
def notify_programs() -> int:
    """Send webhook deliveries for as long as a task may take; return how many."""
    sent = do_due_jobs({WebhookDelivery.JOB}, seconds=SECONDS_OF_WEBHOOKS)
    if not sent:
        forget_old()
    return sent


@shared_task(name="compliance.ship_events")
def ship_events() -> int:
    """Send new events to the SIEM, if one is configured."""
    return ship()


@shared_task(name="compliance.ask_witnesses")
def cosign() -> int:
    """Ask witnesses for cosignatures, if WITNESSES names any."""
    return ask_witnesses()


@shared_task(name="compliance.deadlines")
def deadlines() -> None:
    """Notify people each hour of upcoming due dates."""
    run_if_due("deadlines", every=timedelta(hours=1), job=_notify_deadlines)


@shared_task(name="compliance.count_odds")
def count_odds() -> None:
    """Start counting the odds of filed definitions, if any are not counted."""
    if add_odds_jobs():
        ODDS_PROCESS.start()


@shared_task(name="compliance.retain")
def remove_what_is_over() -> None:
    """Remove expired data daily: files, stored API responses, devices, sign-in limits."""
    run_if_due(RETENTION, every=timedelta(days=1), job=_remove_what_is_over)


def _notify_deadlines() -> None:
    notify_of_deadlines()


def _remove_what_is_over() -> bool:
    forget_answers()
    forget_old_devices()
    forget_old_limits()
    return retain().is_done
