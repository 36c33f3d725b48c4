from django.db import models

from compliance.models.kinds import Current
from compliance.models.party import Party


class Visibility(Current):
    """Names one party to whom a shared object is shown; a subclass names the object.

    Whatever more than one party may see is seen through such rows, written by services alone.
    """

    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="+")

    class Meta:
        abstract = True


class PartyVisibility(Visibility):
    """To whom a party is shown: itself, and to a tribe's agency the operations it regulates."""

    shown = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="shown_to")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("shown", "party"), name="a_party_is_shown_once"),
        )

    def __str__(self) -> str:
        return f"{self.shown} to {self.party}"
