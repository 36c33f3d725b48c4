from typing import ClassVar

from django.db import models

from compliance.access.managers import Scoped, ScopedHistory
from compliance.access.models import Party, Visibility
from compliance.changes import CurrentManager
from compliance.history import Current, History, Recorded


class _Shown(Scoped["Document"]):
    lookup = "shown_to__party"
    shared = True


class _OfShown(ScopedHistory["DocumentVersion"]):
    lookup = "document__shown_to__party"
    shared = True


class _InShown(ScopedHistory["DocumentFile"]):
    lookup = "version__document__shown_to__party"
    shared = True


class Document(Current):
    """A document that a party filed, from version to version.

    Its versions are history and never change; `DocumentVisibility` says who may see it.
    """

    class Kind(models.TextChoices):
        """The purpose of a document."""

        RULES_OF_PLAY = "rules_of_play", "Rules of play"
        LAYOUT = "layout", "Layout drawing"
        LETTER = "letter", "Letter"
        INTERNAL_CONTROLS = "internal_controls", "Internal controls"
        COMPACT_SUPPLEMENT = "compact_supplement", "Supplement under the compact"
        EVIDENCE = "evidence", "Evidence"

    uuid = models.UUIDField(unique=True, editable=False)
    owner = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="documents")
    kind = models.CharField(max_length=20, choices=Kind)
    title = models.CharField(max_length=120)

    objects = _Shown()

    class Meta:
        ordering = ("title", "id")

    def __str__(self) -> str:
        return self.title


class DocumentVisibility(Visibility):
    """A party that can see a document."""

    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="shown_to")

    objects = CurrentManager["DocumentVisibility"]()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("document", "party"), name="a_document_is_shown_once"),
        )

    def __str__(self) -> str:
        return f"{self.document} to {self.party}"


class DocumentVersion(Recorded):
    """A version as filed. `evidence_date` is the date of its content, `at` when it was filed."""

    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    evidence_date = models.DateField()
    note = models.TextField(blank=True)
    filed_by = models.UUIDField()
    at = models.DateTimeField()

    objects = _OfShown()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("document_id", "number")
        constraints = (
            models.UniqueConstraint(
                fields=("document", "number"), name="a_version_number_serves_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.document}, version {self.number}"


class DocumentFile(History):
    """One file of a version, stored byte for byte under its SHA-256."""

    part_of: ClassVar[str] = "version"

    version = models.ForeignKey(DocumentVersion, on_delete=models.PROTECT, related_name="files")
    place = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=200)
    media_type = models.CharField(max_length=100)
    size = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64, db_index=True)

    objects = _InShown()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("version_id", "place")

    def __str__(self) -> str:
        return self.name


class DocumentText(Current):
    """Text extracted from a file, by page, for search and comparison; it can be extracted again."""

    file = models.OneToOneField(DocumentFile, on_delete=models.PROTECT, related_name="text")
    pages = models.JSONField(help_text="Text by page; an empty one is a scan without text.")

    objects = CurrentManager["DocumentText"]()

    def __str__(self) -> str:
        return f"text of {self.file}"


class Attachment(History):
    """A document cited in a comment; a subclass names the comment, and is proven with it."""

    part_of: ClassVar[str] = "comment"

    paper = models.ForeignKey(DocumentVersion, on_delete=models.PROTECT, related_name="+")
    place = models.PositiveSmallIntegerField()

    class Meta:
        abstract = True
        ordering = ("place",)

    def __str__(self) -> str:
        return str(self.paper)
