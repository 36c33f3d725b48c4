"""Which words a letter has: its own, or else its agency's template."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compliance.access.permissions import Action, PartyKind
from compliance.access.scope import without_access_scope
from compliance.filings.letters.models import LetterWords

if TYPE_CHECKING:
    from uuid import UUID

    from compliance.access.models import Party

WRITES = {
    PartyKind.COMMISSION_UNIT: Action.APPROVE_GAMES,
    PartyKind.TRIBAL_AGENCY: Action.DECIDE_AS_AGENCY,
}
"""The person who decides in a party's name writes its letters."""


def template_of(party: Party) -> LetterWords:
    """Return the newest template of an agency; an empty one if it has none."""
    with without_access_scope():  # a letter is read by others than its agency
        found = LetterWords.objects.filter(party=party, decision__isnull=True).last()
    return found or LetterWords(party=party)


def words_of_letter(decision: UUID) -> LetterWords | None:
    """Return the words of the letter about a decision; None if only its template has any."""
    with without_access_scope():
        found: LetterWords | None = LetterWords.objects.filter(decision=decision).last()
    return found
