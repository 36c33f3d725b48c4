"""Let the log out, and record that it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from compliance.event_types.log import EXPORTED
from compliance.selectors.log_export import export_part, export_whole
from compliance.selectors.log_tree import newest_checkpoint
from compliance.services.integrate import integrate
from compliance.services.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import QuerySet

    from compliance.actor import Actor
    from compliance.models import Event, Person


def export_log(
    *, by: Person | Actor, events: QuerySet[Event] | None = None, asked: str = ""
) -> Iterator[str]:
    """Export the whole log, or chosen events with their proofs, as lines of JSON.

    `asked` says in words which were chosen. The export is an event itself, recorded and given its
    place before the first line, so a whole export ends with its own event.
    """
    with transaction.atomic():
        last = newest_checkpoint()
        chosen = events.count() if events is not None else (last.size if last else 0)
        own = record(
            EXPORTED,
            by=by,
            carries={"count": chosen, "filter": asked, "size": last.size if last else 0},
        )
    integrate()
    head = newest_checkpoint()
    assert head is not None  # noqa: S101 - the export's own event has just got its place
    return export_whole(head) if events is None else export_part(head, events.filter(pk__lt=own.pk))
