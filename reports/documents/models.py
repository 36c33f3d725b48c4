"""Models of orders, reports, their readers, and signed files."""

from typing import ClassVar

from django.db import models
from django.utils.text import slugify

from compliance.access.managers import ScopedHistory
from compliance.access.models import Party, Visibility
from compliance.changes import CurrentManager
from compliance.history import Current, Recorded

LONGEST_TITLE = 80


class _Shown(ScopedHistory["Report"]):
    lookup = "shown_to__party"
    shared = True


class Report(Recorded):
    """A report: its archived body and inputs, and the software that made it.

    The body's SHA-256 is its identity. `engine`, `faces` and `software` are what is needed, besides
    the inputs, to make the same bytes again. A supplement is a report with the next `number`.
    """

    kind = models.CharField(max_length=40)
    about = models.CharField(
        max_length=200, help_text="Party, day and subject in one: what reports are numbered by."
    )
    party = models.ForeignKey(Party, on_delete=models.PROTECT, null=True, related_name="reports")
    day = models.DateField(null=True)
    subject = models.UUIDField(null=True, db_index=True)
    number = models.PositiveIntegerField()
    reference = models.CharField(max_length=120)
    title = models.TextField()
    body = models.CharField(max_length=64, db_index=True, help_text="SHA-256 of the body.")
    size = models.PositiveBigIntegerField(help_text="Bytes of the body.")
    pages = models.PositiveIntegerField()
    inputs = models.CharField(max_length=64, help_text="SHA-256 of the kept inputs.")
    engine = models.CharField(max_length=64, blank=True, help_text="Digest of the engine.")
    faces = models.CharField(max_length=64, help_text="Digest of the set of faces.")
    software = models.JSONField(help_text="Versions of what set it in type.")
    supplements = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, related_name="supplemented_by"
    )
    at = models.DateTimeField()

    objects = _Shown()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("-at", "-id")
        constraints = (
            models.UniqueConstraint(
                fields=("kind", "about", "number"), name="a_report_has_its_number_once"
            ),
        )
        indexes = (models.Index(fields=("party", "day"), name="reports_of_a_day"),)

    def __str__(self) -> str:
        return f"{self.title} ({self.reference})"

    @property
    def file_name(self) -> str:
        """Return a file name for people: the reference and the title."""
        return f"{self.reference}-{slugify(self.title)[:LONGEST_TITLE].strip('-')}.pdf"


class ReportVisibility(Visibility):
    """A party to which a report is shown."""

    report = models.ForeignKey(Report, on_delete=models.PROTECT, related_name="shown_to")

    objects = CurrentManager["ReportVisibility"]()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("report", "party"), name="a_report_is_shown_once"),
        )

    def __str__(self) -> str:
        return f"{self.report} to {self.party}"


class Envelope(Recorded):
    """A signed file: the body of a report, followed by the proof and the signature."""

    report = models.ForeignKey(Report, on_delete=models.PROTECT, related_name="envelopes")
    file = models.CharField(max_length=64, db_index=True, help_text="SHA-256 of the signed file.")
    size = models.PositiveBigIntegerField()
    key = models.CharField(max_length=200, help_text="The name in the certificate.")
    certificate = models.CharField(max_length=64, help_text="SHA-256 of the certificate.")
    timestamped = models.BooleanField(help_text="Whether an authority vouches for the time.")
    at = models.DateTimeField()

    class Meta:
        ordering = ("at", "id")

    def __str__(self) -> str:
        return f"signed file of {self.report}"


class ReportOrder(Current):
    """An order for a report: pending, made, or failed with a reason."""

    JOB: ClassVar[str] = "report"
    """The kind of job that makes it."""

    class State(models.TextChoices):
        """How far the order has come."""

        WAITING = "waiting", "Waiting"
        MADE = "made", "Made"
        FAILED = "failed", "Failed"

    uuid = models.UUIDField(unique=True, editable=False)
    kind = models.CharField(max_length=40)
    about = models.CharField(max_length=200)
    party = models.ForeignKey(Party, on_delete=models.PROTECT, null=True, related_name="+")
    day = models.DateField(null=True)
    subject = models.UUIDField(null=True, db_index=True)
    line = models.BigIntegerField(null=True, help_text="Of the subject, a round log: from 1.")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=12, choices=State, default=State.WAITING)
    reason = models.TextField(blank=True, help_text="Why it failed.")
    report = models.ForeignKey(Report, on_delete=models.PROTECT, null=True, related_name="+")
    ordered = models.DateTimeField()

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(
                fields=("kind", "about", "number"), name="a_report_is_ordered_once"
            ),
        )
        indexes = (
            models.Index(fields=("state",), name="orders_by_state"),
            models.Index(fields=("party", "day"), name="orders_of_a_day"),
        )

    def __str__(self) -> str:
        return f"order of {self.kind} {self.number} about {self.about}"
