from django.conf import settings
from django.db import models
from django.db.models import Q

from compliance.choices import Role
from compliance.models.kinds import Current
from compliance.models.party import Party
from compliance.models.walled import Walled


class Membership(Current):
    """A role that a person holds, or held, in a party. It is ended, never removed."""

    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="memberships")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships"
    )
    role = models.CharField(max_length=24, choices=Role)
    since = models.DateTimeField()
    ended = models.DateTimeField(null=True, blank=True)

    objects = Walled["Membership"]()

    class Meta:
        ordering = ("person__name", "role")
        constraints = (
            models.CheckConstraint(name="role_is_known", condition=Q(role__in=Role.values)),
            models.UniqueConstraint(
                fields=("party", "person", "role"),
                condition=Q(ended__isnull=True),
                name="a_role_is_held_once_at_a_time",
            ),
        )

    def __str__(self) -> str:
        return f"{self.person}, {self.get_role_display()} of {self.party}"
