from uuid import uuid4

from django.db import models

from audits.replay.findings.models import Issue
from compliance.access.managers import Scoped, ScopedHistory
from compliance.access.models import Party
from compliance.filings.documents.models import DocumentVersion
from compliance.history import Current, Recorded


class _OfUnit(Scoped["Case"]):
    lookup = "unit"


class Case(Current):
    """An agent's collection of evidence on an apparent violation, under a case report number.

    The level is an agent's recommendation (WAC 230-17-137); the software makes none.
    """

    class State(models.TextChoices):
        """Whether the case is still being written."""

        OPEN = "open", "Open"
        CLOSED = "closed", "Closed"

    class Level(models.TextChoices):
        """Levels that may be recommended, in the words of WAC 230-17-137."""

        NONE = "none", "No action"
        VERBAL_WARNING = "verbal_warning", "Verbal warning"
        WRITTEN_WARNING = "written_warning", "Written warning"
        INFRACTION = "infraction", "Notice of infraction"
        SETTLEMENT = "settlement", "Notice of violation and settlement"
        CHARGES = "charges", "Administrative charges"

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    unit = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="+")
    party = models.ForeignKey(
        Party, on_delete=models.PROTECT, related_name="cases", help_text="The operator."
    )
    year = models.PositiveSmallIntegerField()
    serial = models.PositiveIntegerField()
    title = models.CharField(max_length=120)
    reason = models.TextField(blank=True, default="", help_text="Why it was opened.")
    facts = models.TextField(blank=True)
    level = models.CharField(max_length=20, choices=Level, blank=True)
    level_reason = models.TextField(blank=True)
    level_by = models.UUIDField(null=True, help_text="Who recommended it.")
    level_at = models.DateTimeField(null=True)
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    edition = models.PositiveIntegerField(default=0)
    opened = models.DateTimeField()
    closed = models.DateTimeField(null=True)

    objects = _OfUnit()

    class Meta:
        ordering = ("-year", "-serial")
        constraints = (
            models.UniqueConstraint(fields=("year", "serial"), name="a_case_number_is_given_once"),
        )

    @property
    def number(self) -> str:
        """Return the number as the commission writes it."""
        return f"CR {self.year}-{self.serial:05d}"

    @property
    def recommended(self) -> str:
        """Return the recommended level; without one it is an apparent violation."""
        return self.get_level_display() if self.level else "Apparent violation"

    def __str__(self) -> str:
        return self.number


class _OfCaseOfUnit(ScopedHistory["CaseItem"]):
    lookup = "case__unit"


class CaseItem(Recorded):
    """An item in a case: an issue, a round, a document, a complaint or a disclosure."""

    class Kind(models.TextChoices):
        """The kind of item."""

        ISSUE = "issue", "Issue"
        ROUND = "round", "Round"
        PAPER = "paper", "Document"
        COMPLAINT = "complaint", "Patron's complaint"
        DISCLOSURE = "disclosure", "Operator's own disclosure"
        RESPONSE = "response", "Operator's response"
        FACT = "fact", "Fact"

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="items")
    kind = models.CharField(max_length=10, choices=Kind)
    issue = models.ForeignKey(Issue, on_delete=models.PROTECT, null=True, related_name="+")
    round = models.CharField(max_length=64, blank=True)
    paper = models.ForeignKey(
        DocumentVersion, on_delete=models.PROTECT, null=True, related_name="+"
    )
    text = models.TextField(blank=True)
    by = models.UUIDField()
    at = models.DateTimeField()

    objects = _OfCaseOfUnit()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("at", "id")

    def __str__(self) -> str:
        return f"{self.get_kind_display()} in {self.case}"


class _RemovedOfUnit(ScopedHistory["CaseRemoval"]):
    lookup = "item__case__unit"


class CaseRemoval(Recorded):
    """The removal of an item from a case, with the reason; the item itself stays on file."""

    item = models.OneToOneField(CaseItem, on_delete=models.PROTECT, related_name="removal")
    reason = models.TextField()
    by = models.UUIDField()
    at = models.DateTimeField()

    objects = _RemovedOfUnit()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("at", "id")

    def __str__(self) -> str:
        return f"{self.item}, taken out"


class _NotedForUnit(ScopedHistory["CaseNote"]):
    lookup = "case__unit"


class CaseNote(Recorded):
    """A commission member's note on a case: not evidence, and not in any report."""

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="notes")
    text = models.TextField()
    by = models.UUIDField()
    at = models.DateTimeField()

    objects = _NotedForUnit()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("at", "id")

    def __str__(self) -> str:
        return f"note on {self.case}"
