from django.db import models

from compliance.models.kinds import History, Recorded
from compliance.models.party import Party
from compliance.models.walled import WalledHistory


class _OfParty(WalledHistory["RoundLog"]):
    pass


class RoundLog(Recorded):
    """A round log as handed in: the evidence, and what was read in it. It never changes."""

    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="round_logs")
    sha256 = models.CharField(max_length=64)
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
    by = models.UUIDField(null=True)
    at = models.DateTimeField()

    objects = _OfParty()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("-at", "-id")
        constraints = (
            models.UniqueConstraint(fields=("party", "sha256"), name="a_round_log_is_on_file_once"),
        )

    def __str__(self) -> str:
        return f"round log {self.sha256[:12]} of {self.party}"


class _OfLog(WalledHistory["RejectedCause"]):
    lookup = "log__party"


class RejectedCause(History):
    """Why lines of a log were rejected, how many, and the first of them."""

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
