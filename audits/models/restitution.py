from django.db import models

from compliance.models.attachment import Attachment
from compliance.models.kinds import Recorded
from compliance.models.party import Party
from compliance.models.walled import WalledHistory


class _OfParty(WalledHistory["RestitutionPayment"]):
    pass


class RestitutionPayment(Recorded):
    """An operator says that it paid a player what a gambling day's rounds left owing."""

    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="restitution_payments")
    day = models.DateField(help_text="The gambling day on which it came to be owed.")
    game = models.CharField(max_length=20)
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


class _PaperOfParty(WalledHistory["RestitutionPaper"]):
    lookup = "comment__party"


class RestitutionPaper(Attachment):
    """A paper that shows a payment."""

    comment = models.ForeignKey(RestitutionPayment, on_delete=models.PROTECT, related_name="papers")

    objects = _PaperOfParty()  # type: ignore[assignment,misc]
