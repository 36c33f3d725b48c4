"""Save an agency's letter template, and the words of one letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from compliance import clock
from compliance.access.permissions import PartyKind
from compliance.access.reads import require
from compliance.errors import RefusedError
from compliance.events.record import record
from compliance.filings.letters import events
from compliance.filings.letters.models import LetterWords
from compliance.filings.letters.reads import WRITES, template_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from compliance.access.models import Party, Person


@transaction.atomic
def save_template(*, party: Party, words: Mapping[str, str], by: Person) -> LetterWords:
    """Save a new edition of an agency's template; earlier letters keep theirs.

    Rejects a party that decides nothing, and anyone who does not decide in its name.
    """
    action = WRITES.get(PartyKind(party.kind))
    if action is None:
        msg = f"{party} decides no requests, so it has no letters."
        raise RefusedError(msg)
    require(by, action, party)
    template = LetterWords(party=party, by=by.uuid, at=clock.now(), **words)
    template.save()
    record(events.TEMPLATE_SAVED, by=by, party=party, about=template)
    return template


def keep_words(
    *, decision: UUID, party: Party, words: Mapping[str, str], by: Person
) -> LetterWords:
    """Keep the words of the letter about a decision, in the transaction of the decision.

    The letterhead is the agency's own.
    """
    letterhead = template_of(party).letterhead
    kept = LetterWords(
        party=party,
        decision=decision,
        by=by.uuid,
        at=clock.now(),
        letterhead=letterhead,
        **{name: words[name] for name in LetterWords.PARTS},
    )
    kept.save()
    record(events.WORDS_KEPT, by=by, party=party, about=kept, carries={"decision": str(decision)})
    return kept
