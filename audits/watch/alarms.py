"""Alarms of the watch as findings of issues: leads for an agent, never violations in themselves."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from django.db import transaction

from audits.replay.findings.models import Finding
from audits.review.issues.writes import count_night, issue_of_cause
from audits.watch.events import ALARMS_CHANGED
from audits.watch.statistics import OPERATOR, PLAYER, SHOE, TABLE
from compliance.access.scope import without_access_scope
from compliance.events.actor import SYSTEM
from compliance.events.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from audits.replay.findings.models import Issue
    from audits.watch.streams import Stream
    from compliance.access.models import Party

WATCH: Final = "watch."
CONTROLS: Final = "WAC 230-15-425"
"""Games must be dealt as the approved internal controls say."""
STANDS_FROM: Final = 6.0
"""An alarm that was raised stands until its evidence falls below this, so it does not flicker."""
Standing = Finding.Standing


def note_alarms(*, operator: Party, streams: Sequence[Stream], day: date) -> tuple[int, int]:
    """Open, confirm and end alarms by the evidence up to a day; return how many are new and gone.

    Each subject has one alarm for its cards, each wager and its errors: that of its strongest
    stream. An alarm of the whole operator is only raised if none of its tables has one.
    """
    with transaction.atomic(), without_access_scope():
        known = {
            each.identity: each
            for each in Finding.objects.select_for_update(of=("self",))
            .filter(issue__party=operator, issue__code__startswith=WATCH)
            .select_related("issue")
        }
        standing = _standing(operator, streams, known)
        raised = ended = 0
        touched: dict[tuple[int, date], Issue] = {}
        for identity, stream in standing.items():
            finding = known.get(identity)
            raised += finding is None or finding.standing == Standing.GONE
            finding = _note(operator, identity, stream, day, finding)
            touched[finding.issue_id, finding.day] = finding.issue
        for identity, finding in known.items():
            if identity not in standing and finding.standing != Standing.GONE:
                finding.standing = Standing.GONE
                finding.save(update_fields=["standing"])
                touched[finding.issue_id, finding.day] = finding.issue
                ended += 1
        for (_, of_day), issue in touched.items():
            count_night(issue, of_day)
        if raised or ended:
            record(
                ALARMS_CHANGED,
                by=SYSTEM,
                party=operator,
                carries={
                    "day": str(day),
                    "raised": raised,
                    "ended": ended,
                    "streams": len(streams),
                    "codes": sorted({each.kind for each in standing.values()}),
                },
            )
    return raised, ended


def _standing(
    operator: Party, streams: Sequence[Stream], known: dict[str, Finding]
) -> dict[str, Stream]:
    """Return the strongest stream of each alarm that stands; `streams` are strongest first."""
    found: dict[str, Stream] = {}
    for stream in streams:
        identity = identity_of(operator, stream)
        before = known.get(identity)
        stood = before is not None and before.standing != Standing.GONE
        stands = stood and not stream.is_hint and stream.figures.evidence >= STANDS_FROM
        if stream.is_alarm or stands:
            found.setdefault(identity, stream)
    local = {(each.game, each.kind) for each in found.values() if each.subject.scope != OPERATOR}
    return {
        identity: each
        for identity, each in found.items()
        if each.subject.scope != OPERATOR or (each.game, each.kind) not in local
    }


def identity_of(operator: Party, stream: Stream) -> str:
    """Return what an alarm of a stream is known by."""
    return hashlib.sha256(f"{operator.uuid}/{stream.kind}/{stream.name}".encode()).hexdigest()[:32]


def _note(
    operator: Party, identity: str, stream: Stream, day: date, finding: Finding | None
) -> Finding:
    figures = stream.figures
    usual = f"{figures.expected:,.0f}, give or take {figures.deviation:,.0f}"
    says = {
        "logged": f"{stream.title}: {figures.observed:,.0f}",
        "expected": f"{usual}. {stream.says}",
    }
    if finding is None:
        table = stream.subject.name.partition(", ")[0]
        return Finding.objects.create(
            issue=issue_of_cause(
                party=operator,
                code=stream.kind,
                game=stream.game,
                table=table if stream.subject.scope in {TABLE, SHOE} else "",
            ),
            identity=identity,
            day=day,
            player=stream.subject.name if stream.subject.scope == PLAYER else "",
            cites=[CONTROLS],
            **says,
        )
    was_gone = finding.standing == Standing.GONE
    finding.standing = Standing.NEW if was_gone else Standing.CONFIRMED
    finding.logged, finding.expected = says["logged"], says["expected"]
    finding.save(update_fields=["standing", "logged", "expected"])
    return finding
