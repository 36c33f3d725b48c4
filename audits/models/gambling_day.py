from uuid import uuid4

from django.db import models

from audits.models.replay import Replay
from compliance.models.kinds import Current
from compliance.models.party import Party
from compliance.models.walled import Walled


class _OfParty(Walled["GamblingDay"]):
    pass


class GamblingDay(Current):
    """One operator's gambling day: when it begins, ends and closes, and which replay speaks of it.

    The current replay is the newest finished one over all logs then on file.
    """

    class State(models.TextChoices):
        """Whether logs still come in time."""

        OPEN = "open", "Open"
        CLOSED = "closed", "Closed"

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="gambling_days")
    day = models.DateField()
    begins = models.DateTimeField()
    ends = models.DateTimeField()
    closes = models.DateTimeField(help_text="The end and the hand-in time of the controls.")
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    closed = models.DateTimeField(null=True)
    checkpoint = models.TextField(blank=True, help_text="Of the event log when the day closed.")
    current = models.ForeignKey(Replay, on_delete=models.PROTECT, null=True, related_name="+")
    supplements = models.PositiveIntegerField(default=0)
    looked_through = models.BigIntegerField(
        null=True, help_text="The newest segment that the nightly run has seen; 0 for none."
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


class _StandingOfParty(Walled["StandingRelease"]):
    pass


class StandingRelease(Current):
    """Findings of a code are shown to an operator without an agent's releasing each of them."""

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="standing_releases")
    code = models.CharField(max_length=40)
    since = models.DateTimeField()
    ended = models.DateTimeField(null=True)

    objects = _StandingOfParty()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("party", "code"),
                condition=models.Q(ended__isnull=True),
                name="one_standing_release_of_a_code",
            ),
        )

    def __str__(self) -> str:
        return f"{self.code} to {self.party}"


class _WatchOfParty(Walled["NightlyWatch"]):
    pass


class NightlyWatch(Current):
    """From which gambling day on an operator's logs are expected, and when that was last seen to.

    It begins when the nightly run first comes by; nobody is asked for the years before.
    """

    party = models.OneToOneField(Party, on_delete=models.PROTECT, related_name="+")
    since = models.DateField()
    looked = models.DateTimeField(help_text="By the database's clock.")

    objects = _WatchOfParty()

    def __str__(self) -> str:
        return f"{self.party} since {self.since}"
