"""Licenses of parties, and compacts with their values and checklists."""

from django.db import models
from django.db.models import F, Q

from compliance.access.models import Party
from compliance.history import Recorded
from compliance.law.values import Grade
from games.cents import in_dollars


class LicenseClass(models.TextChoices):
    """What a license allows its holder to do."""

    HOUSE_BANKED_CARD_ROOM = "house_banked", "House-banked card room"
    CLASS_F_CARD_ROOM = "class_f", "Class F card room"
    CARD_ROOM = "card_room", "Nonhouse-banked card room"
    MANUFACTURER = "manufacturer", "Manufacturer"
    DISTRIBUTOR = "distributor", "Distributor"
    GAMBLING_SERVICE_SUPPLIER = "service_supplier", "Gambling service supplier"
    STATE_CERTIFICATION = "state_certification", "State certification for tribal sales"
    TRIBAL_LICENSE = "tribal_license", "Tribal license"


class License(Recorded):
    """A license as granted: its holder, class, number and term."""

    holder = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="licenses")
    kind = models.CharField(max_length=20, choices=LicenseClass)
    number = models.CharField(max_length=40)
    issuer = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="+")
    from_date = models.DateField()
    to_date = models.DateField(null=True, blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ("holder__name", "from_date")
        constraints = (
            models.CheckConstraint(
                name="a_license_ends_after_it_begins",
                condition=Q(to_date__isnull=True) | Q(to_date__gt=F("from_date")),
            ),
            models.UniqueConstraint(
                fields=("holder", "kind", "number"), name="a_license_is_on_file_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.number}"


class LicenseChange(Recorded):
    """A change to a license before it expires: suspended, restored, revoked or given up."""

    class Effect(models.TextChoices):
        """Whether the license is in effect from the day on."""

        SUSPENDED = "suspended", "Suspended"
        RESTORED = "restored", "Restored"
        REVOKED = "revoked", "Revoked"
        SURRENDERED = "surrendered", "Given up"

    license = models.ForeignKey(License, on_delete=models.PROTECT, related_name="changes")
    effect = models.CharField(max_length=12, choices=Effect)
    from_date = models.DateField()
    reason = models.TextField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("from_date", "id")

    def __str__(self) -> str:
        return f"{self.license}: {self.get_effect_display()} from {self.from_date}"


class Compact(Recorded):
    """A tribal-state compact, or an amendment: the rules for a tribe's tables."""

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
    """A compact's value from a day on: the largest wager, hours, tables. Never the WAC's."""

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

    @property
    def name(self) -> str:
        """Return what the value limits."""
        return str(self.get_rule_display()).removesuffix(", in cents")

    @property
    def says(self) -> str:
        """Return the value in words: dollars, or a number."""
        if self.value is None:
            return "unknown"
        return in_dollars(self.value) if self.rule == self.Rule.WAGER else f"{self.value:,}"


class CompactItem(Recorded):
    """A requirement of a compact for filings: one line of a checklist."""

    compact = models.ForeignKey(Compact, on_delete=models.PROTECT, related_name="items")
    asks = models.TextField()
    citation = models.CharField(max_length=120)
    at = models.DateTimeField()

    class Meta:
        ordering = ("compact_id", "id")

    def __str__(self) -> str:
        return self.asks
