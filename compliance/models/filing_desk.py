"""The commission's own desk for filings: who has one in hand, and what is noted of it inside."""

from django.conf import settings
from django.db import models

from compliance.models.kinds import Current, Recorded


class Queue(models.TextChoices):
    """The units before whom filings wait."""

    LICENSING = "licensing", "Licensing"
    TRIBAL = "tribal", "Tribal gaming"
    FINANCIAL = "financial", "Financial investigations"


class FilingInHand(Current):
    """Who of a unit has a filing in hand; the law sets no day, `due` is the unit's own.

    `subject` is the UUID of a request, of a version of internal controls, or of an approval whose
    conditions are answered. What went on to another unit is in nobody's hands there.
    """

    subject = models.UUIDField(unique=True, editable=False)
    queue = models.CharField(max_length=12, choices=Queue)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="filings_in_hand"
    )
    since = models.DateTimeField()
    due = models.DateField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.subject} with {self.person}"


class FilingNote(Recorded):
    """What somebody of the commission notes of a filing for the commission alone."""

    subject = models.UUIDField(db_index=True)
    text = models.TextField()
    by = models.UUIDField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("at", "id")

    def __str__(self) -> str:
        return f"note on {self.subject}"
