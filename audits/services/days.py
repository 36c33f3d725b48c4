"""Gambling days: kept from the first that is heard of them, closed, supplemented afterwards."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction

from audits.event_types import days as events
from audits.models import GamblingDay
from audits.selectors.days import logs_of_day
from compliance import clock
from compliance.actor import SYSTEM
from compliance.gambling_day import DAY, day_start
from compliance.selectors.in_force import controls_at, cut_offs_of, zone
from compliance.selectors.log_tree import newest_checkpoint
from compliance.services.record import record
from compliance.services.refused import RefusedError
from compliance.walls import without_walls

if TYPE_CHECKING:
    from datetime import date, datetime

    from compliance.models import Party

DEFAULT_HAND_IN = timedelta(hours=6)
"""After the end of the day, where no controls say otherwise."""


def keep_day(*, party: Party, day: date) -> GamblingDay:
    """Keep an operator's gambling day, once.

    While it is open it follows its controls: a cut-off or a hand-in time that was approved
    meanwhile moves its end. The hand-in time is that of the controls in force when it begins.
    """
    cut_offs = cut_offs_of(party)
    begins, ends = (day_start(each, cut_offs, zone()) for each in (day, day + DAY))
    controls = controls_at(operator=party, at=begins)
    hand_in = DEFAULT_HAND_IN if controls is None else timedelta(hours=controls.hand_in_hours)
    times = {"begins": begins, "ends": ends, "closes": ends + hand_in}
    with transaction.atomic(), without_walls():
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
    """Close a day at whose closing time has passed; whether this call closed it.

    The checkpoint of the event log is kept with it: what a report of the day prints.
    """
    now = clock.now()
    with transaction.atomic(), without_walls():
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
    """Count one more supplement to a closed day; its number.

    Refuses a day that is open: what comes in time belongs to its first report.
    """
    with transaction.atomic(), without_walls():
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
