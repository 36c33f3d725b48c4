from django.db import models

from compliance.history import Recorded
from compliance.law.values import Grade


class LawAddition(Recorded):
    """A value that the commission added to a rule of the law; it ends the previous one.

    `value` is a whole number, a text, or null if it is only known that there is a new one. An
    addition that was wrong is superseded by another, and counts no more from then on.
    """

    rule = models.CharField(max_length=40, db_index=True)
    from_date = models.DateField()
    value = models.JSONField(null=True)
    verified_through = models.DateField()
    citation = models.CharField(max_length=120)
    filing = models.CharField(max_length=60, blank=True)
    grade = models.CharField(max_length=10, choices=[(g.value, g.value) for g in Grade])
    source = models.TextField()
    at = models.DateTimeField()
    supersedes = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="superseded_by"
    )

    class Meta:
        ordering = ("at", "id")

    def __str__(self) -> str:
        return f"{self.rule} from {self.from_date}"


class LawVerification(Recorded):
    """A check that a rule's newest value was still in effect on a day."""

    rule = models.CharField(max_length=40, db_index=True)
    through = models.DateField()
    source = models.TextField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("at", "id")

    def __str__(self) -> str:
        return f"{self.rule} through {self.through}"
