"""The words of an agency's letters, and of one letter."""

from typing import ClassVar

from django.db import models

from compliance.access.managers import ScopedHistory
from compliance.access.models import Party
from compliance.history import Recorded


class _OfAgency(ScopedHistory["LetterWords"]):
    lookup = "party"


class LetterWords(Recorded):
    """The words that an agency puts around its decisions; those of each letter are kept with it.

    Without a `decision` they are the agency's template, of which the newest is used. An empty field
    leaves that part to the system, except in a letter's own words, which say exactly what is sent.
    """

    PARTS: ClassVar = ("opening", "contacts", "signature", "copies")

    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="letter_words")
    decision = models.UUIDField(
        null=True, db_index=True, help_text="The approval or denial that the letter is about."
    )
    letterhead = models.TextField(blank=True)
    opening = models.TextField(blank=True)
    contacts = models.TextField(blank=True)
    signature = models.TextField(blank=True)
    copies = models.TextField(blank=True)
    by = models.UUIDField()
    at = models.DateTimeField()

    objects = _OfAgency()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("at", "id")
        verbose_name_plural = "letter words"

    def __str__(self) -> str:
        return f"letter template of {self.party}"
