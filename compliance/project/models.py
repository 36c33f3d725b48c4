"""Records of the parts of a running system."""

from typing import ClassVar

from django.db import models

from compliance.history import Current


class ArchiveSpace(Current):
    """The archive's free disk space at one time, for forecasts."""

    at = models.DateTimeField(db_index=True)
    free = models.BigIntegerField(help_text="In bytes.")

    class Meta:
        ordering = ("at",)

    def __str__(self) -> str:
        return f"{self.free:,} bytes free at {self.at:%Y-%m-%d %H:%M}"


class Heartbeat(Current):
    """When a task last arrived from beat, through the broker, at a worker."""

    part = models.CharField(max_length=20, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.part} at {self.at:%Y-%m-%d %H:%M:%S}"


class MachineClock(Current):
    """How far a machine's clock differed from the database's when one of its parts last checked."""

    part = models.CharField(max_length=300, primary_key=True, help_text="As `web on host-1`.")
    at = models.DateTimeField(help_text="By the database's clock.")
    seconds = models.FloatField(default=0, help_text="Above 0: ahead of the database.")

    def __str__(self) -> str:
        return f"{self.part}: {self.seconds:+.1f} s"


class RefusedCount(Current):
    """How many messages were set aside for one reason since the quarantine was last cleared."""

    reason = models.CharField(max_length=60, primary_key=True)
    count = models.BigIntegerField(default=0)
    last_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.count} of {self.reason}"


class RefusedMessage(Current):
    """One of the first messages that were set aside, truncated if long."""

    number = models.PositiveSmallIntegerField(primary_key=True)
    """Starts at one: two workers that write at once cannot exceed the maximum."""
    at = models.DateTimeField()
    reason = models.CharField(max_length=60)
    size = models.BigIntegerField()
    """In bytes, before truncation."""
    content = models.BinaryField()

    class Meta:
        ordering: ClassVar = ["number"]

    def __str__(self) -> str:
        return f"{self.number}: {self.reason}"


class RestartedPart(Current):
    """A part of the system that did not stay up, as last seen by its parent process."""

    machine = models.CharField(max_length=255)
    part = models.CharField(max_length=20)
    times = models.PositiveIntegerField()
    """In a row."""
    status = models.IntegerField()
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["machine", "part"], name="one_row_for_each_part")
        ]

    def __str__(self) -> str:
        return f"{self.part} on {self.machine}: {self.times} times"


__all__ = [
    "ArchiveSpace",
    "Heartbeat",
    "MachineClock",
    "RefusedCount",
    "RefusedMessage",
    "RestartedPart",
]
