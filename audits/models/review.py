from uuid import uuid4

from django.conf import settings
from django.db import models

from audits.models.pattern import Pattern
from compliance.models.kinds import Current, Recorded
from compliance.models.party import Party
from compliance.models.walled import Walled, WalledHistory


class _TakenForUnit(WalledHistory["Decision"]):
    lookup = "unit"


class Decision(Recorded):
    """One step of an agent on a pattern, with its reason; internal to the commission."""

    pattern = models.ForeignKey(Pattern, on_delete=models.PROTECT, related_name="decisions")
    unit = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="+")
    step = models.CharField(max_length=10)
    was = models.CharField(max_length=24, choices=Pattern.State)
    state = models.CharField(max_length=24, choices=Pattern.State)
    reason = models.TextField()
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
        return f"{self.get_state_display()}: {self.pattern}"


class _ProposedForUnit(Walled["Proposal"]):
    lookup = "unit"


class Proposal(Current):
    """A decision that waits for a second pair of eyes; one at a time."""

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    pattern = models.OneToOneField(Pattern, on_delete=models.PROTECT, related_name="proposal")
    unit = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="+")
    step = models.CharField(max_length=10)
    reason = models.TextField()
    until = models.DateField(null=True)
    case = models.ForeignKey("audits.Case", on_delete=models.PROTECT, null=True, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    objects = _ProposedForUnit()

    def __str__(self) -> str:
        return f"proposed for {self.pattern}"


class _NotedForUnit(WalledHistory["ReviewNote"]):
    lookup = "unit"


class ReviewNote(Recorded):
    """What somebody of the commission noted on a pattern; no operator reads it."""

    pattern = models.ForeignKey(Pattern, on_delete=models.PROTECT, related_name="notes")
    unit = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="+")
    text = models.TextField()
    by = models.UUIDField()
    at = models.DateTimeField()

    objects = _NotedForUnit()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("at", "id")

    def __str__(self) -> str:
        return f"note on {self.pattern}"


class _WorkOfUnit(Walled["Work"]):
    lookup = "unit"


class Work(Current):
    """Who has a pattern on the desk, and by when: one row a pattern.

    `edition` counts every change of the pattern by a person, so that a stale page changes nothing.
    """

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    pattern = models.OneToOneField(Pattern, on_delete=models.PROTECT, related_name="work")
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
            models.Index(fields=("due", "pattern"), name="work_by_due_day"),
        )

    def __str__(self) -> str:
        return f"work on {self.pattern}"


class _CoverOfUnit(Walled["Cover"]):
    lookup = "unit"


class Cover(Current):
    """Who does somebody's work while they are absent: whole days, the last one included."""

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


class SavedFilter(Current):
    """A filter of a list as it stands in the address, under a name; for oneself or one's unit."""

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="saved_filters"
    )
    unit = models.ForeignKey(
        Party, on_delete=models.PROTECT, null=True, related_name="+", help_text="Shared with it."
    )
    name = models.CharField(max_length=60)
    list = models.CharField(max_length=40, help_text="The list that it is of, as a URL name.")
    query = models.CharField(max_length=1000)

    class Meta:
        ordering = ("name",)
        constraints = (
            models.UniqueConstraint(
                fields=("person", "list", "name"), name="a_filter_has_its_name_once"
            ),
        )

    def __str__(self) -> str:
        return self.name
