from uuid import uuid4

from django.db import models

from compliance.access.managers import Scoped
from compliance.access.models import Party
from compliance.history import Current


class _OfParty(Scoped["GamblingDay"]):
    pass


class GamblingDay(Current):
    """An operator's gambling day: when it begins, ends and closes, and its current replay.

    The current replay is the newest finished one over all logs then on file.
    """

    class State(models.TextChoices):
        """Whether logs still arrive on time."""

        OPEN = "open", "Open"
        CLOSED = "closed", "Closed"

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="gambling_days")
    day = models.DateField()
    begins = models.DateTimeField()
    ends = models.DateTimeField()
    closes = models.DateTimeField(help_text="The end and the submission time of the controls.")
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    closed = models.DateTimeField(null=True)
    checkpoint = models.TextField(blank=True, help_text="Of the event log when the day closed.")
    current = models.ForeignKey(
        "audits.Replay", on_delete=models.PROTECT, null=True, related_name="+"
    )
    supplements = models.PositiveIntegerField(default=0)
    looked_through = models.BigIntegerField(
        null=True, help_text="The newest segment that the nightly run has seen; 0 for none."
    )
    newest_record = models.BigIntegerField(
        default=0, help_text="The newest record of a table that the nightly run has seen."
    )
    released = models.DateTimeField(null=True, help_text="Its report was shown to the operator.")

    objects = _OfParty()

    class Meta:
        ordering = ("-day", "party_id")
        constraints = (
            models.UniqueConstraint(fields=("party", "day"), name="a_gambling_day_is_kept_once"),
        )

    def __str__(self) -> str:
        return f"{self.day} at {self.party}"


class _WatchOfParty(Scoped["NightlyWatch"]):
    pass


class NightlyWatch(Current):
    """The gambling day from which an operator's logs are expected, and when it was last checked.

    It begins with the first nightly run; nobody has to submit logs of earlier years.
    """

    party = models.OneToOneField(Party, on_delete=models.PROTECT, related_name="+")
    since = models.DateField()
    looked = models.DateTimeField(help_text="By the database's clock.")

    objects = _WatchOfParty()

    def __str__(self) -> str:
        return f"{self.party} since {self.since}"
