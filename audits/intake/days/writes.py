"""Create, close and supplement gambling days."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from django.db import transaction

from audits.intake import events
from audits.intake.days.models import GamblingDay
from audits.intake.days.reads import bounds_of_day, closing_of_day
from audits.intake.reads import logs_of_day
from compliance import clock
from compliance.access.scope import without_access_scope
from compliance.clock import zone
from compliance.errors import RefusedError
from compliance.event_log.tree import newest_checkpoint
from compliance.events.actor import SYSTEM
from compliance.events.record import record

if TYPE_CHECKING:
    from datetime import date, datetime

    from compliance.access.models import Party


def keep_day(*, party: Party, day: date) -> GamblingDay:
    """Create or update an operator's gambling day.

    While the day is open it follows the controls: a newly approved cut-off or submission time moves
    its end. The submission time is that of the controls in effect when the day begins.
    """
    begins, ends = bounds_of_day(party, day)
    closes = closing_of_day(party, begins, ends)
    times = {"begins": begins, "ends": ends, "closes": closes}
    with transaction.atomic(), without_access_scope():
        kept, new = GamblingDay.objects.select_for_update(of=("self",)).get_or_create(
            party=party, day=day, defaults=times
        )
        moved = kept.state == GamblingDay.State.OPEN and _times_of(kept) != times
        if moved:
            for name, instant in times.items():
                setattr(kept, name, instant)
            kept.save(update_fields=list(times))
        if new or moved:
            instants = {name: instant.isoformat() for name, instant in _times_of(kept).items()}
            record(events.KEPT, by=SYSTEM, party=party, carries={"day": str(day), **instants})
    return kept


def close_day(*, day: GamblingDay) -> bool:
    """Close a day whose closing time has passed; return whether this call closed it.

    The event log's checkpoint is saved with the day, since a report of the day prints it.
    """
    now = clock.now()
    with transaction.atomic(), without_access_scope():
        kept = _locked(day)
        if kept.state == GamblingDay.State.CLOSED:
            return False
        if now < kept.closes:
            msg = f"The gambling day {kept.day} closes at {kept.closes.astimezone(zone())}."
            raise RefusedError(msg)
        newest = newest_checkpoint()
        kept.checkpoint = newest.note if newest else ""
        kept.closed = now
        kept.state = GamblingDay.State.CLOSED
        kept.save(update_fields=["checkpoint", "closed", "state"])
        noted = hashlib.sha256(kept.checkpoint.encode()).hexdigest() if newest else ""
        record(
            events.CLOSED,
            by=SYSTEM,
            party=kept.party,
            carries={
                "day": str(kept.day),
                "logs": [log.sha256 for log in logs_of_day(kept.party, kept.day)],
                "checkpoint": noted,
            },
        )
    return True


def supplement_day(*, day: GamblingDay) -> int:
    """Add a supplement to a closed day and return its number.

    Refuses an open day: a log that arrives on time belongs in the day's first report.
    """
    with transaction.atomic(), without_access_scope():
        kept = _locked(day)
        if kept.state != GamblingDay.State.CLOSED:
            msg = f"The gambling day {kept.day} is open: what comes now is no supplement."
            raise RefusedError(msg)
        kept.supplements += 1
        kept.save(update_fields=["supplements"])
        record(
            events.SUPPLEMENTED,
            by=SYSTEM,
            party=kept.party,
            carries={
                "day": str(kept.day),
                "number": kept.supplements,
                "logs": [log.sha256 for log in logs_of_day(kept.party, kept.day)],
            },
        )
    return kept.supplements


def _locked(day: GamblingDay) -> GamblingDay:
    return (
        GamblingDay.objects.select_for_update(of=("self",)).select_related("party").get(pk=day.pk)
    )


def _times_of(day: GamblingDay) -> dict[str, datetime]:
    return {"begins": day.begins, "ends": day.ends, "closes": day.closes}
