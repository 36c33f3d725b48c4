from django.db import models

from compliance.models.attachment import Attachment
from compliance.models.kinds import Recorded
from compliance.models.party import Party
from compliance.models.walled import WalledHistory


class _OfParty(WalledHistory["Disclosure"]):
    pass


class Disclosure(Recorded):
    """An irregularity that an operator reports of its own accord, as it was reported."""

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


class _PaperOfParty(WalledHistory["DisclosurePaper"]):
    lookup = "comment__party"


class DisclosurePaper(Attachment):
    """A paper that an operator handed in with a disclosure."""

    comment = models.ForeignKey(Disclosure, on_delete=models.PROTECT, related_name="papers")

    objects = _PaperOfParty()  # type: ignore[assignment,misc]
