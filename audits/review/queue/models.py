from uuid import uuid4

from django.conf import settings
from django.db import models

from compliance.access.models import Party
from compliance.history import Current


class SavedFilter(Current):
    """The filters of a list's URL, saved under a name for a person or their unit."""

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="saved_filters"
    )
    unit = models.ForeignKey(
        Party, on_delete=models.PROTECT, null=True, related_name="+", help_text="Shared with it."
    )
    name = models.CharField(max_length=60)
    list = models.CharField(max_length=40, help_text="The list that it is of, as a URL name.")
    query = models.CharField(max_length=1000)

    class Meta:
        ordering = ("name",)
        constraints = (
            models.UniqueConstraint(
                fields=("person", "list", "name"), name="a_filter_has_its_name_once"
            ),
        )

    def __str__(self) -> str:
        return self.name
