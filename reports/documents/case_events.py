"""The events of a case out of the log, each with the proof that the log holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from audits.models import CaseRemoval, Decision
from compliance.models import Event
from compliance.selectors.events import tell_all
from compliance.selectors.log_tree import inclusion_proof, newest_checkpoint
from compliance.services.integrate import integrate
from reports.documents.people import local

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet

    from audits.models import Case


def events_of(case: Case) -> QuerySet[Event]:
    """What happened to a case and to what lay in it, decisions on its patterns too, in order.

    What was noted within the commission is on no paper.
    """
    items = case.items.values("pk")
    patterns = case.items.filter(removal__isnull=True, pattern__isnull=False).values("pattern")
    things = [
        case.uuid,
        *case.items.values_list("uuid", flat=True),
        *CaseRemoval.objects.filter(item__in=items).values_list("uuid", flat=True),
        *Decision.objects.filter(pattern__in=patterns).values_list("uuid", flat=True),
    ]
    found: QuerySet[Event] = (
        Event.objects.filter(object__in=things).select_related("personal", "placed").order_by("pk")
    )
    return found


def proven(events: Sequence[Event]) -> dict[str, Any]:
    """The events in words with their places in the log, all proven under one checkpoint."""
    integrate()
    checkpoint = newest_checkpoint()
    found = Event.objects.filter(pk__in=[each.pk for each in events])
    rows = tell_all(found.select_related("personal", "placed").order_by("pk"))
    return {
        "checkpoint": checkpoint.note if checkpoint else None,
        "rows": [
            {
                "at": local(each.event.at),
                "type": each.event.type,
                "says": each.says,
                "reason": each.event.reason,
                "uuid": str(each.event.uuid),
                "leaf": each.index,
                "hash": bytes(each.event.placed.hash).hex(),
                "proof": inclusion_proof(each.event.placed, checkpoint),
            }
            for each in rows
            if checkpoint is not None
        ],
    }
