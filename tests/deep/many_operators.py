"""Operators by the thousand, each with the same judged night: rows of its own, files shared."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from audits.models import (
    GamblingDay,
    Pattern,
    PatternNight,
    Replay,
    ReplaySegment,
    RoundLog,
    Segment,
)
from audits.services.days import close_day, keep_day
from audits.services.hand_in import hand_in_whole
from audits.services.replays import Scope, begin_replay
from audits.services.share_work import work
from audits.services.take_in import take_in_here
from compliance.actor import SYSTEM
from compliance.choices import PartyKind
from compliance.services.integrate import integrate
from compliance.services.parties import register_party
from compliance.walls import without_walls
from reports.documents.kinds import About
from reports.services.orders import order_report
from tests.audits.replay.nights import NIGHT, many_nights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import Model

    from compliance.models import Party

ROUNDS = 300


def make(count: int) -> None:
    """A judged and closed night at each of so many operators, and an order of its report."""
    with without_walls():
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
    handed_in = hand_in_whole(
        party=party, name="night.jsonl", content=io.BytesIO(many_nights(1, ROUNDS)), by=SYSTEM,
        read_here=True,
    )  # fmt: skip
    take_in_here(handed_in)
    replay = begin_replay(operator=party, scope=Scope(), by=None)
    while work(of=replay):
        pass
    integrate()
    day = keep_day(party=party, day=NIGHT)
    close_day(day=day)
    day.refresh_from_db()
    return day


def _copy_night(day: GamblingDay, parties: Sequence[Party]) -> None:
    """The rows of a night once more for each of these operators."""
    (log,) = RoundLog.objects.filter(party=day.party)
    (segment,) = Segment.objects.filter(party=day.party)
    (share,) = ReplaySegment.objects.filter(replay=day.current_id)
    logs = _copied(log, [{"party": each} for each in parties])
    segments = _copied(segment, [{"log": each, "party": each.party} for each in logs])
    replays = _copied(Replay.objects.get(pk=day.current_id), [{"party": each} for each in parties])
    pairs = zip(replays, segments, strict=True)
    _copied(share, [{"replay": replay, "segment": piece} for replay, piece in pairs])
    _copied(day, [{"party": each.party, "current": each} for each in replays])
    for night in PatternNight.objects.filter(day=NIGHT, replay=day.current_id):
        pattern = Pattern.objects.get(pk=night.pattern_id)
        patterns = _copied(pattern, [{"party": each} for each in parties])
        pairs = zip(patterns, replays, strict=True)
        _copied(night, [{"pattern": it, "replay": replay} for it, replay in pairs])


def _copied(row: Model, changed: Sequence[dict[str, Any]]) -> list[Any]:
    """The row as often as there are changes to it, with a number of its own each time."""
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
