from uuid import uuid4

from django.conf import settings
from django.db import models

from audits.models.segment import Segment
from compliance.models.kinds import Current
from compliance.models.party import Party
from compliance.models.walled import Walled


class _OfUnit(Walled["Replay"]):
    lookup = "made_for"


class Replay(Current):
    """Segments judged once under inputs that are fixed: the same fingerprint, the same findings.

    It is the commission's: an operator sees none of it.
    """

    class State(models.TextChoices):
        """How far it came."""

        WAITING = "waiting", "Waiting"
        RUNNING = "running", "Running"
        SETTLING = "settling", "Putting findings on file"
        DONE = "done", "Done"
        CANCELLED = "cancelled", "Cancelled"
        FAILED = "failed", "Failed"

    class Cause(models.TextChoices):
        """Why it was made."""

        NIGHTLY = "nightly", "Nightly run"
        SUPPLEMENT = "supplement", "Late log or correction"
        ASKED = "asked", "Asked for"

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    party = models.ForeignKey(
        Party, on_delete=models.PROTECT, related_name="replays", help_text="The operator."
    )
    made_for = models.ForeignKey(
        Party, on_delete=models.PROTECT, related_name="+", help_text="The commission's unit."
    )
    cause = models.CharField(max_length=10, choices=Cause, default=Cause.ASKED)
    scope = models.JSONField(help_text="What was asked for: day, game, table, log.")
    days = models.JSONField(help_text="Gambling days that it covers wholly, all games and tables.")
    inputs = models.CharField(max_length=64, help_text="Digest of the fixed inputs as archived.")
    fingerprint = models.CharField(max_length=64)
    engine = models.CharField(max_length=64)
    priority = models.SmallIntegerField(default=0, help_text="Higher goes first.")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    failure = models.TextField(blank=True)
    rounds = models.BigIntegerField(default=0)
    seats = models.BigIntegerField(default=0)
    findings = models.BigIntegerField(default=0)
    over = models.BigIntegerField(default=0, help_text="Cents that players got too much.")
    under = models.BigIntegerField(default=0, help_text="Cents that players got too little.")
    digest = models.CharField(max_length=64, blank=True)
    standings = models.JSONField(
        default=dict,
        help_text="By day: how many findings of its former current replay were confirmed, changed, "
        "gone, and how many are new.",
    )
    token = models.UUIDField(null=True, help_text="Who puts its findings on file.")
    lease_until = models.DateTimeField(null=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    at = models.DateTimeField()
    begun = models.DateTimeField(null=True)
    ended = models.DateTimeField(null=True)

    objects = _OfUnit()

    class Meta:
        ordering = ("-at", "-id")
        constraints = (
            models.UniqueConstraint(
                fields=("party",),
                condition=models.Q(state="settling"),
                name="one_replay_of_an_operator_settles_at_a_time",
            ),
        )
        indexes = (
            models.Index(fields=("fingerprint",), name="replays_by_fingerprint"),
            models.Index(fields=("state", "-priority", "at"), name="replays_under_way"),
        )

    def __str__(self) -> str:
        return f"replay {str(self.uuid)[:8]} of {self.party}"


class _OfReplay(Walled["ReplaySegment"]):
    lookup = "replay__made_for"


class ReplaySegment(Current):
    """One segment of a replay: pending, leased under a token, or done with a findings file."""

    class State(models.TextChoices):
        """What the ledger says of it."""

        PENDING = "pending", "Pending"
        LEASED = "leased", "Leased"
        DONE = "done", "Done"
        FAILED = "failed", "Failed"

    replay = models.ForeignKey(Replay, on_delete=models.PROTECT, related_name="shares")
    segment = models.ForeignKey(Segment, on_delete=models.PROTECT, related_name="+")
    position = models.PositiveIntegerField()
    terms = models.CharField(max_length=64, help_text="What bound its rounds, in the archive.")
    before = models.CharField(
        max_length=64, blank=True, help_text="Tails that stand before it, in the archive."
    )
    state = models.CharField(max_length=10, choices=State, default=State.PENDING)
    token = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(
        default=0, help_text="Leases that were taken and not given back."
    )
    failures = models.PositiveIntegerField(default=0, help_text="Attempts that ended in an error.")
    failure = models.TextField(blank=True)
    rounds = models.BigIntegerField(default=0)
    seats = models.BigIntegerField(default=0)
    flagged = models.BigIntegerField(default=0)
    findings = models.BigIntegerField(default=0)
    over = models.BigIntegerField(default=0)
    under = models.BigIntegerField(default=0)
    findings_file = models.CharField(max_length=64, blank=True, help_text="In the archive.")
    findings_digest = models.CharField(max_length=64, blank=True, help_text="Of what it says.")
    patterns_file = models.CharField(
        max_length=64, blank=True, help_text="Its patterns with their first findings, as archived."
    )
    marks_file = models.CharField(
        max_length=64, blank=True, help_text="Identity, content and pattern of each finding."
    )
    by_hour = models.JSONField(default=list, help_text="Rounds and findings by table and hour.")

    objects = _OfReplay()

    class Meta:
        ordering = ("replay_id", "position")
        constraints = (
            models.UniqueConstraint(fields=("replay", "position"), name="a_share_has_its_place"),
            models.UniqueConstraint(fields=("replay", "segment"), name="a_segment_is_judged_once"),
        )
        indexes = (models.Index(fields=("state", "lease_until"), name="shares_to_be_done"),)

    def __str__(self) -> str:
        return f"{self.segment} in {self.replay}"
