"""The draft of internal controls: saved part by part, so that users do not overwrite each other."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.text import capfirst

from compliance import clock
from compliance.access.models import ApiKey
from compliance.access.permissions import Action
from compliance.access.reads import require
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.record import record
from compliance.filings.controls import events
from compliance.filings.controls.content import (
    digest_of_part,
    find_unreadable,
    get_part,
    is_part,
    with_part,
)
from compliance.filings.controls.models import ControlsDraft
from compliance.filings.controls.reads import starting_point

if TYPE_CHECKING:
    from compliance.access.models import Party
    from compliance.access.scope import Asker
    from compliance.filings.controls.content import Problem


STRETCH = timedelta(minutes=15)
"""What one person saves without a longer pause is one event: saving continues while they type."""


class UnreadableError(RefusedError):
    """A part contains values that cannot be read; `problems` names each place."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        super().__init__("This part cannot be read, and was not saved.")


class StaleDraftError(RefusedError):
    """Another user saved the same part first: the draft keeps what they saved."""

    def __init__(self, draft: ControlsDraft, by: Asker) -> None:
        self.draft = draft
        who = "you, in another window," if draft.saved_by == by else draft.hand
        super().__init__(
            f"{capfirst(who)} saved this section while you were writing. Nothing of that was "
            "overwritten, and what you wrote is still on this page."
        )


@transaction.atomic
def save_part(*, operator: Party, part: str, value: Any, seen: str, by: Asker) -> ControlsDraft:
    """Save one part of the operator's draft, whole or not at all; None removes a game.

    `seen` is the digest of the part as it was shown. Rejects an unknown part, a value that cannot
    be read (`UnreadableError`), and a part that another user saved meanwhile (`StaleDraftError`).
    Other parts may be edited at the same time.
    """
    require(by, Action.WRITE_CONTROLS, operator)
    if not is_part(part):
        msg = f"Internal controls have no section {part!r}."
        raise RefusedError(msg)
    if unreadable := find_unreadable(part, value):
        raise UnreadableError(unreadable)
    with without_access_scope():
        content, newest = starting_point(operator)
        ControlsDraft.objects.get_or_create(
            operator=operator, defaults={"content": content, "based_on": newest}
        )
        draft = (
            ControlsDraft.objects.select_for_update(of=("self",))
            .select_related("saved_by")
            .get(operator=operator)
        )
    if draft.saved is not None and get_part(draft.content, part) == value:
        return draft
    if digest_of_part(draft.content, part) != seen:
        raise StaleDraftError(draft, by)
    now = clock.now()
    person = None if isinstance(by, ApiKey) else by
    goes_on = draft.saved_by == person and draft.saved is not None and now - draft.saved < STRETCH
    draft.content = with_part(draft.content, part, value)
    draft.edition += 1
    draft.saved_by, draft.saved = person, now
    draft.save(update_fields=["content", "edition", "saved_by", "saved"])
    if not goes_on:
        record(events.DRAFT_SAVED, by=by, party=operator, carries={"edition": draft.edition})
    return draft
