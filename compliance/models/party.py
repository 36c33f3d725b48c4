from uuid import uuid4

from django.db import models
from django.db.models import Q

from compliance.choices import PartyKind
from compliance.models.kinds import Current
from compliance.models.walled import Walled


class _ShownParties(Walled["Party"]):
    lookup = "shown_to__party"
    shared = True


class Party(Current):
    """Who takes part: a commission unit, a card room, a tribe's operation or agency, a supplier.

    `code` is what other programs call it (`--operator CODE`) and never changes.
    """

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    kind = models.CharField(max_length=20, choices=PartyKind)
    code = models.SlugField(max_length=32, unique=True)
    name = models.CharField(max_length=120)
    agency = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="operations",
        help_text="Of a tribal operation: the gaming agency of its tribe.",
    )

    objects = _ShownParties()

    class Meta:
        ordering = ("name",)
        verbose_name_plural = "parties"
        constraints = (
            models.CheckConstraint(
                name="party_kind_is_known", condition=Q(kind__in=PartyKind.values)
            ),
            models.CheckConstraint(
                name="only_a_tribal_operation_has_an_agency",
                condition=Q(agency__isnull=True) | Q(kind=PartyKind.TRIBAL_OPERATION),
            ),
        )

    def __str__(self) -> str:
        return self.name
