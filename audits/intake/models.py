"""Models of submissions, round logs and segments."""

from uuid import uuid4

from django.conf import settings
from django.db import models

from compliance.access.managers import Scoped, ScopedHistory
from compliance.access.models import ApiKey, Party
from compliance.history import Current, History, Recorded

PIECE = 8 * 1024 * 1024
"""Size of every piece but the last: a browser can hash that much, but not a stream."""


class _SubmissionsOfParty(Scoped["Submission"]):
    pass


class Submission(Current):
    """A round log in progress: received in pieces, then registered or refused as a whole."""

    JOB = "ingestion"

    class State(models.TextChoices):
        """How far the submission has come."""

        RECEIVING = "receiving", "Receiving"
        WAITING = "waiting", "Waiting to be read"
        READING = "reading", "Being read"
        REGISTERED = "registered", "Registered"
        REFUSED = "refused", "Refused"
        ABANDONED = "abandoned", "Abandoned"

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="submissions")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    key = models.ForeignKey(
        ApiKey, on_delete=models.PROTECT, null=True, related_name="+", help_text="Of a program."
    )
    name = models.CharField(max_length=200, help_text="Of the file, as it was submitted.")
    size = models.BigIntegerField(null=True, help_text="In bytes, as announced.")
    received = models.BigIntegerField(default=0)
    announced_sha256 = models.CharField(max_length=64, blank=True)
    sha256 = models.CharField(max_length=64, blank=True, help_text="Of the whole, as received.")
    corrects = models.ForeignKey(
        "audits.RoundLog", on_delete=models.PROTECT, null=True, related_name="+"
    )
    reason = models.TextField(blank=True, help_text="Of a correction.")
    mapping = models.ForeignKey(
        "audits.LogMapping", on_delete=models.PROTECT, null=True, related_name="+"
    )
    state = models.CharField(max_length=10, choices=State, default=State.RECEIVING)
    step = models.CharField(max_length=60, blank=True, help_text="What is being done, in words.")
    progress = models.BigIntegerField(default=0, help_text="Bytes of the file that were read.")
    lines = models.BigIntegerField(default=0)
    refusal = models.TextField(blank=True)
    failure = models.TextField(
        blank=True,
        help_text="Why it could not be read for a reason of ours; empty once it was read.",
    )
    log = models.ForeignKey(
        "audits.RoundLog", on_delete=models.PROTECT, null=True, related_name="submissions"
    )
    begun = models.DateTimeField()
    arrived = models.DateTimeField(
        null=True, help_text="When all of it was here, by the database's clock."
    )
    changed = models.DateTimeField()

    objects = _SubmissionsOfParty()

    class Meta:
        ordering = ("-begun", "-id")

    def __str__(self) -> str:
        return f"{self.name} of {self.party}"

    @property
    def piece(self) -> int:
        """Return the size of every piece but the last."""
        return PIECE

    @property
    def next_piece(self) -> int | None:
        """Return the number of the piece that is due; None if none is."""
        is_due = self.state == self.State.RECEIVING and self.received < (self.size or 0)
        return self.received // PIECE if is_due else None


class _OfSubmission(Scoped["Piece"]):
    lookup = "submission__party"


