from typing import ClassVar
from uuid import UUID

from django.db import models

from compliance.access.managers import ScopedHistory
from compliance.access.models import Party
from compliance.filings.documents.models import DocumentVersion
from compliance.history import Current, History, Recorded


class _OfSupplier(ScopedHistory["Game"]):
    lookup = "supplier"
    public_without = True


class _OfItsSupplier(ScopedHistory["RuleVersion"]):
    lookup = "game__supplier"
    public_without = True


class Game(Recorded):
    """A card game as offered to the commission.

    `engine` is the game's name in round logs and in the engine; a game without an engine can be
    filed and approved, but its rounds cannot be replayed.
    """

    class Banking(models.TextChoices):
        """Who pays the winners; it decides which legal limits apply."""

        HOUSE = "house", "The house"
        NOBODY = "nobody", "Nobody: players against each other"

    slug = models.SlugField(max_length=40, unique=True)
    name = models.CharField(max_length=80)
    engine = models.CharField(max_length=40, blank=True)
    banked_by = models.CharField(max_length=8, choices=Banking)
    supplier = models.ForeignKey(
        Party, on_delete=models.PROTECT, null=True, blank=True, related_name="games"
    )
    at = models.DateTimeField()

    objects = _OfSupplier()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name

    @property
    def version_uuids(self) -> list[UUID]:
        """Return the UUIDs of the versions of its rules, in order."""
        return [each.uuid for each in self.rule_versions.all()]


class RuleVersion(Recorded):
    """The rules of a game at one time: its documents, the engine's rule set, its open questions.

    It never changes; a modification is a new version, and needs its own approval.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="rule_versions")
    number = models.PositiveIntegerField()
    rule_set = models.CharField(max_length=64, blank=True, help_text="Digest of the rule set.")
    interpretations = models.JSONField(
        default=dict, help_text="Chosen readings by id, where they are not the default."
    )
    as_of = models.DateField(help_text="The day of the papers: citations are judged by it.")
    citations = models.JSONField(
        default=list, help_text="Sections the papers cite for the wager limits."
    )
    printed_maximum = models.PositiveBigIntegerField(
        null=True, help_text="Maximum aggregate that the layout prints, in cents."
    )
    note = models.TextField(blank=True)
    definition = models.CharField(  # noqa: DJ001 - NULL is in no digest
        max_length=64, null=True, help_text="Digest of what the filed definition means."
    )
    definition_file = models.CharField(  # noqa: DJ001 - NULL is in no digest
        max_length=64, null=True, help_text="Digest of the definition's text, in the archive."
    )
    at = models.DateTimeField()

    objects = _OfItsSupplier()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("game__name", "number")
        constraints = (
            models.UniqueConstraint(fields=("game", "number"), name="a_rule_version_is_filed_once"),
        )

    def __str__(self) -> str:
        return f"{self.game}, version {self.number}"


class DefinitionOdds(Current):
    """The odds of a definition under each of its pay tables and readings, counted once."""

    JOB: ClassVar[str] = "odds"

    class State(models.TextChoices):
        """Whether they are counted."""

        WAITING = "waiting", "Not computed yet"
        DONE = "done", "Computed"
        FAILED = "failed", "Can't be computed"

    definition = models.CharField(max_length=64, unique=True)
    definition_file = models.CharField(max_length=64)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    failure = models.TextField(blank=True)
    figures = models.JSONField(
        default=list, help_text="By pay tables and readings: what `python -m games odds` answers."
    )
    proofs = models.JSONField(
        default=dict, help_text="By clause and code: the broken round that proves the check."
    )
    at = models.DateTimeField(null=True, help_text="When they were computed.")

    def __str__(self) -> str:
        return f"odds of the definition {self.definition}"


class RuleVersionDocument(History):
    """A document, in one version of it, on which a rule version is based."""

    part_of: ClassVar[str] = "rule_version"

    rule_version = models.ForeignKey(
        RuleVersion, on_delete=models.PROTECT, related_name="documents"
    )
    document_version = models.ForeignKey(
        DocumentVersion, on_delete=models.PROTECT, related_name="+"
    )
    binding = models.BooleanField(help_text="Rules of play bind; a layout drawing does not.")

    def __str__(self) -> str:
        return f"{self.document_version} of {self.rule_version}"


class FiledPayLine(History):
    """One line of a pay table as printed in a filed document, N to 1."""

    class Origin(models.TextChoices):
        """Which of the filed documents prints it."""

        RULES = "rules", "Rules of play"
        LAYOUT = "layout", "Layout drawing"

    part_of: ClassVar[str] = "rule_version"

    rule_version = models.ForeignKey(
        RuleVersion, on_delete=models.PROTECT, related_name="pay_lines"
    )
    origin = models.CharField(max_length=8, choices=Origin)
    table = models.CharField(max_length=30)
    line = models.CharField(max_length=30)
    pays = models.PositiveIntegerField()

    class Meta:
        ordering = ("rule_version_id", "table", "origin", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("rule_version", "origin", "table", "line"),
                name="a_pay_line_is_filed_once",
            ),
        )

    def __str__(self) -> str:
        return f"{self.table} {self.line} {self.pays} to 1 ({self.origin})"


class DocumentFinding(Recorded):
    """A difference between documents that should agree: `document.*` in the findings' contract."""

    class Code(models.TextChoices):
        """The kind of difference."""

        PAY_TABLE = "document.pay_table", "A pay table differs from the rules"
        LIMIT = "document.limit", "A limit is outside the law or contradicts a multiple"
        CITATION = "document.citation", "A citation did not hold that rule on that day"

    rule_version = models.ForeignKey(
        RuleVersion, on_delete=models.PROTECT, null=True, related_name="findings"
    )
    controls_version = models.ForeignKey(
        "compliance.ControlsVersion", on_delete=models.PROTECT, null=True, related_name="findings"
    )
    code = models.CharField(max_length=20, choices=Code)
    says = models.TextField()
    cites = models.JSONField(default=list)
    at = models.DateTimeField()

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return self.says
