"""Remove personal data from events when the time to keep it is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import QuerySet

from compliance.event_types.log import PERSONAL_DATA_REMOVED
from compliance.models.event import PersonalData
from compliance.services.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from compliance.actor import Actor
    from compliance.models import Event, Person


@transaction.atomic
def erase_personal_data(
    *, events: Iterable[Event], rule: str, by: Person | Actor, reason: str
) -> int:
    """Empty the personal data of these events under a rule of retention; answer how many had any.

    The events stay, and so do their proofs: the salted digest in each then tells nothing. The
    event that records it names them all, so `verify log` can tell it from an attack.
    """
    rows: QuerySet[PersonalData] = QuerySet(PersonalData).filter(
        event__in=list(events), salt__isnull=False
    )
    numbers = sorted(rows.values_list("event_id", flat=True))
    if numbers:
        rows.update(salt=None, data=None)
        record(
            PERSONAL_DATA_REMOVED,
            by=by,
            reason=reason,
            carries={"count": len(numbers), "numbers": numbers, "rule": rule},
        )
    return len(numbers)
