from typing import ClassVar

from django.db import models

from compliance.models.kinds import Current, History, Recorded
from compliance.models.party import Party
from compliance.models.visibility import Visibility
from compliance.models.walled import Walled, WalledHistory


class _Shown(Walled["Document"]):
    lookup = "shown_to__party"
    shared = True


class _OfShown(WalledHistory["DocumentVersion"]):
    lookup = "document__shown_to__party"
    shared = True


class _InShown(WalledHistory["DocumentFile"]):
    lookup = "version__document__shown_to__party"
    shared = True


class Document(Current):
    """Something on paper that a party filed, from version to version.

    Its versions are history and never change; who may see it is in `DocumentVisibility`.
    """

    class Kind(models.TextChoices):
        """What a document is for."""

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
    """To whom a document is shown."""

    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="shown_to")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("document", "party"), name="a_document_is_shown_once"),
        )

    def __str__(self) -> str:
        return f"{self.document} to {self.party}"


class DocumentVersion(Recorded):
    """A version as filed. `evidence_date` is the day it speaks of, `at` when it came in."""

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
    """One file of a version, kept byte for byte under its SHA-256."""

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
    """The text drawn out of a file, by page, for search and comparison; made again at any time."""

    file = models.OneToOneField(DocumentFile, on_delete=models.PROTECT, related_name="text")
    pages = models.JSONField(help_text="Text by page; an empty one is a scan without text.")

    def __str__(self) -> str:
        return f"text of {self.file}"
