from django.db import models

from compliance.access.managers import ScopedHistory
from compliance.access.models import Party
from compliance.filings.documents.models import Attachment
from compliance.history import Recorded


class _OfParty(ScopedHistory["RestitutionPayment"]):
    pass


class RestitutionPayment(Recorded):
    """An operator's confirmation that it paid a player what was owed for a gambling day."""

    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="restitution_payments")
    day = models.DateField(help_text="The gambling day for which it is owed.")
    game = models.CharField(max_length=40)
    table = models.CharField(max_length=32)
    player = models.CharField(max_length=64, blank=True)
    cents = models.PositiveBigIntegerField()
    paid_on = models.DateField()
    note = models.TextField(blank=True)
    by = models.UUIDField()
    at = models.DateTimeField()

    objects = _OfParty()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("at", "id")
        indexes = (models.Index(fields=("party", "day"), name="restitution_of_a_day"),)

    def __str__(self) -> str:
        return f"restitution to {self.player or 'a player'} at {self.table}, {self.day}"


class _PaperOfParty(ScopedHistory["RestitutionPaper"]):
    lookup = "comment__party"


class RestitutionPaper(Attachment):
    """A document that proves a payment."""

    comment = models.ForeignKey(RestitutionPayment, on_delete=models.PROTECT, related_name="papers")

    objects = _PaperOfParty()  # type: ignore[assignment,misc]
