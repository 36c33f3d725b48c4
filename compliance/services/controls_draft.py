"""The draft of internal controls: saved part by part, so that nobody overwrites anybody."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.text import capfirst

from compliance import clock
from compliance.controls.parts import (
    digest_of_part,
    is_part,
    part_in,
    unreadable_in,
    with_part,
)
from compliance.event_types import controls as events
from compliance.models import ApiKey, ControlsDraft
from compliance.permissions import Action
from compliance.selectors.controls import starting_point
from compliance.services.people import require
from compliance.services.record import record
from compliance.services.refused import RefusedError
from compliance.walls import without_walls

if TYPE_CHECKING:
    from compliance.actor import Asker
    from compliance.controls.content import Problem
    from compliance.models import Party

STRETCH = timedelta(minutes=15)
"""What one person saves without a longer pause is one event: saving goes on while they type."""


class UnreadableError(RefusedError):
    """A part says what cannot be read; `problems` name each place."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        super().__init__("This part cannot be read, and was not saved.")


class OvertakenError(RefusedError):
    """Somebody saved the same part meanwhile: what they saved stands, and is in the draft."""

    def __init__(self, draft: ControlsDraft, by: Asker) -> None:
        self.draft = draft
        who = "you, in another window," if draft.saved_by == by else draft.hand
        super().__init__(
            f"{capfirst(who)} saved this section while you were writing. Nothing of that was "
            "overwritten, and what you wrote is still on this page."
        )


@transaction.atomic
def save_part(*, operator: Party, part: str, value: Any, seen: str, by: Asker) -> ControlsDraft:
    """Save one part of the operator's draft, whole or not; None takes a game out.

    `seen` is the digest of the part as it was shown. Refuses: a part that there is not; a value
    that cannot be read (`UnreadableError`); a part that somebody saved meanwhile
    (`OvertakenError`). Other parts may be written at the same time.
    """
    require(by, Action.WRITE_CONTROLS, operator)
    if not is_part(part):
        msg = f"Internal controls have no section {part!r}."
        raise RefusedError(msg)
    if unreadable := unreadable_in(part, value):
        raise UnreadableError(unreadable)
    with without_walls():
        content, newest = starting_point(operator)
        ControlsDraft.objects.get_or_create(
            operator=operator, defaults={"content": content, "based_on": newest}
        )
        draft = (
            ControlsDraft.objects.select_for_update(of=("self",))
            .select_related("saved_by")
            .get(operator=operator)
        )
    if draft.saved is not None and part_in(draft.content, part) == value:
        return draft
    if digest_of_part(draft.content, part) != seen:
        raise OvertakenError(draft, by)
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
