from django.conf import settings
from django.db import models

from compliance.access.managers import Scoped, ScopedHistory
from compliance.access.models import Party
from compliance.filings.documents.models import Attachment
from compliance.history import Current, Recorded


class _OfOperator(Scoped["ControlsDraft"]):
    lookup = "operator"


class _VersionOfOperator(ScopedHistory["ControlsVersion"]):
    lookup = "operator__shown_to__party"
    shared = True


class _FilingOfOperator(Scoped["ControlsFiling"]):
    lookup = "version__operator__shown_to__party"
    shared = True


class ControlsDraft(Current):
    """An operator's working draft of internal controls: one at a time, never lost."""

    operator = models.OneToOneField(Party, on_delete=models.PROTECT, related_name="controls_draft")
    content = models.JSONField(default=dict)
    based_on = models.ForeignKey(
        "compliance.ControlsVersion", on_delete=models.PROTECT, null=True, related_name="+"
    )
    edition = models.PositiveIntegerField(
        default=0, help_text="Counts saves, so that a stale page overwrites nothing."
    )
    saved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    saved = models.DateTimeField(null=True)

    objects = _OfOperator()

    @property
    def hand(self) -> str:
        """Return who saved it last; "a program" if no person did."""
        return str(self.saved_by) if self.saved_by else "a program"

    def __str__(self) -> str:
        return f"draft of {self.operator}"


class ControlsVersion(Recorded):
    """Internal controls as submitted: structured content, immutable."""

    operator = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="controls_versions")
    number = models.PositiveIntegerField()
    content = models.JSONField()
    games_swap_only = models.BooleanField(
        default=False, help_text="Only games are swapped: may be approved verbally first."
    )
    submitted_by = models.UUIDField()
    at = models.DateTimeField()

    objects = _VersionOfOperator()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("operator_id", "number")
        constraints = (
            models.UniqueConstraint(
                fields=("operator", "number"), name="a_controls_version_is_filed_once"
            ),
        )

    def __str__(self) -> str:
        return f"internal controls of {self.operator}, version {self.number}"


class ControlsFiling(Current):
    """The state of a submitted version."""

    class State(models.TextChoices):
        """The steps of WAC 230-15-440 and the possible outcomes of a version."""

        SUBMITTED = "submitted", "Submitted"
        RETURNED = "returned", "Returned with comments"
        APPROVED_VERBALLY = "approved_verbally", "Approved verbally"
        APPROVED = "approved", "Approved in writing"
        DENIED = "denied", "Denied"
        WITHDRAWN = "withdrawn", "Withdrawn"

    version = models.OneToOneField(ControlsVersion, on_delete=models.PROTECT, related_name="filing")
    state = models.CharField(max_length=20, choices=State, default=State.SUBMITTED)
    due = models.DateField(null=True, blank=True)

    objects = _FilingOfOperator()

    def __str__(self) -> str:
        return f"{self.version}: {self.get_state_display()}"


class ControlsComment(Recorded):
    """A comment on a section of a submitted version."""

    version = models.ForeignKey(ControlsVersion, on_delete=models.PROTECT, related_name="comments")
    section = models.CharField(max_length=40)
    text = models.TextField()
    by = models.UUIDField()
    by_party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("at", "id")

    def __str__(self) -> str:
        return f"on {self.section} of {self.version}"


class ControlsVisit(Recorded):
    """An agent confirmed on a visit that the approved version is in place (WAC 230-15-440(2))."""

    version = models.ForeignKey(ControlsVersion, on_delete=models.PROTECT, related_name="visits")
    as_approved = models.BooleanField()
    note = models.TextField(blank=True)
    by = models.UUIDField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("at", "id")

    def __str__(self) -> str:
        return f"visit on {self.version}"


class ControlsAttachment(Attachment):
    """A document cited in a comment on internal controls."""

    comment = models.ForeignKey(
        ControlsComment, on_delete=models.PROTECT, related_name="attachments"
    )

    class Meta(Attachment.Meta):
        constraints = (
            models.UniqueConstraint(
                fields=("comment", "paper"), name="a_comment_on_controls_names_a_paper_once"
            ),
        )
