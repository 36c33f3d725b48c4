from uuid import uuid4

from django.db import models

from compliance.access.managers import Scoped
from compliance.access.models import Party
from compliance.history import Current


class _StandingOfParty(Scoped["StandingRelease"]):
    pass


class StandingRelease(Current):
    """Automatic release of a code's findings to an operator, without an agent's action for each."""

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="standing_releases")
    code = models.CharField(max_length=60)
    since = models.DateTimeField()
    ended = models.DateTimeField(null=True)

    objects = _StandingOfParty()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("party", "code"),
                condition=models.Q(ended__isnull=True),
                name="one_standing_release_of_a_code",
            ),
        )

    def __str__(self) -> str:
        return f"{self.code} to {self.party}"
