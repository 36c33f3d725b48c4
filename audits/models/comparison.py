from uuid import uuid4

from django.db import models

from audits.models.replay import Replay
from compliance.models.kinds import Current
from compliance.models.walled import Walled


class _OfLater(Walled["ReplayComparison"]):
    lookup = "later__made_for"


class ReplayComparison(Current):
    """Two replays that are done, one beside the other: how far it is, and what is different.

    What it comes to is final, for both are: it is made once and kept.
    """

    class State(models.TextChoices):
        """How far it came."""

        WAITING = "waiting", "Waiting"
        RUNNING = "running", "Being compared"
        DONE = "done", "Done"
        FAILED = "failed", "Failed"

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    former = models.ForeignKey(Replay, on_delete=models.PROTECT, related_name="+")
    later = models.ForeignKey(Replay, on_delete=models.PROTECT, related_name="+")
    days = models.JSONField(help_text="Gambling days of either, in order.")
    compared = models.PositiveIntegerField(default=0, help_text="How many of the days are.")
    result = models.JSONField(default=dict, help_text="What the days that are compared came to.")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    failure = models.TextField(blank=True)
    token = models.UUIDField(null=True, help_text="Who compares.")
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(
        default=0, help_text="Leases that were taken and not given back."
    )
    at = models.DateTimeField()
    ended = models.DateTimeField(null=True)

    objects = _OfLater()

    class Meta:
        ordering = ("at", "id")
        constraints = (
            models.UniqueConstraint(fields=("former", "later"), name="two_replays_compared_once"),
        )
        indexes = (models.Index(fields=("state", "at"), name="comparisons_under_way"),)

    def __str__(self) -> str:
        return f"{self.later} against {self.former}"
