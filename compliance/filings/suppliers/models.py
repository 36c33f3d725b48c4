"""Holders of substantial interests in a supplier, equipment, and where it was delivered."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from compliance.access.managers import ScopedHistory
from compliance.access.models import Party
from compliance.filings.documents.models import DocumentVersion
from compliance.filings.games.models import Game
from compliance.history import Recorded


class _OfSupplier(ScopedHistory["Interest"]):
    lookup = "supplier"


class Interest(Recorded):
    """A substantial interest in a supplier from a day on (WAC 230-03-045).

    The newest row of a holder counts; one that ended has no share from its day on.
    """

    class Basis(models.TextChoices):
        """Why the interest is substantial."""

        OWNERSHIP = "ownership", "Owns shares or units"
        MANAGEMENT = "management", "Officer, director or manager"
        PROFIT = "profit", "Shares in profits or debts"
        SUPPLY = "supply", "Supplies cash, goods or services"
        ROYALTY = "royalty", "Is paid royalties based on gambling receipts"
        ENDED = "ended", "No longer has an interest"

    personal_fields: ClassVar[tuple[str, ...]] = ("holder",)

    supplier = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="interests")
    holder = models.CharField(max_length=120, help_text="Name of the person or company.")
    basis = models.CharField(max_length=12, choices=Basis)
    portion = models.PositiveIntegerField(help_text="In hundredths of a percent: 2,500 is 25%.")
    from_date = models.DateField()
    document = models.ForeignKey(
        DocumentVersion, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    by = models.UUIDField()
    at = models.DateTimeField()

    objects = _OfSupplier()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("from_date", "id")
        constraints = (
            models.CheckConstraint(
                name="a_portion_is_at_most_the_whole", condition=Q(portion__lte=10_000)
            ),
        )

    def __str__(self) -> str:
        return f"{self.holder}, {self.percent} of {self.supplier}"

    @property
    def percent(self) -> str:
        """Return the portion in percent."""
        return f"{self.portion / 100:.2f}".rstrip("0").rstrip(".") + "%"


class _OfEquipmentSupplier(ScopedHistory["Equipment"]):
    lookup = "supplier"


class Equipment(Recorded):
    """A model of equipment for a game, with the licenses under which it is made and sold."""

    class Kind(models.TextChoices):
        """What it is."""

        LAYOUT = "layout", "Table layout"
        SHUFFLER = "shuffler", "Shuffling machine"
        SHOE = "shoe", "Dealing shoe"
        CARDS = "cards", "Cards"
        OTHER = "other", "Other equipment"

    supplier = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="equipment")
    game = models.ForeignKey(
        Game, on_delete=models.PROTECT, null=True, blank=True, related_name="equipment"
    )
    kind = models.CharField(max_length=12, choices=Kind)
    maker = models.CharField(max_length=120, help_text="Manufacturer, as named in its license.")
    model = models.CharField(max_length=120)
    license_numbers = models.JSONField(
        help_text="Licenses and certifications of the maker or distributor, by state and tribe."
    )
    by = models.UUIDField()
    at = models.DateTimeField()

    objects = _OfEquipmentSupplier()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("kind", "id")

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.model}, made by {self.maker}"


class _OfDelivery(ScopedHistory["Delivery"]):
    lookup = "equipment__supplier"


class Delivery(Recorded):
    """Equipment sold or leased to an operator, from a day on."""

    equipment = models.ForeignKey(Equipment, on_delete=models.PROTECT, related_name="deliveries")
    operator = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="deliveries")
    from_date = models.DateField()
    by = models.UUIDField()
    at = models.DateTimeField()

    objects = _OfDelivery()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("from_date", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("equipment", "operator", "from_date"), name="a_delivery_is_on_file_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.equipment}, to {self.operator}"
