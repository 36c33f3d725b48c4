"""Registering: the one transaction by which a log is on file, with all that was made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from audits.event_types import round_logs as events
from audits.instants import instant
from audits.models import HandIn, RejectedCause, RoundLog, Segment
from audits.services.days import keep_day
from audits.services.reading import LeaseLostError, Reading
from compliance import clock
from compliance.actor import SYSTEM
from compliance.services.record import record
from compliance.walls import without_walls

if TYPE_CHECKING:
    from datetime import datetime

    from audits.services.segment_making import ReadLog


@transaction.atomic
def register_log(*, reading: Reading, read: ReadLog, at: datetime) -> RoundLog:
    """Put a log that was read on file, under the lease by which it was read.

    Raises `LeaseLostError` where that has ended: another reader registers it.
    """
    hand_in = reading.hand_in
    asker = hand_in.by or hand_in.key
    with without_walls():
        finished = reading.held().update(
            state=HandIn.State.REGISTERED,
            step="",
            token=None,
            lease_until=None,
            lines=read.lines,
            progress=hand_in.size,
            changed=clock.now(),
        )
        if not finished:
            raise LeaseLostError
        log = RoundLog(
            party=hand_in.party,
            sha256=hand_in.sha256,
            size=hand_in.received,
            name=hand_in.name,
            lines=read.lines,
            good=read.good,
            rejected=read.rejected,
            already=read.already,
            first_at=None if read.first_at is None else instant(read.first_at),
            last_at=None if read.last_at is None else instant(read.last_at),
            corrects=hand_in.corrects,
            reason=hand_in.reason,
            rejected_file=read.rejected_file,
            by=asker.uuid if asker else None,
            at=at,
        )
        log.save()
        RejectedCause.objects.bulk_create(
            [RejectedCause(log=log, **cause) for cause in read.causes]
        )
        Segment.objects.bulk_create(
            [Segment(log=log, party=hand_in.party, **made) for made in read.segments]
        )
        for day in sorted({made["day"] for made in read.segments}):
            keep_day(party=hand_in.party, day=day)
        HandIn.objects.filter(pk=hand_in.pk).update(log=log)
        hand_in.pieces.all().delete()
    corrects = hand_in.corrects
    record(
        events.REGISTERED,
        by=asker or SYSTEM,
        party=hand_in.party,
        about=log,
        reason=hand_in.reason,
        carries={
            "name": log.name,
            "sha256": log.sha256,
            "size": log.size,
            "lines": log.lines,
            "good": log.good,
            "rejected": log.rejected,
            "already": log.already,
            "corrects": corrects.sha256 if corrects else "",
        },
    )
    return log
