from django.db import models

from compliance.models.event import Event
from compliance.models.kinds import History


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
    """What the log committed to: size and root, signed. `peaks` lets the tree grow from here."""

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
