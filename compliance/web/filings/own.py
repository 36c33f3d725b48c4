"""The queues of filings that somebody of the commission moves on, on their home page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compliance import clock
from compliance.selectors.filing_queues import queues_of, waiting_filings
from compliance.web.who_asks import asked

if TYPE_CHECKING:
    from django.http import HttpRequest

    from compliance.models import Party

LONGEST_WAITING = 10


def own_queues(request: HttpRequest, party: Party) -> list[dict[str, Any]] | None:
    """Queue by queue what has waited longest; None for roles that move no filing on."""
    own = queues_of(held for held in asked(request).memberships if held.party_id == party.pk)
    if not own:
        return None
    waiting = waiting_filings(clock.today())
    by_queue = {queue: [each for each in waiting if each.queue == queue] for queue in own}
    return [
        {"queue": queue, "count": len(rows), "rows": rows[:LONGEST_WAITING]}
        for queue, rows in by_queue.items()
    ]
