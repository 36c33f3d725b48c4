from django.db import models
from django.utils.text import slugify

from compliance.models.kinds import Recorded
from compliance.models.party import Party
from compliance.models.visibility import Visibility
from compliance.models.walled import WalledHistory

LONGEST_TITLE = 80


class _Shown(WalledHistory["Report"]):
    lookup = "shown_to__party"
    shared = True


class Report(Recorded):
    """A report as it was made: its body and its inputs in the archive, and what made it.

    The body's SHA-256 is its identity. `engine`, `faces` and `software` are what it takes, beside
    the inputs, to make the same bytes again. A supplement is a report of the next `number`.
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
        """What its file is called among the files of a person: the reference, and what it says."""
        return f"{self.reference}-{slugify(self.title)[:LONGEST_TITLE].strip('-')}.pdf"


class ReportVisibility(Visibility):
    """To whom a report is shown."""

    report = models.ForeignKey(Report, on_delete=models.PROTECT, related_name="shown_to")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("report", "party"), name="a_report_is_shown_once"),
        )

    def __str__(self) -> str:
        return f"{self.report} to {self.party}"


class Envelope(Recorded):
    """A signed file: the body of a report, and behind it the proof and the signature."""

    report = models.ForeignKey(Report, on_delete=models.PROTECT, related_name="envelopes")
    file = models.CharField(max_length=64, db_index=True, help_text="SHA-256 of the signed file.")
    size = models.PositiveBigIntegerField()
    key = models.CharField(max_length=200, help_text="Whom the certificate names.")
    certificate = models.CharField(max_length=64, help_text="SHA-256 of the certificate.")
    timestamped = models.BooleanField(help_text="Whether an authority vouches for the time.")
    at = models.DateTimeField()

    class Meta:
        ordering = ("at", "id")

    def __str__(self) -> str:
        return f"signed file of {self.report}"
