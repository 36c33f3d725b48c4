"""The pulse: beat sends a task, a worker writes down when it came."""

from datetime import datetime

from django.db.models.functions import Now

from compliance.project.models import Heartbeat


def record_heartbeat(*, part: str) -> None:
    """Write down, by the database's clock, that a part of the system works."""
    Heartbeat.objects.update_or_create(part=part, defaults={"at": Now()})


def last_heartbeat(part: str = "worker") -> datetime | None:
    """Return when a part was last heard of, if ever."""
    return Heartbeat.objects.filter(part=part).values_list("at", flat=True).first()
