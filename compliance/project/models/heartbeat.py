from django.db import models

from compliance.models.kinds import Current


class Heartbeat(Current):
    """When a task last came all the way from beat, through the broker, to a worker."""

    part = models.CharField(max_length=20, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.part} at {self.at:%Y-%m-%d %H:%M:%S}"
