from django.db import models
from django.db.models import F, Q

from compliance.models.kinds import Recorded
from compliance.models.party import Party


class LicenceClass(models.TextChoices):
    """What a licence allows its holder."""

    HOUSE_BANKED_CARD_ROOM = "house_banked", "House-banked card room"
    CLASS_F_CARD_ROOM = "class_f", "Class F card room"
    CARD_ROOM = "card_room", "Nonhouse-banked card room"
    MANUFACTURER = "manufacturer", "Manufacturer"
    DISTRIBUTOR = "distributor", "Distributor"
    GAMBLING_SERVICE_SUPPLIER = "service_supplier", "Gambling service supplier"
    STATE_CERTIFICATION = "state_certification", "State certification for tribal sales"
    TRIBAL_LICENCE = "tribal_licence", "Tribal licence"


class Licence(Recorded):
    """A licence as granted: its holder, class, number, and the days on which it holds."""

    holder = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="licences")
    kind = models.CharField(max_length=20, choices=LicenceClass)
    number = models.CharField(max_length=40)
    issuer = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="+")
    from_date = models.DateField()
    to_date = models.DateField(null=True, blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ("holder__name", "from_date")
        constraints = (
            models.CheckConstraint(
                name="a_licence_ends_after_it_begins",
                condition=Q(to_date__isnull=True) | Q(to_date__gt=F("from_date")),
            ),
            models.UniqueConstraint(
                fields=("holder", "kind", "number"), name="a_licence_is_on_file_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.number}"


class LicenceChange(Recorded):
    """What became of a licence before its time: suspended, restored, revoked, given up."""

    class Effect(models.TextChoices):
        """Whether it holds from the day on."""

        SUSPENDED = "suspended", "Suspended"
        RESTORED = "restored", "Restored"
        REVOKED = "revoked", "Revoked"
        SURRENDERED = "surrendered", "Given up"

    licence = models.ForeignKey(Licence, on_delete=models.PROTECT, related_name="changes")
    effect = models.CharField(max_length=12, choices=Effect)
    from_date = models.DateField()
    reason = models.TextField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("from_date", "id")

    def __str__(self) -> str:
        return f"{self.licence}: {self.get_effect_display()} from {self.from_date}"
