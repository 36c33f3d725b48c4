from uuid import uuid4

from django.db import models
from django.db.models import Q

from audits.models.replay import Replay
from audits.models.segment import Segment
from compliance.models.kinds import Current
from compliance.models.party import Party
from compliance.models.visibility import Visibility
from compliance.models.walled import Walled

CAUSE = ("party", "game", "table", "code", "wager", "line")
"""The fields that tell one cause from another."""


class _ShownPatterns(Walled["Pattern"]):
    lookup = "shown_to__party"
    shared = True


class Pattern(Current):
    """Findings of one cause: one operator, game, table, code, wager and line.

    It lives across nights while it is open. What happens again after a decision opens a new one
    that names the former. A day's own findings (`night.*`) have no game, or no table.
    """

    class State(models.TextChoices):
        """What an agent has said of it."""

        NEW = "new", "New"
        UNDER_REVIEW = "under_review", "Under review"
        INFORMATION_REQUESTED = "information_requested", "Information requested"
        CONFIRMED = "confirmed", "Confirmed violation"
        CORRECTED = "corrected", "Dealer error corrected"
        EXPLAINED = "explained", "Explained"
        NO_VIOLATION = "no_violation", "Not a violation"
        WAIVED = "waived", "Waived"
        REFERRED = "referred", "Referred to a case"

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="patterns")
    game = models.CharField(max_length=20, blank=True)
    table = models.CharField(max_length=32, blank=True)
    code = models.CharField(max_length=40)
    wager = models.CharField(max_length=20, blank=True)
    line = models.CharField(max_length=60, blank=True)
    weight = models.CharField(max_length=10)
    state = models.CharField(max_length=24, choices=State, default=State.NEW)
    open = models.BooleanField(default=True, help_text="No decision has closed it.")
    again_after = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, related_name="again"
    )
    changed_since = models.TextField(
        blank=True, help_text="What changed under a decision, so that it is before the agent again."
    )
    waived_until = models.DateField(null=True, help_text="Its last day, while a waiver stands.")
    diagnosis = models.TextField(blank=True)
    findings = models.BigIntegerField(default=0)
    rounds = models.BigIntegerField(default=0)
    over = models.BigIntegerField(default=0)
    under = models.BigIntegerField(default=0)
    first = models.DateTimeField(null=True)
    last = models.DateTimeField(null=True)
    opened = models.DateTimeField()
    released = models.DateTimeField(null=True, help_text="When it was shown to the operator.")

    objects = _ShownPatterns()

    class Meta:
        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(
                fields=CAUSE,
                condition=Q(open=True),
                name="one_open_pattern_of_a_cause",
            ),
        )
        indexes = (
            models.Index(fields=("party", "code"), name="patterns_of_an_operator"),
            models.Index(fields=("state", "-last"), name="patterns_to_review"),
            models.Index(
                fields=("waived_until",),
                name="waivers_by_their_end",
                condition=Q(waived_until__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return " ".join(filter(None, (self.code, self.line, self.game, self.table)))


class PatternVisibility(Visibility):
    """To whom a pattern is shown: the commission, and once released the operator and its agency."""

    shown = models.ForeignKey(Pattern, on_delete=models.PROTECT, related_name="shown_to")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("shown", "party"), name="a_pattern_is_shown_once"),
        )

    def __str__(self) -> str:
        return f"{self.shown} to {self.party}"


class _OfPattern(Walled["PatternNight"]):
    lookup = "pattern__shown_to__party"
    shared = True


class PatternNight(Current):
    """How often a pattern occurred on a gambling day, by that day's current replay."""

    pattern = models.ForeignKey(Pattern, on_delete=models.PROTECT, related_name="nights")
    day = models.DateField()
    replay = models.ForeignKey(Replay, on_delete=models.PROTECT, null=True, related_name="+")
    findings = models.BigIntegerField()
    rounds = models.BigIntegerField()
    over = models.BigIntegerField()
    under = models.BigIntegerField()
    first = models.DateTimeField(null=True)
    last = models.DateTimeField(null=True)
    by_hour = models.JSONField(
        default=list,
        help_text="Beginning of each clock hour in microseconds, rounds, cents over, cents under.",
    )

    objects = _OfPattern()

    class Meta:
        ordering = ("pattern_id", "day")
        constraints = (
            models.UniqueConstraint(fields=("pattern", "day"), name="a_night_counts_once"),
        )
        indexes = (models.Index(fields=("day", "pattern"), name="what_occurred_on_a_day"),)

    def __str__(self) -> str:
        return f"{self.pattern} on {self.day}"


class _ClauseOfPattern(Walled["PatternClause"]):
    lookup = "pattern__shown_to__party"
    shared = True


class PatternClause(Current):
    """A clause or reading on which a finding of a pattern rests: of all its findings, ever."""

    pattern = models.ForeignKey(Pattern, on_delete=models.PROTECT, related_name="clauses")
    clause = models.CharField(max_length=200)

    objects = _ClauseOfPattern()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("clause", "pattern"), name="a_pattern_names_a_clause_once"
            ),
        )

    def __str__(self) -> str:
        return self.clause


class _FindingOfPattern(Walled["Finding"]):
    lookup = "pattern__shown_to__party"
    shared = True


class Finding(Current):
    """A finding in full: the first ones of a pattern in each segment; all lie in findings files."""

    class Standing(models.TextChoices):
        """What the newest replay says of it."""

        NEW = "new", "New"
        CONFIRMED = "confirmed", "Found again"
        CHANGED = "changed", "Changed"
        GONE = "gone", "Gone"

    pattern = models.ForeignKey(Pattern, on_delete=models.PROTECT, related_name="shown_findings")
    identity = models.CharField(max_length=32, help_text="Of round as logged, seat, wager, code.")
    replay = models.ForeignKey(Replay, on_delete=models.PROTECT, null=True, related_name="+")
    segment = models.ForeignKey(Segment, on_delete=models.PROTECT, null=True, related_name="+")
    day = models.DateField()
    standing = models.CharField(max_length=10, choices=Standing, default=Standing.NEW)
    round = models.CharField(max_length=64, blank=True)
    at = models.DateTimeField(null=True)
    seat = models.PositiveBigIntegerField(null=True)
    logged = models.JSONField(null=True)
    expected = models.JSONField(null=True)
    delta = models.BigIntegerField(default=0)
    cites = models.JSONField(default=list)
    player = models.CharField(max_length=64, blank=True)
    log_sha256 = models.CharField(max_length=64, blank=True)
    source_line = models.BigIntegerField(null=True)

    objects = _FindingOfPattern()

    class Meta:
        ordering = ("pattern_id", "day", "id")
        indexes = (
            models.Index(fields=("round",), name="findings_of_a_round"),
            models.Index(fields=("replay", "pattern"), name="findings_of_a_replay"),
            models.Index(
                fields=("player", "pattern"), name="findings_of_a_player", condition=~Q(player="")
            ),
            models.Index(
                fields=("delta", "pattern"), name="findings_of_an_amount", condition=~Q(delta=0)
            ),
        )

    def __str__(self) -> str:
        return f"{self.pattern.code} of {self.round or self.day}"
