"""Models of issues' decisions, proposals, notes and assignments."""

from uuid import uuid4

from django.conf import settings
from django.db import models

from audits.replay.findings.models import Issue
from compliance.access.managers import Scoped, ScopedHistory
from compliance.access.models import Party
from compliance.filings.documents.models import Attachment
from compliance.history import Current, Recorded


class _TakenForUnit(ScopedHistory["Decision"]):
    lookup = "unit"


class Decision(Recorded):
    """One step of an agent on an issue, with its reason; internal to the commission."""

    issue = models.ForeignKey(Issue, on_delete=models.PROTECT, related_name="decisions")
    unit = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="+")
    step = models.CharField(max_length=10)
    was = models.CharField(max_length=24, choices=Issue.State)
    state = models.CharField(max_length=24, choices=Issue.State)
    reason = models.TextField()
    notice = models.TextField(  # noqa: DJ001 - NULL is in no digest
        null=True, help_text="What the operator reads about it, once the issue is released."
    )
    until = models.DateField(null=True, help_text="Of a question its deadline, of a waiver its end")
    case = models.ForeignKey(
        "audits.Case", on_delete=models.PROTECT, null=True, related_name="decisions"
    )
    moved = models.BigIntegerField(help_text="Cents that had moved, both ways, when it was taken.")
    by = models.UUIDField()
    seconded_by = models.UUIDField(null=True, help_text="The second pair of eyes, where needed.")
    at = models.DateTimeField()

    objects = _TakenForUnit()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("at", "id")
        indexes = (models.Index(fields=("by", "at"), name="decisions_of_somebody"),)

    def __str__(self) -> str:
        return f"{self.get_state_display()}: {self.issue}"


class _ProposedForUnit(Scoped["Proposal"]):
    lookup = "unit"


class Proposal(Current):
    """A decision that waits for a second approval; an issue has at most one."""

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    issue = models.OneToOneField(Issue, on_delete=models.PROTECT, related_name="proposal")
    unit = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="+")
    step = models.CharField(max_length=10)
    reason = models.TextField()
    notice = models.TextField(  # noqa: DJ001 - NULL is in no digest
        null=True, help_text="What the operator reads about it, once the issue is released."
    )
    until = models.DateField(null=True)
    case = models.ForeignKey("audits.Case", on_delete=models.PROTECT, null=True, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    objects = _ProposedForUnit()

    def __str__(self) -> str:
        return f"proposed for {self.issue}"


class _NotedForUnit(ScopedHistory["ReviewNote"]):
    lookup = "unit"


class ReviewNote(Recorded):
    """A commission member's note on an issue; operators never see it."""

    issue = models.ForeignKey(Issue, on_delete=models.PROTECT, related_name="notes")
    unit = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="+")
    text = models.TextField()
    by = models.UUIDField()
    at = models.DateTimeField()

    objects = _NotedForUnit()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("at", "id")

    def __str__(self) -> str:
        return f"note on {self.issue}"


class _WorkOfUnit(Scoped["Work"]):
    lookup = "unit"


class Work(Current):
    """The assignment and due date of an issue: one row per issue.

    `edition` counts every change of the issue by a person, so that a stale page changes nothing.
    """

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    issue = models.OneToOneField(Issue, on_delete=models.PROTECT, related_name="work")
    unit = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="+")
    assigned_to = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="work"
    )
    assigned = models.DateTimeField(null=True)
    due = models.DateField()
    escalated = models.DateTimeField(null=True)
    edition = models.PositiveIntegerField(default=0)

    objects = _WorkOfUnit()

    class Meta:
        indexes = (
            models.Index(fields=("assigned_to", "due"), name="work_of_somebody"),
            models.Index(fields=("due", "issue"), name="work_by_due_day"),
        )

    def __str__(self) -> str:
        return f"work on {self.issue}"


class _CoverOfUnit(Scoped["Cover"]):
    lookup = "unit"


class Cover(Current):
    """Cover for an absent person's work, in whole days including the last one."""

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    unit = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="+")
    absent = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="covered_by"
    )
    covering = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="covers"
    )
    first = models.DateField()
    last = models.DateField()
    ended = models.DateTimeField(null=True)

    objects = _CoverOfUnit()

    class Meta:
        constraints = (
            models.CheckConstraint(
                name="a_cover_ends_after_it_begins",
                condition=models.Q(last__gte=models.F("first")),
            ),
        )

    def __str__(self) -> str:
        return f"{self.covering} for {self.absent}"


class AnswerPaper(Attachment):
    """A document that an operator submitted with its answer to the commission."""

    comment = models.ForeignKey(Decision, on_delete=models.PROTECT, related_name="papers")
