"""Thousands of operators, each with the same audited night: rows of its own, shared files."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from audits.intake.days.writes import close_day, keep_day
from audits.intake.ingestion import take_in_here
from audits.intake.models import RoundLog, Segment
from audits.intake.submission import submit_whole
from audits.replay.findings.models import Issue, IssueNight
from audits.replay.models import Replay, ReplaySegment
from audits.replay.writes import Scope, begin_replay
from compliance.access.permissions import PartyKind
from compliance.access.scope import without_access_scope
from compliance.event_log.writes import integrate
from compliance.events.actor import SYSTEM
from compliance.people.writes import register_party
from reports.documents.registry import About
from reports.schedules.orders import order_report
from tests.audits.replay.nights import NIGHT, many_nights
from tests.audits.replay.working import work

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import Model

    from audits.intake.days.models import GamblingDay
    from compliance.access.models import Party

ROUNDS = 300


def make(count: int) -> None:
    """Create an audited and closed night, and an order of its report, at `count` operators."""
    with without_access_scope():
        register_party(
            kind=PartyKind.COMMISSION_UNIT, code="field", name="Field", agency=None, by=None
        )
        first = register_party(
            kind=PartyKind.CARD_ROOM, code="room-0", name="Room 0", agency=None, by=None
        )
        day = _night(first)
        parties = [first, *_copied(first, [_named(number) for number in range(1, count)])]
        _copy_night(day, parties[1:])
        integrate()
        for party in parties:
            order_report(kind="nightly", about=About(party=party, day=NIGHT), by=SYSTEM)


def _named(number: int) -> dict[str, Any]:
    return {"code": f"room-{number}", "name": f"Room {number}"}


def _night(party: Party) -> GamblingDay:
    upload = submit_whole(
        party=party, name="night.jsonl", content=io.BytesIO(many_nights(1, ROUNDS)), by=SYSTEM,
        read_here=True,
    )  # fmt: skip
    take_in_here(upload)
    replay = begin_replay(operator=party, scope=Scope(), by=None)
    while work(of=replay):
        pass
    integrate()
    day = keep_day(party=party, day=NIGHT)
    close_day(day=day)
    day.refresh_from_db()
    return day


def _copy_night(day: GamblingDay, parties: Sequence[Party]) -> None:
    """Copy the rows of a night for each of these operators."""
    (log,) = RoundLog.objects.filter(party=day.party)
    (segment,) = Segment.objects.filter(party=day.party)
    (unit,) = ReplaySegment.objects.filter(replay=day.current_id)
    logs = _copied(log, [{"party": each} for each in parties])
    segments = _copied(segment, [{"log": each, "party": each.party} for each in logs])
    replays = _copied(Replay.objects.get(pk=day.current_id), [{"party": each} for each in parties])
    pairs = zip(replays, segments, strict=True)
    _copied(unit, [{"replay": replay, "segment": piece} for replay, piece in pairs])
    _copied(day, [{"party": each.party, "current": each} for each in replays])
    for night in IssueNight.objects.filter(day=NIGHT, replay=day.current_id):
        issue = Issue.objects.get(pk=night.issue_id)
        issues = _copied(issue, [{"party": each} for each in parties])
        pairs = zip(issues, replays, strict=True)
        _copied(night, [{"issue": it, "replay": replay} for it, replay in pairs])


def _copied(row: Model, changed: Sequence[dict[str, Any]]) -> list[Any]:
    """Return a copy of the row for each set of changes, each with a number of its own."""
    kept = {
        field.name: getattr(row, field.name)
        for field in row._meta.concrete_fields
        if not field.primary_key
    }
    rows = []
    for each in changed:
        own = {"uuid": uuid4()} if "uuid" in kept else {}
        rows.append(type(row)(**{**kept, **own, **each}))
    made: list[Any] = type(row).objects.bulk_create(rows, batch_size=200)  # type: ignore[attr-defined]
    return made
