import time
from datetime import date

from celery import shared_task

from compliance import clock
from compliance.gambling_day import DAY
from reports.services.deliveries import send_next
from reports.services.letters import order_letters
from reports.services.nights import order_nights, show_released_days
from reports.services.orders import MAKE_ORDERED, make_next
from reports.services.periods import order_periods

SECONDS = 20
LATELY = 35 * DAY
"""A month, and the days in which it is reported."""


@shared_task(name=MAKE_ORDERED)
def make_ordered() -> int:
    """Make ordered reports for as long as a task may take; answer how many."""
    begin, made = time.monotonic(), 0
    while time.monotonic() - begin < SECONDS and make_next() is not None:
        made += 1
    return made


@shared_task(name="reports.send")
def send() -> int:
    """Send what is due for as long as a task may take; answer how many."""
    begin, sent = time.monotonic(), 0
    while time.monotonic() - begin < SECONDS and send_next() is not None:
        sent += 1
    return sent


@shared_task(name="reports.letters")
def letters() -> None:
    """Order the letters of decisions that have none."""
    order_letters()


@shared_task(name="reports.nights")
def nights() -> None:
    """Order the reports of days that closed lately, of weeks and months; show what was released."""
    _nights(since=clock.today() - LATELY)


@shared_task(name="reports.all_nights")
def all_nights() -> None:
    """The same of all days there ever were: what came late for one of them, or was missed."""
    _nights(since=date.min)


def _nights(*, since: date) -> None:
    order_nights(since)
    order_periods(since)
    show_released_days(since)
