from django.db import models

from compliance.access.managers import ScopedHistory
from compliance.access.models import Party
from compliance.history import Recorded


class _OfParty(ScopedHistory["LogMapping"]):
    pass


class LogMapping(Recorded):
    """A version of an operator's mapping from its own files to the round log; it never changes."""

    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="log_mappings")
    name = models.CharField(max_length=60)
    version = models.PositiveIntegerField()
    content = models.JSONField(help_text="As it is exported.")
    by = models.UUIDField(null=True)
    at = models.DateTimeField()

    objects = _OfParty()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("name", "-version")
        constraints = (
            models.UniqueConstraint(
                fields=("party", "name", "version"), name="a_mapping_version_is_saved_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.name}, version {self.version}"
