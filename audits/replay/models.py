"""Models of replays, their work units, and comparisons of two replays."""

from typing import ClassVar
from uuid import uuid4

from django.conf import settings
from django.db import models

from audits.intake.models import Segment
from compliance.access.managers import Scoped
from compliance.access.models import Party
from compliance.history import Current


class _OfUnit(Scoped["Replay"]):
    lookup = "made_for"


class Replay(Current):
    """An audit of segments under fixed inputs: the same fingerprint gives the same findings.

    It belongs to the commission; operators see none of it.
    """

    class State(models.TextChoices):
        """How far the replay has come."""

        WAITING = "waiting", "Waiting"
        RUNNING = "running", "Running"
        SETTLING = "settling", "Putting findings on file"
        DONE = "done", "Done"
        CANCELED = "canceled", "Canceled"
        FAILED = "failed", "Failed"

    class Cause(models.TextChoices):
        """Why the replay was made."""

        NIGHTLY = "nightly", "Nightly run"
        SUPPLEMENT = "supplement", "Late log or correction"
        ASKED = "asked", "Asked for"

    JOB: ClassVar[str] = "settling"
    """The kind of job that records its findings; its group is the replay."""

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
    set_aside = models.JSONField(
        default=list,
        help_text="Games that could not be audited, by day, and why; the rest was replayed.",
    )
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


class _OfReplay(Scoped["ReplaySegment"]):
    lookup = "replay__made_for"


class ReplaySegment(Current):
    """One segment of a replay: pending, or done with a findings file."""

    JOB: ClassVar[str] = "work_unit"
    """The kind of job that audits it; its group is the replay."""

    class State(models.TextChoices):
        """State of the work unit."""

        PENDING = "pending", "Pending"
        DONE = "done", "Done"
        FAILED = "failed", "Failed"

    replay = models.ForeignKey(Replay, on_delete=models.PROTECT, related_name="units")
    segment = models.ForeignKey(Segment, on_delete=models.PROTECT, related_name="+")
    position = models.PositiveIntegerField()
    terms = models.CharField(max_length=64, help_text="What bound its rounds, in the archive.")
    before = models.CharField(
        max_length=64, blank=True, help_text="Tails that stand before it, in the archive."
    )
    state = models.CharField(max_length=10, choices=State, default=State.PENDING)
    failure = models.TextField(blank=True)
    rounds = models.BigIntegerField(default=0)
    seats = models.BigIntegerField(default=0)
    flagged = models.BigIntegerField(default=0)
    findings = models.BigIntegerField(default=0)
    over = models.BigIntegerField(default=0)
    under = models.BigIntegerField(default=0)
    findings_file = models.CharField(max_length=64, blank=True, help_text="In the archive.")
    findings_digest = models.CharField(max_length=64, blank=True, help_text="Of what it says.")
    issues_file = models.CharField(
        max_length=64, blank=True, help_text="Its issues with their first findings, as archived."
    )
    marks_file = models.CharField(
        max_length=64, blank=True, help_text="Identity, content and issue of each finding."
    )
    by_hour = models.JSONField(default=list, help_text="Rounds and findings by table and hour.")

    objects = _OfReplay()

    class Meta:
        ordering = ("replay_id", "position")
        constraints = (
            models.UniqueConstraint(fields=("replay", "position"), name="a_share_has_its_place"),
            models.UniqueConstraint(fields=("replay", "segment"), name="a_segment_is_judged_once"),
        )

    def __str__(self) -> str:
        return f"{self.segment} in {self.replay}"


class _OfLater(Scoped["ReplayComparison"]):
    lookup = "later__made_for"


class ReplayComparison(Current):
    """A comparison of two completed replays: its progress and the differences.

    The result is final because both replays are, so it is computed once and kept.
    """

    class State(models.TextChoices):
        """How far the comparison has come."""

        WAITING = "waiting", "Waiting"
        RUNNING = "running", "Being compared"
        DONE = "done", "Done"
        FAILED = "failed", "Failed"

    JOB: ClassVar[str] = "comparison"
    """The kind of job that compares."""

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    former = models.ForeignKey(Replay, on_delete=models.PROTECT, related_name="+")
    later = models.ForeignKey(Replay, on_delete=models.PROTECT, related_name="+")
    days = models.JSONField(help_text="Gambling days of either, in order.")
    compared = models.PositiveIntegerField(default=0, help_text="How many of the days are.")
    result = models.JSONField(default=dict, help_text="What the days that are compared came to.")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    failure = models.TextField(blank=True)
    at = models.DateTimeField()
    ended = models.DateTimeField(null=True)

    objects = _OfLater()

    class Meta:
        ordering = ("at", "id")
        constraints = (
            models.UniqueConstraint(fields=("former", "later"), name="two_replays_compared_once"),
        )
        indexes = (models.Index(fields=("state", "at"), name="comparisons_under_way"),)

    def __str__(self) -> str:
        return f"{self.later} against {self.former}"
