from django.db import models

from audits.models.round_log import RoundLog
from compliance.models.kinds import History
from compliance.models.party import Party
from compliance.models.walled import WalledHistory


class _OfParty(WalledHistory["Segment"]):
    pass


class Segment(History):
    """Rounds of one operator, game and gambling day in a file, tables one after the other.

    A log that touches a day again makes a new generation of that day's segments, which hold the
    rounds of all its logs; the highest generation counts, earlier ones stay comparable.
    """

    part_of = "log"

    log = models.ForeignKey(
        RoundLog,
        on_delete=models.PROTECT,
        related_name="segments",
        help_text="Whose registration made it.",
    )
    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="segments")
    game = models.CharField(max_length=20)
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

    objects = _OfParty()  # type: ignore[assignment,misc]

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
