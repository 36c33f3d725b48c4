from typing import ClassVar
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q

from compliance.choices import Role
from compliance.models.kinds import Current
from compliance.models.party import Party
from compliance.models.walled import Walled


class Invitation(Current):
    """Asks somebody by mail to take a role in a party. There is no other way in.

    The mail holds a secret of which only the SHA-256 is kept. It serves once, until it expires.
    """

    personal_fields: ClassVar[tuple[str, ...]] = ("email", "secret_sha256")

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="invitations")
    role = models.CharField(max_length=24, choices=Role)
    email = models.EmailField(max_length=254)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    secret_sha256 = models.CharField(max_length=64, unique=True)
    made = models.DateTimeField()
    expires = models.DateTimeField()
    accepted = models.DateTimeField(null=True, blank=True)
    withdrawn = models.DateTimeField(null=True, blank=True)

    objects = Walled["Invitation"]()

    class Meta:
        ordering = ("-made",)
        constraints = (
            models.CheckConstraint(name="invited_role_is_known", condition=Q(role__in=Role.values)),
            models.CheckConstraint(
                name="an_invitation_ends_one_way",
                condition=Q(accepted__isnull=True) | Q(withdrawn__isnull=True),
            ),
        )

    def __str__(self) -> str:
        return f"{self.email} to {self.party}"
