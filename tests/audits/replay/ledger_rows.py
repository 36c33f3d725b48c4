"""Replays in the ledger without rounds; a work unit leased here has nothing to audit."""

from __future__ import annotations

import hashlib
from datetime import UTC, date, datetime

from audits.intake.models import RoundLog, Segment
from audits.replay.models import Replay, ReplaySegment
from compliance.access.models import Party
from compliance.access.permissions import PartyKind
from compliance.access.scope import without_access_scope
from tests.compliance.people import made_party

NIGHT = date(2025, 7, 12)
AT = datetime(2025, 7, 13, 5, tzinfo=UTC)


def sha(text: object) -> str:
    return hashlib.sha256(str(text).encode()).hexdigest()


def commission() -> Party:
    with without_access_scope():
        found = Party.objects.filter(kind=PartyKind.COMMISSION_UNIT).first()
    return found or made_party(PartyKind.COMMISSION_UNIT, "field")


def made_replay(units: int = 3, *, code: str = "cedar", priority: int = 0) -> Replay:
    unit = commission()
    with without_access_scope():
        operator = Party.objects.filter(code=code).first() or made_party(PartyKind.CARD_ROOM, code)
        log = RoundLog.objects.filter(party=operator).first()
        if log is None:
            log = RoundLog(
                party=operator,
                sha256=sha(code),
                size=1,
                name="log",
                lines=1,
                good=1,
                rejected=0,
                already=0,
                at=AT,
            )
            log.save()
        generation = Segment.objects.filter(party=operator).count()
        replay = Replay.objects.create(
            party=operator,
            made_for=unit,
            scope={},
            days=[],
            inputs=sha("inputs"),
            fingerprint=sha("fingerprint"),
            engine=sha("engine"),
            priority=priority,
            at=AT,
        )
        for position in range(units):
            segment = Segment(
                log=log,
                party=operator,
                game="pyramid-poker",
                day=NIGHT,
                generation=generation,
                piece=position,
                logs=[log.sha256],
                identity=sha(position),
                sha256=sha(position),
                index_sha256=sha(position),
                tails_sha256=sha(position),
                rounds=10,
                seats=20,
                tables={},
                first_at=AT,
                last_at=AT,
            )
            segment.save()
            ReplaySegment.objects.create(
                replay=replay, segment=segment, position=position, terms=sha("terms")
            )
    return replay
