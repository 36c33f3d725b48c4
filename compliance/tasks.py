import time

from celery import shared_task

from compliance.services import webhook_deliveries
from compliance.services.api_keys import forget_answers
from compliance.services.deadlines import tell_of_deadlines
from compliance.services.integrate import integrate
from compliance.services.notice_mails import send_next
from compliance.services.retention import retain

SECONDS = 20
SECONDS_OF_WEBHOOKS = 10
"""Less: a name may take twenty seconds to be resolved, and its machine ten to answer."""


@shared_task(name="compliance.integrate")
def integrate_events() -> int:
    """Give waiting events their places in the log."""
    return integrate()


@shared_task(name="compliance.send_notices")
def send_notices() -> int:
    """Send mails about notices for as long as a task may take; answer how many."""
    begin, sent = time.monotonic(), 0
    while time.monotonic() - begin < SECONDS and send_next() is not None:
        sent += 1
    return sent


@shared_task(name="compliance.tell_programs")
def tell_programs() -> int:
    """Send what webhooks are told for as long as a task may take; answer how many."""
    begin, sent = time.monotonic(), 0
    while (
        time.monotonic() - begin < SECONDS_OF_WEBHOOKS
        and webhook_deliveries.send_next() is not None
    ):
        sent += 1
    if not sent:
        webhook_deliveries.forget_old()
    return sent


@shared_task(name="compliance.deadlines")
def deadlines() -> None:
    """Tell people of days that come near."""
    tell_of_deadlines()


@shared_task(name="compliance.retain")
def remove_what_is_over() -> int:
    """Remove bytes whose time to be kept is over, and answers that nobody may ask for again."""
    forget_answers()
    return len(retain().removed)
