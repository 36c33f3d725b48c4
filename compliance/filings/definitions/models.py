from django.db import models

from compliance.access.managers import Scoped
from compliance.access.models import Person
from compliance.filings.games.models import Game
from compliance.history import Current


class _OfItsSupplier(Scoped["DefinitionDraft"]):
    lookup = "game__supplier"
    public_without = True


class DefinitionDraft(Current):
    """The definition of a game that its supplier, or the commission, is still writing."""

    game = models.OneToOneField(Game, on_delete=models.PROTECT, related_name="definition_draft")
    text = models.TextField(help_text="The definition, as TOML.")
    saved_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    objects = _OfItsSupplier()

    def __str__(self) -> str:
        return f"draft of the definition of {self.game}"
