from datetime import timedelta

from celery import shared_task
from django.conf import settings

from compliance.jobs.schedule import run_if_due
from compliance.notifications.writes import send_alarm
from compliance.project.operations.health import note_space
from compliance.project.operations.heartbeat import record_heartbeat

HOURLY, DAILY = timedelta(hours=1), timedelta(days=1)


@shared_task(name="project.heartbeat")
def heartbeat() -> None:
    """Show that messages reach this worker."""
    record_heartbeat(part="worker")


@shared_task(name="project.archive_space")
def archive_space() -> None:
    """Record the archive's free space each hour."""
    run_if_due("archive space", every=HOURLY, job=note_space)


@shared_task(name="project.alarm")
def alarm() -> None:
    """Notify the administrators of a production system daily of conditions that need them."""
    if settings.PRODUCTION:
        run_if_due("alarm", every=DAILY, job=_send_alarm)


def _send_alarm() -> None:
    send_alarm()
