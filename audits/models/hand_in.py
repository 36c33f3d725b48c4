from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q

from compliance.models.api_key import ApiKey
from compliance.models.kinds import Current
from compliance.models.party import Party
from compliance.models.walled import Walled


class _OfParty(Walled["HandIn"]):
    pass


class HandIn(Current):
    """A round log on its way in: received in pieces, read, and registered or refused as a whole.

    Whoever reads it holds a lease: `token` names the holder, `lease_until` is the database's clock.
    """

    class State(models.TextChoices):
        """How far it came."""

        RECEIVING = "receiving", "Receiving"
        WAITING = "waiting", "Waiting to be read"
        READING = "reading", "Being read"
        REGISTERED = "registered", "Registered"
        REFUSED = "refused", "Refused"
        ABANDONED = "abandoned", "Abandoned"

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="hand_ins")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    key = models.ForeignKey(
        ApiKey, on_delete=models.PROTECT, null=True, related_name="+", help_text="Of a program."
    )
    name = models.CharField(max_length=200, help_text="Of the file, as it was handed in.")
    size = models.BigIntegerField(null=True, help_text="In bytes, as announced.")
    received = models.BigIntegerField(default=0)
    announced_sha256 = models.CharField(max_length=64, blank=True)
    sha256 = models.CharField(max_length=64, blank=True, help_text="Of the whole, as received.")
    corrects = models.ForeignKey(
        "audits.RoundLog", on_delete=models.PROTECT, null=True, related_name="+"
    )
    reason = models.TextField(blank=True, help_text="Of a correction.")
    state = models.CharField(max_length=10, choices=State, default=State.RECEIVING)
    step = models.CharField(max_length=60, blank=True, help_text="What is being done, in words.")
    progress = models.BigIntegerField(default=0, help_text="Bytes of the file that were read.")
    lines = models.BigIntegerField(default=0)
    refusal = models.TextField(blank=True)
    log = models.ForeignKey(
        "audits.RoundLog", on_delete=models.PROTECT, null=True, related_name="hand_ins"
    )
    token = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=0)
    begun = models.DateTimeField()
    changed = models.DateTimeField()

    objects = _OfParty()

    class Meta:
        ordering = ("-begun", "-id")
        constraints = (
            models.UniqueConstraint(
                fields=("party",),
                condition=Q(state="reading"),
                name="one_log_of_an_operator_is_read_at_a_time",
            ),
        )

    def __str__(self) -> str:
        return f"{self.name} of {self.party}"


class _OfHandIn(Walled["Piece"]):
    lookup = "hand_in__party"


class Piece(Current):
    """A piece of a file that has arrived: it lies in the archive under its digest."""

    hand_in = models.ForeignKey(HandIn, on_delete=models.CASCADE, related_name="pieces")
    number = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    size = models.PositiveIntegerField()

    objects = _OfHandIn()

    class Meta:
        ordering = ("hand_in_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("hand_in", "number"), name="a_piece_arrives_once"),
        )

    def __str__(self) -> str:
        return f"piece {self.number} of {self.hand_in}"
