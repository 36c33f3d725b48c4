from django.db import models

from compliance.access.managers import ScopedHistory
from compliance.access.models import Party
from compliance.filings.documents.models import Attachment
from compliance.history import Recorded


class _OfParty(ScopedHistory["Disclosure"]):
    pass


class Disclosure(Recorded):
    """An irregularity as an operator disclosed it."""

    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="disclosures")
    day = models.DateField(help_text="The gambling day on which it happened.")
    table = models.CharField(max_length=32, blank=True)
    round = models.CharField(max_length=64, blank=True)
    facts = models.TextField()
    done = models.TextField(blank=True, help_text="What the operator has done about it.")
    by = models.UUIDField()
    at = models.DateTimeField()

    objects = _OfParty()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("-at", "-id")

    def __str__(self) -> str:
        return f"own disclosure of {self.party}, {self.day}"


class _PaperOfParty(ScopedHistory["DisclosurePaper"]):
    lookup = "comment__party"


class DisclosurePaper(Attachment):
    """A document that an operator submitted with a disclosure."""

    comment = models.ForeignKey(Disclosure, on_delete=models.PROTECT, related_name="papers")

    objects = _PaperOfParty()  # type: ignore[assignment,misc]
