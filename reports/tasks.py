from datetime import date, timedelta
from functools import partial

from celery import shared_task

from compliance import clock
from compliance.jobs.schedule import run_if_due
from compliance.law.gambling_day import DAY
from reports.schedules.deliveries import send_reports
from reports.schedules.nights import order_nights, show_released_days
from reports.schedules.orders import MAKE_ORDERED, make_reports, order_letters
from reports.schedules.periods import order_periods

SECONDS = 20
LATELY = 35 * DAY
"""A month, and the days in which it is reported."""


@shared_task(name=MAKE_ORDERED)
def make_ordered() -> int:
    """Make ordered reports for as long as a task may take; return how many."""
    return make_reports(seconds=SECONDS)


@shared_task(name="reports.send")
def send() -> int:
    """Send what is due for as long as a task may take; return how many."""
    return send_reports(seconds=SECONDS)


@shared_task(name="reports.letters")
def letters() -> None:
    """Order the letters of decisions that have none."""
    order_letters()


@shared_task(name="reports.nights")
def nights() -> None:
    """Order reports of recent days, weeks and months, and show what was released."""
    _nights(since=clock.today() - LATELY)


@shared_task(name="reports.all_nights")
def all_nights() -> None:
    """Do the same for all days once an hour, to catch late or missed ones."""
    run_if_due(
        "reports of all nights", every=timedelta(hours=1), job=partial(_nights, since=date.min)
    )


def _nights(*, since: date) -> None:
    order_nights(since)
    order_periods(since)
    show_released_days(since)
