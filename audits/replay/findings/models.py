from uuid import uuid4

from django.db import models
from django.db.models import Q

from audits.intake.models import Segment
from audits.replay.models import Replay
from compliance.access.managers import Scoped, ScopedHistory
from compliance.access.models import Party, Visibility
from compliance.changes import CurrentManager
from compliance.history import Current, Recorded

CAUSE = ("party", "game", "cause")
"""The fields that distinguish causes."""


class _ShownIssues(Scoped["Issue"]):
    lookup = "shown_to__party"
    shared = True


class Issue(Current):
    """Findings of one cause at an operator and game, across tables, wagers, lines and nights.

    It is open until it is decided, or has no findings left. If it recurs after a decision, a new
    issue is opened that names the former. A day's own findings (`night.*`) have no game, or no
    table.
    """

    class State(models.TextChoices):
        """What an agent has said about it."""

        NEW = "new", "New"
        UNDER_REVIEW = "under_review", "Under review"
        INFORMATION_REQUESTED = "information_requested", "Information requested"
        CONFIRMED = "confirmed", "Confirmed violation"
        CORRECTED = "corrected", "Dealer error corrected"
        EXPLAINED = "explained", "Explained"
        NO_VIOLATION = "no_violation", "Not a violation"
        WAIVED = "waived", "Waived"
        REFERRED = "referred", "Referred to a case"
        EMPTY = "empty", "No findings left"

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="issues")
    game = models.CharField(max_length=40, blank=True)
    cause = models.CharField(max_length=160, blank=True, help_text="Key of the cause.")
    headline = models.CharField(max_length=200, blank=True, help_text="What happened.")
    code = models.CharField(max_length=60, help_text="The first of its codes.")
    table = models.CharField(max_length=32, blank=True, help_text="Its only table, if it has one.")
    wager = models.CharField(max_length=40, blank=True, help_text="Its only wager.")
    line = models.CharField(max_length=60, blank=True, help_text="Its only line.")
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
    tested = models.BigIntegerField(default=0, help_text="Rounds held against the cause.")
    explained = models.BigIntegerField(default=0, help_text="Rounds of those that it explains.")
    over = models.BigIntegerField(default=0)
    under = models.BigIntegerField(default=0)
    impact = models.BigIntegerField(default=0, help_text="Its place in the queue: see `impact_of`.")
    first = models.DateTimeField(null=True)
    last = models.DateTimeField(null=True)
    opened = models.DateTimeField()
    released = models.DateTimeField(null=True, help_text="When it was shown to the operator.")

    objects = _ShownIssues()

    class Meta:
        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(
                fields=CAUSE,
                condition=Q(open=True),
                name="one_open_issue_of_a_cause",
            ),
        )
        indexes = (
            models.Index(fields=("party", "code"), name="issues_of_an_operator"),
            models.Index(fields=("party", "cause"), name="issues_of_a_cause"),
            models.Index(fields=("state", "-last"), name="issues_to_review"),
            models.Index(fields=("-impact", "id"), name="issues_by_impact"),
            models.Index(
                fields=("waived_until",),
                name="waivers_by_their_end",
                condition=Q(waived_until__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return " ".join(filter(None, (self.cause or self.code, self.game, self.table)))


class IssueVisibility(Visibility):
    """Who sees an issue: the commission, and once it is released the operator and its agency."""

    shown = models.ForeignKey(Issue, on_delete=models.PROTECT, related_name="shown_to")

    objects = CurrentManager["IssueVisibility"]()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("shown", "party"), name="an_issue_is_shown_once"),
        )

    def __str__(self) -> str:
        return f"{self.shown} to {self.party}"


class _OfIssue(Scoped["IssueNight"]):
    lookup = "issue__shown_to__party"
    shared = True


class IssueNight(Current):
    """How often an issue occurred on a gambling day, by that day's current replay."""

    issue = models.ForeignKey(Issue, on_delete=models.PROTECT, related_name="nights")
    day = models.DateField()
    replay = models.ForeignKey(Replay, on_delete=models.PROTECT, null=True, related_name="+")
    findings = models.BigIntegerField()
    rounds = models.BigIntegerField()
    over = models.BigIntegerField()
    under = models.BigIntegerField()
    tested = models.BigIntegerField(default=0)
    explained = models.BigIntegerField(default=0)
    exceptions = models.JSONField(
        default=list, help_text="The first findings that the cause does not explain, by id."
    )
    concentrations = models.JSONField(
        default=list, help_text="Dealers, players, seats, tables or hours that chance cannot bring."
    )
    first = models.DateTimeField(null=True)
    last = models.DateTimeField(null=True)
    by_hour = models.JSONField(
        default=list,
        help_text="Table and beginning of each clock hour in microseconds; rounds, cents over, "
        "cents under, and rounds that were held against the cause and that it explains.",
    )
    by_dealer = models.JSONField(
        default=list, help_text="Pseudonym of each dealer, rounds, cents over, cents under."
    )
    typical = models.JSONField(default=dict, help_text="The finding to show as an example.")

    objects = _OfIssue()

    class Meta:
        ordering = ("issue_id", "day")
        constraints = (
            models.UniqueConstraint(fields=("issue", "day"), name="a_night_counts_once"),
        )
        indexes = (models.Index(fields=("day", "issue"), name="what_occurred_on_a_day"),)

    def __str__(self) -> str:
        return f"{self.issue} on {self.day}"


class _PartOfIssue(Scoped["IssuePart"]):
    lookup = "issue__shown_to__party"
    shared = True


class IssuePart(Current):
    """What an issue came to on a day at one table, by one code, on one wager and line."""

    issue = models.ForeignKey(Issue, on_delete=models.PROTECT, related_name="parts")
    day = models.DateField()
    table = models.CharField(max_length=32, blank=True)
    code = models.CharField(max_length=60)
    wager = models.CharField(max_length=40, blank=True)
    line = models.CharField(max_length=60, blank=True)
    findings = models.BigIntegerField()
    rounds = models.BigIntegerField()
    over = models.BigIntegerField()
    under = models.BigIntegerField()

    objects = _PartOfIssue()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("issue", "day", "table", "code", "wager", "line"),
                name="a_part_counts_once_a_night",
            ),
        )
        indexes = (
            models.Index(fields=("table", "issue"), name="issues_of_a_table"),
            models.Index(fields=("code", "issue"), name="issues_with_a_code"),
        )

    def __str__(self) -> str:
        return f"{self.issue} at {self.table} on {self.day}"


