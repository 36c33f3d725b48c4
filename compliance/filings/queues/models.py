"""The commission's own queue for filings: assignments and internal notes."""

from django.conf import settings
from django.db import models

from compliance.changes import CurrentManager
from compliance.history import Current, Recorded


class Queue(models.TextChoices):
    """The units with a queue of filings."""

    LICENSING = "licensing", "Licensing"
    TRIBAL = "tribal", "Tribal gaming"
    FINANCIAL = "financial", "Financial investigations"


class FilingInHand(Current):
    """The assignment of a filing within a unit; the law sets no day, `due` is the unit's own.

    `subject` is the UUID of a request, a version of internal controls, or an approval with answered
    conditions. Once a filing moves on to another unit, it is unassigned there.
    """

    subject = models.UUIDField(unique=True, editable=False)
    queue = models.CharField(max_length=12, choices=Queue)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="filings_in_hand"
    )
    since = models.DateTimeField()
    due = models.DateField(null=True, blank=True)

    objects = CurrentManager["FilingInHand"]()

    def __str__(self) -> str:
        return f"{self.subject} with {self.person}"


class FilingNote(Recorded):
    """An internal note on a filing, for the commission alone."""

    subject = models.UUIDField(db_index=True)
    text = models.TextField()
    by = models.UUIDField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("at", "id")

    def __str__(self) -> str:
        return f"note on {self.subject}"
