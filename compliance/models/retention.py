"""What was removed when its time was over, and what must not be."""

from typing import ClassVar

from django.db import models

from compliance.models.kinds import History, Recorded


class LegalHold(Recorded):
    """An order that nothing of something is removed, from now until it is lifted.

    `covers` is what files say they are of; for a case it is its operator, so that too much is held
    rather than too little.
    """

    kind = models.CharField(max_length=20)
    object = models.UUIDField(db_index=True)
    covers = models.UUIDField(db_index=True)
    name = models.TextField(help_text="What is held, as it was called then.")
    reason = models.TextField()
    by = models.UUIDField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("-at", "-id")

    def __str__(self) -> str:
        return f"legal hold on {self.name}"


class HoldLifted(Recorded):
    """The end of a legal hold."""

    hold = models.OneToOneField(LegalHold, on_delete=models.PROTECT, related_name="lifted")
    reason = models.TextField()
    by = models.UUIDField()
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "holds lifted"

    def __str__(self) -> str:
        return f"end of the {self.hold}"


class Removal(Recorded):
    """Bytes that were removed together, under one class of retention."""

    under = models.CharField(max_length=20, help_text="Class of retention.")
    years = models.PositiveSmallIntegerField()
    rule = models.TextField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("-at", "-id")

    def __str__(self) -> str:
        return f"removal under {self.under} ({self.years} years)"


class Tombstone(History):
    """What stays of removed bytes: their digest, and what they were."""

    part_of: ClassVar[str] = "removal"

    removal = models.ForeignKey(Removal, on_delete=models.PROTECT, related_name="tombstones")
    digest = models.CharField(max_length=64, db_index=True)
    was = models.TextField()
    since = models.DateTimeField(help_text="From when on its years were counted.")

    class Meta:
        ordering = ("removal_id", "id")

    def __str__(self) -> str:
        return f"tombstone of {self.was}"
