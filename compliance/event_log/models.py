"""Leaves, subtrees and checkpoints of the log, and how much of it has been sent to a SIEM."""

from urllib.parse import urlsplit

from django.db import models

from compliance.events.models import Event
from compliance.history import Current, History


class Leaf(History):
    """The place of an event in the log, from 0, and the RFC 6962 hash of its canonical JSON."""

    index = models.BigIntegerField(primary_key=True)
    event = models.OneToOneField(Event, on_delete=models.PROTECT, related_name="placed")
    hash = models.BinaryField(max_length=32)

    class Meta:
        verbose_name_plural = "leaves"

    def __str__(self) -> str:
        return f"leaf {self.index}"


class Subtree(History):
    """The root of a complete subtree of 256, 65,536, … leaves, so that proofs read a few rows."""

    level = models.SmallIntegerField()
    position = models.BigIntegerField()
    hash = models.BinaryField(max_length=32)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("level", "position"), name="one_subtree_at_each_place"),
        )

    def __str__(self) -> str:
        return f"subtree {self.level}/{self.position}"


class Checkpoint(History):
    """A signed commitment to the log's size and root. `peaks` lets the tree grow from here."""

    number = models.BigIntegerField(primary_key=True)
    size = models.BigIntegerField(unique=True)
    root = models.BinaryField(max_length=32)
    peaks = models.BinaryField()
    note = models.TextField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("number",)

    def __str__(self) -> str:
        return f"checkpoint {self.number} of {self.size} events"


class Cosignature(Current):
    """A witness's confirmation that a checkpoint continues all it saw before."""

    checkpoint = models.ForeignKey(
        Checkpoint, on_delete=models.PROTECT, related_name="cosignatures"
    )
    witness = models.CharField(max_length=200, help_text="Its name in the policy.")
    line = models.TextField()
    at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("checkpoint", "witness"), name="one_cosignature_each"),
        )

    def __str__(self) -> str:
        return f"{self.witness} on {self.checkpoint}"


class WitnessState(Current):
    """How a witness answers, and a checkpoint it holds that the log does not continue."""

    JOB = "witness"

    witness = models.CharField(max_length=200, unique=True, help_text="Its name in the policy.")
    failing_since = models.DateTimeField(null=True)
    reason = models.TextField(blank=True)
    contradicted = models.TextField(blank=True)

    def __str__(self) -> str:
        return self.witness


PORT = 6514
"""Registered for syslog over TLS (RFC 5425, 4.1)."""


class SiemCursor(Current):
    """How far the event log has been sent to a receiver, and why the rest is waiting."""

    JOB = "siem"

    receiver = models.CharField(max_length=300, unique=True, help_text="Host and port.")
    shipped = models.BigIntegerField(default=0, help_text="Leaves that the receiver confirmed.")
    failing_since = models.DateTimeField(null=True)
    reason = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"{self.receiver}: {self.shipped} events"

    @staticmethod
    def named_by(url: str) -> str:
        """Return the receiver in `SIEM_URL` as HOST:PORT."""
        parts = urlsplit(url)
        return f"{parts.hostname}:{parts.port or PORT}"
