"""The statistics of segments, as counted."""

from typing import ClassVar

from django.db import models

from audits.intake.models import Segment
from audits.replay.jobs import WATCH
from compliance.access.managers import Scoped
from compliance.access.models import Party
from compliance.history import Current


class _OfOperator(Scoped["WatchedSegment"]):
    lookup = "segment__party"


class WatchedSegment(Current):
    """What one segment contributes to its operator's streams: counts, derived from its rounds."""

    JOB: ClassVar[str] = WATCH
    """The kind of job that counts an operator's segments and weighs the streams."""

    segment = models.OneToOneField(Segment, on_delete=models.PROTECT, related_name="watched")
    version = models.PositiveSmallIntegerField()
    statistics = models.BinaryField(help_text="Counts of cards and results.")
    findings_digest = models.CharField(
        max_length=64, blank=True, help_text="Of the findings in which errors were counted."
    )
    errors = models.JSONField(
        default=list, help_text="Scope, name, rounds wrong for the player and for the house."
    )
    is_summed = models.BooleanField(
        default=False, help_text="Whether its operator's and game's sum includes its statistics."
    )

    objects = _OfOperator()

    def __str__(self) -> str:
        return f"statistics of {self.segment}"


class _OfParty(Scoped["WatchedGame"]):
    pass


class WatchedGame(Current):
    """The sum of an operator's segments of one game, so that years are not added up each night."""

    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="+")
    game = models.CharField(max_length=64)
    version = models.PositiveSmallIntegerField()
    statistics = models.BinaryField(help_text="Counts of cards and results.")

    strongest = models.JSONField(
        default=dict, help_text="By code of an alarm: the strongest evidence, streams, and alarms."
    )

    objects = _OfParty()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("party", "game"), name="a_game_is_summed_once"),
        )

    def __str__(self) -> str:
        return f"statistics of {self.game} at {self.party}"
