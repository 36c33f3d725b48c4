from typing import ClassVar
from uuid import uuid4

from django.conf import settings
from django.db import models

from audits.replay.findings.models import Issue
from compliance.access.managers import Scoped, ScopedHistory
from compliance.access.models import Party
from compliance.filings.controls.models import ControlsVersion
from compliance.filings.documents.models import DocumentVersion
from compliance.history import Current, History, Recorded


class _OfUnit(ScopedHistory["Visit"]):
    lookup = "unit"


class Visit(Recorded):
    """An agent's visit to an operator; its checklist is what was in effect when it began.

    A visit never changes: each look is added as a row, and so is its end.
    """

    unit = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="+")
    party = models.ForeignKey(
        Party, on_delete=models.PROTECT, related_name="visits", help_text="The operator."
    )
    controls = models.ForeignKey(
        ControlsVersion, on_delete=models.PROTECT, null=True, related_name="+"
    )
    day = models.DateField(help_text="The gambling day in which it began.")
    by = models.UUIDField()
    at = models.DateTimeField()

    objects = _OfUnit()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"visit to {self.party} on {self.day}"


class _PlanOfUnit(Scoped["VisitPlan"]):
    lookup = "unit"


class VisitPlan(Current):
    """A visit that is planned; the visit that begins at the operator carries it out."""

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    unit = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="+")
    party = models.ForeignKey(
        Party, on_delete=models.PROTECT, related_name="+", help_text="The operator."
    )
    day = models.DateField(help_text="The day on which the visit is planned.")
    purpose = models.TextField(blank=True)
    planned_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    visit = models.OneToOneField(Visit, on_delete=models.PROTECT, null=True, related_name="plan")
    canceled = models.DateTimeField(null=True)

    objects = _PlanOfUnit()

    class Meta:
        ordering = ("day", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("party",),
                condition=models.Q(visit__isnull=True, canceled__isnull=True),
                name="one_planned_visit_to_an_operator",
            ),
        )

    def __str__(self) -> str:
        return f"visit to {self.party} planned for {self.day}"


class _ItemOfUnit(ScopedHistory["VisitItem"]):
    lookup = "visit__unit"


class VisitItem(History):
    """One thing to check: what it is, where, and what was approved for it."""

    class Kind(models.TextChoices):
        """What is checked."""

        FLOOR = "floor", "Games and tables on the floor"
        SWAP = "swap", "Swap of games"
        LIMITS = "limits", "Posted limits"
        PAY_TABLE = "pay_table", "Pay table on the layout"
        AGGREGATE = "aggregate", "Aggregate sign"
        DECKS = "decks", "Decks"
        ISSUE = "issue", "Open issue"

    part_of: ClassVar[str] = "visit"

    visit = models.ForeignKey(Visit, on_delete=models.PROTECT, related_name="items")
    place = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=Kind)
    game = models.CharField(max_length=40, blank=True)
    table = models.CharField(max_length=120, blank=True)
    about = models.CharField(max_length=40, blank=True, help_text="Of a pay table, which one.")
    swap = models.ForeignKey(ControlsVersion, on_delete=models.PROTECT, null=True, related_name="+")
    issue = models.ForeignKey(
        Issue, on_delete=models.PROTECT, null=True, related_name="+", help_text="Open at the time."
    )
    approved = models.JSONField(help_text="Names and values, as approved.")
    cites = models.JSONField(help_text="Its basis.")

    objects = _ItemOfUnit()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("visit_id", "place")
        constraints = (
            models.UniqueConstraint(fields=("visit", "place"), name="an_item_has_its_place"),
        )

    def __str__(self) -> str:
        where = f" at {self.table}" if self.table else ""
        return f"{self.get_kind_display()}{where}"


class _LookOfUnit(ScopedHistory["Look"]):
    lookup = "item__visit__unit"


class Look(Recorded):
    """What was seen of an item; the newest look at an item counts."""

    class Outcome(models.TextChoices):
        """The result of a look."""

        AS_APPROVED = "as_approved", "As approved"
        DIFFERS = "differs", "Differs"
        NOT_LOOKED_AT = "not_looked_at", "Not looked at"

    item = models.ForeignKey(VisitItem, on_delete=models.PROTECT, related_name="looks")
    outcome = models.CharField(max_length=13, choices=Outcome)
    seen = models.TextField(blank=True)
    paper = models.ForeignKey(
        DocumentVersion, on_delete=models.PROTECT, null=True, related_name="+"
    )
    by = models.UUIDField()
    at = models.DateTimeField()

    objects = _LookOfUnit()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"{self.item}: {self.get_outcome_display().lower()}"


class _EndOfUnit(ScopedHistory["VisitEnd"]):
    lookup = "visit__unit"


class VisitEnd(Recorded):
    """The end of a visit, after which nothing is added to it."""

    visit = models.OneToOneField(Visit, on_delete=models.PROTECT, related_name="end")
    note = models.TextField(blank=True)
    why_not = models.TextField(  # noqa: DJ001 - NULL is in no digest
        null=True, help_text="Why some items were not inspected."
    )
    as_approved = models.PositiveIntegerField()
    differs = models.PositiveIntegerField()
    not_looked_at = models.PositiveIntegerField()
    by = models.UUIDField()
    at = models.DateTimeField()

    objects = _EndOfUnit()  # type: ignore[assignment,misc]

    def __str__(self) -> str:
        return f"end of the {self.visit}"


class VisitDifference(History):
    """A difference recorded by an ended visit, and the issue that contains its finding."""

    part_of: ClassVar[str] = "end"

    end = models.ForeignKey(VisitEnd, on_delete=models.PROTECT, related_name="differences")
    look = models.OneToOneField(Look, on_delete=models.PROTECT, related_name="difference")
    issue = models.ForeignKey(Issue, on_delete=models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return str(self.look)
