from django.db import models

from compliance.law.values import Grade
from compliance.models.approval import GameRequest
from compliance.models.kinds import Recorded
from compliance.models.party import Party


class Compact(Recorded):
    """A tribal-state compact, or an amendment: what a tribe's tables are judged by."""

    agency = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="compacts")
    title = models.CharField(max_length=120)
    from_date = models.DateField()
    source = models.TextField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("agency__name", "from_date")

    def __str__(self) -> str:
        return self.title


class CompactValue(Recorded):
    """A value of a compact from a day on: the largest wager, hours, tables. Never the WAC's."""

    class Rule(models.TextChoices):
        """What a compact limits."""

        WAGER = "wager", "Largest single wager, in cents"
        PLAYERS = "players", "Players at a table"
        TABLES = "tables", "Tables"
        HOURS_A_WEEK = "hours_a_week", "Hours of operation a week"

    compact = models.ForeignKey(Compact, on_delete=models.PROTECT, related_name="values")
    rule = models.CharField(max_length=16, choices=Rule)
    from_date = models.DateField()
    value = models.BigIntegerField(null=True, help_text="Left out where it is not known.")
    grade = models.CharField(max_length=10, choices=[(g.value, g.value) for g in Grade])
    citation = models.CharField(max_length=120)
    at = models.DateTimeField()

    class Meta:
        ordering = ("rule", "from_date", "id")

    def __str__(self) -> str:
        return f"{self.get_rule_display()} from {self.from_date}"


class CompactItem(Recorded):
    """Something that a compact asks of a filing: one line of a checklist."""

    compact = models.ForeignKey(Compact, on_delete=models.PROTECT, related_name="items")
    asks = models.TextField()
    citation = models.CharField(max_length=120)
    at = models.DateTimeField()

    class Meta:
        ordering = ("compact_id", "id")

    def __str__(self) -> str:
        return self.asks


class CompactTick(Recorded):
    """What a tribe's agency found of a line of the checklist in a request; the last one counts."""

    request = models.ForeignKey(GameRequest, on_delete=models.PROTECT, related_name="ticks")
    item = models.ForeignKey(CompactItem, on_delete=models.PROTECT, related_name="ticks")
    there = models.BooleanField()
    note = models.TextField(blank=True)
    by = models.UUIDField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("at", "id")

    def __str__(self) -> str:
        return f"{'there' if self.there else 'not there'}: {self.item}"