class _ClauseOfIssue(Scoped["IssueClause"]):
    lookup = "issue__shown_to__party"
    shared = True


class IssueClause(Current):
    """A clause or interpretation that any finding of an issue ever cited."""

    issue = models.ForeignKey(Issue, on_delete=models.PROTECT, related_name="clauses")
    clause = models.CharField(max_length=200)

    objects = _ClauseOfIssue()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("clause", "issue"), name="an_issue_names_a_clause_once"
            ),
        )

    def __str__(self) -> str:
        return self.clause


class _FindingOfIssue(Scoped["Finding"]):
    lookup = "issue__shown_to__party"
    shared = True


class Finding(Current):
    """A finding in full: an issue's first ones per segment; the findings files have all of them."""

    class Standing(models.TextChoices):
        """What the newest replay says about it."""

        NEW = "new", "New"
        CONFIRMED = "confirmed", "Found again"
        CHANGED = "changed", "Changed"
        GONE = "gone", "Gone"

    issue = models.ForeignKey(Issue, on_delete=models.PROTECT, related_name="shown_findings")
    identity = models.CharField(max_length=32, help_text="Of round as logged, seat, wager, code.")
    replay = models.ForeignKey(Replay, on_delete=models.PROTECT, null=True, related_name="+")
    segment = models.ForeignKey(Segment, on_delete=models.PROTECT, null=True, related_name="+")
    day = models.DateField()
    standing = models.CharField(max_length=10, choices=Standing, default=Standing.NEW)
    round = models.CharField(max_length=64, blank=True)
    at = models.DateTimeField(null=True)
    table = models.CharField(max_length=32, blank=True)
    code = models.CharField(max_length=60, blank=True)
    wager = models.CharField(max_length=40, blank=True)
    line = models.CharField(max_length=60, blank=True)
    seat = models.PositiveBigIntegerField(null=True)
    logged = models.JSONField(null=True)
    expected = models.JSONField(null=True)
    delta = models.BigIntegerField(default=0)
    cites = models.JSONField(default=list)
    player = models.CharField(max_length=64, blank=True)
    log_sha256 = models.CharField(max_length=64, blank=True)
    source_line = models.BigIntegerField(null=True)

    objects = _FindingOfIssue()

    class Meta:
        ordering = ("issue_id", "day", "id")
        indexes = (
            models.Index(fields=("round",), name="findings_of_a_round"),
            models.Index(fields=("replay", "issue"), name="findings_of_a_replay"),
            models.Index(
                fields=("player", "issue"), name="findings_of_a_player", condition=~Q(player="")
            ),
            models.Index(
                fields=("delta", "issue"), name="findings_of_an_amount", condition=~Q(delta=0)
            ),
        )

    def __str__(self) -> str:
        return f"{self.code or self.issue.code} of {self.round or self.day}"


class _RouteOfOperator(ScopedHistory["CauseRoute"]):
    lookup = "source__shown_to__party"
    shared = True


class CauseRoute(Recorded):
    """A person's act that sends findings of one cause to the issue of another.

    With conditions, it splits an issue: only findings that match all of them go. Without any, it
    merges all of an issue into another. It also applies to later replays and later nights.
    """

    source = models.ForeignKey(Issue, on_delete=models.PROTECT, related_name="routes_out")
    target = models.ForeignKey(Issue, on_delete=models.PROTECT, related_name="routes_in")
    tables = models.JSONField(default=list, help_text="Any of these tables; empty: every table.")
    lines = models.JSONField(
        default=list, help_text="Any of these wagers and lines, as pairs; empty: all."
    )
    first = models.DateField(null=True, help_text="First gambling day to which it applies.")
    last = models.DateField(null=True)
    reason = models.TextField()
    by = models.UUIDField()
    at = models.DateTimeField()

    objects = _RouteOfOperator()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"{self.source} to {self.target}"
