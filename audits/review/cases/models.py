from uuid import uuid4

from django.conf import settings
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
    lead = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
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
        COMPLAINT = "complaint", "Player's complaint"
        DISCLOSURE = "disclosure", "Operator's own disclosure"
        RESPONSE = "response", "Operator's response"
        FACT = "fact", "Fact"
        PERSON = "person", "Person"
        VIOLATION = "violation", "Alleged violation"
        VIDEO = "video", "Video"

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="items")
    kind = models.CharField(max_length=10, choices=Kind)
    issue = models.ForeignKey(Issue, on_delete=models.PROTECT, null=True, related_name="+")
    round = models.CharField(max_length=64, blank=True)
    paper = models.ForeignKey(
        DocumentVersion, on_delete=models.PROTECT, null=True, related_name="+"
    )
    name = models.CharField(  # noqa: DJ001 - NULL is in no digest
        max_length=200,
        null=True,
        help_text="Of a person the name and part in the case, of an alleged violation the section, "
        "of a video the camera.",
    )
    begins = models.DateTimeField(null=True, help_text="Of a video, where to look.")
    ends = models.DateTimeField(null=True)
    is_alleged = models.BooleanField(
        null=True, help_text="Of a round: none with this number was on file when it was added."
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


class _TaskOfUnit(Scoped["CaseTask"]):
    lookup = "case__unit"


class CaseTask(Current):
    """Something to do in a case, by a person and a day."""

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="tasks")
    what = models.CharField(max_length=200)
    due = models.DateField()
    assigned_to = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    done = models.DateTimeField(null=True)
    done_by = models.UUIDField(null=True)

    objects = _TaskOfUnit()

    class Meta:
        ordering = ("due", "id")
        indexes = (models.Index(fields=("assigned_to", "due"), name="case_tasks_of_a_person"),)

    def __str__(self) -> str:
        return f"“{self.what}” in {self.case}"


class _ComplaintOfUnit(Scoped["Complaint"]):
    lookup = "case__unit"


class Complaint(Current):
    """A player's complaint: the words, the round (or none on file), and the answer."""

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    case = models.OneToOneField(Case, on_delete=models.PROTECT, related_name="complaint")
    patron = models.CharField(max_length=120, help_text="Who complained.")
    contact = models.CharField(max_length=200, blank=True)
    received = models.DateField()
    table = models.CharField(max_length=32, blank=True)
    played = models.DateTimeField(null=True, help_text="When it happened, as the player says.")
    round = models.CharField(max_length=64, blank=True, help_text="The round it is about.")
    is_none_on_file = models.BooleanField(
        default=False, help_text="A person searched and found no such round."
    )
    searched = models.TextField(blank=True, help_text="What was searched, and what it showed.")
    answer = models.TextField(blank=True)
    answered = models.DateTimeField(null=True)

    objects = _ComplaintOfUnit()

    def __str__(self) -> str:
        return f"complaint in {self.case}"


class _SealOfUnit(ScopedHistory["CaseSeal"]):
    lookup = "case__unit"


class CaseSeal(Recorded):
    """A file of a case's exhibits as they were then; the event log keeps its digest."""

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="seals")
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField()
    exhibits = models.PositiveIntegerField()
    by = models.UUIDField()
    at = models.DateTimeField()

    objects = _SealOfUnit()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"exhibits of {self.case}"
