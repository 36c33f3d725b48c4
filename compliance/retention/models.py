"""Removed files, and legal holds."""

from typing import ClassVar

from django.db import models

from compliance.history import History, Recorded


class LegalHold(Recorded):
    """An order to remove nothing belonging to an object, until the hold is lifted.

    `covers` is an identifier that files list; for a case it is its operator, which holds too much
    rather than too little.
    """

    kind = models.CharField(max_length=20)
    object = models.UUIDField(db_index=True)
    covers = models.UUIDField(db_index=True)
    name = models.TextField(help_text="The name of the object at that time.")
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
    """Files that were removed together, under one retention class."""

    under = models.CharField(max_length=20, help_text="Class of retention.")
    years = models.PositiveSmallIntegerField()
    rule = models.TextField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("-at", "-id")

    def __str__(self) -> str:
        return f"removal under {self.under} ({self.years} years)"


class Tombstone(History):
    """The record of a removed file: its digest, and what it was."""

    part_of: ClassVar[str] = "removal"

    removal = models.ForeignKey(Removal, on_delete=models.PROTECT, related_name="tombstones")
    digest = models.CharField(max_length=64, db_index=True)
    was = models.TextField()
    since = models.DateTimeField(help_text="From when on its years were counted.")

    class Meta:
        ordering = ("removal_id", "id")

    def __str__(self) -> str:
        return f"tombstone of {self.was}"