class Piece(Current):
    """A received piece of a file, archived under its digest."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="pieces")
    number = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    size = models.PositiveIntegerField()

    objects = _OfSubmission()

    class Meta:
        ordering = ("submission_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("submission", "number"), name="a_piece_arrives_once"),
        )

    def __str__(self) -> str:
        return f"piece {self.number} of {self.submission}"


class _LogsOfParty(ScopedHistory["RoundLog"]):
    pass


class RoundLog(Recorded):
    """A round log as submitted, and what was read in it; this is evidence and never changes."""

    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="round_logs")
    sha256 = models.CharField(max_length=64)
    ingestion = models.PositiveSmallIntegerField(
        default=1, help_text="2 where the same file was read before and nothing was accepted."
    )
    size = models.BigIntegerField()
    name = models.CharField(max_length=200)
    lines = models.BigIntegerField()
    good = models.BigIntegerField()
    rejected = models.BigIntegerField()
    already = models.BigIntegerField(help_text="Rounds that were on file with the same content.")
    first_at = models.DateTimeField(null=True)
    last_at = models.DateTimeField(null=True)
    corrects = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, related_name="corrections"
    )
    reason = models.TextField(blank=True)
    rejected_file = models.CharField(
        max_length=64, blank=True, help_text="All rejected lines, as a file in the archive."
    )
    mapping = models.ForeignKey(
        "audits.LogMapping", on_delete=models.PROTECT, null=True, related_name="logs"
    )
    converted = models.CharField(
        max_length=64, blank=True, help_text="The round log that the mapping made of the file."
    )
    totals = models.JSONField(
        default=dict, help_text="Rounds by table, and what was missing when it was registered."
    )
    newest_record = models.BigIntegerField(
        null=True, help_text="The newest record of a table with which its own were compared."
    )
    by = models.UUIDField(null=True)
    at = models.DateTimeField(help_text="When it arrived, by the database's clock.")

    objects = _LogsOfParty()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("-at", "-id")
        constraints = (
            models.UniqueConstraint(
                fields=("party", "sha256", "ingestion"), name="a_round_log_is_on_file_once"
            ),
        )

    def __str__(self) -> str:
        return f"round log {self.sha256[:12]} of {self.party}"

    @property
    def records(self) -> int:
        """Return how many lines record something else than a round, such as a table's cash."""
        return int(self.lines - self.good - self.rejected - self.already)

    @property
    def lines_sha256(self) -> str:
        """Return the digest of the file with the lines: as submitted, or as it was converted."""
        return self.converted or self.sha256


class _OfLog(ScopedHistory["RejectedCause"]):
    lookup = "log__party"


class RejectedCause(History):
    """Why lines of a log were rejected, how many, and the first examples."""

    part_of = "log"

    log = models.ForeignKey(RoundLog, on_delete=models.PROTECT, related_name="rejected_causes")
    cause = models.CharField(max_length=20)
    field = models.CharField(max_length=80, blank=True)
    reason = models.TextField()
    count = models.BigIntegerField()
    examples = models.JSONField(help_text="The first lines: number, round, text where short.")

    objects = _OfLog()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("log_id", "-count", "id")

    def __str__(self) -> str:
        return f"{self.count} × {self.reason}"


class _SegmentsOfParty(ScopedHistory["Segment"]):
    pass


class Segment(History):
    """Rounds of one operator, game and gambling day in a file, sorted by table.

    Another log for the same day makes a new generation of that day's segments, with the rounds of
    all its logs. The highest generation counts; earlier ones remain for comparison.
    """

    part_of = "log"

    log = models.ForeignKey(
        RoundLog,
        on_delete=models.PROTECT,
        related_name="segments",
        help_text="Whose registration made it.",
    )
    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="segments")
    game = models.CharField(max_length=40)
    day = models.DateField()
    generation = models.PositiveIntegerField()
    piece = models.PositiveIntegerField()
    logs = models.JSONField(help_text="SHA-256 of each log with rounds in it, in the order of ids.")
    identity = models.CharField(max_length=64, help_text="Digest over the values of its columns.")
    sha256 = models.CharField(max_length=64, help_text="Of the file in the archive.")
    index_sha256 = models.CharField(max_length=64)
    tails_sha256 = models.CharField(max_length=64)
    rounds = models.BigIntegerField()
    seats = models.BigIntegerField()
    tables = models.JSONField(help_text="By table: rounds, and the first and last instant.")
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()

    objects = _SegmentsOfParty()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("party_id", "day", "game", "generation", "piece")
        constraints = (
            models.UniqueConstraint(
                fields=("party", "game", "day", "generation", "piece"),
                name="a_segment_is_made_once",
            ),
        )
        indexes = (models.Index(fields=("party", "day"), name="segments_of_a_day"),)

    def __str__(self) -> str:
        return f"{self.game} of {self.day}, piece {self.piece}"
