"""A night at a card room in order, simulated, submitted and audited through the services."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from audits.intake.days.models import GamblingDay
from audits.intake.days.writes import close_day, keep_day
from audits.replay.writes import Scope, begin_replay
from audits.review.nightly_run.missing import missing_of_day
from audits.review.nightly_run.writes import note_missing
from compliance.access.scope import without_access_scope
from compliance.event_log.writes import integrate
from compliance.files.archive import current_archive, read_bytes
from reports.documents.registry import About
from tests.audits.replay.nights import NIGHT, dealt, on_file, spoiled
from tests.audits.replay.working import work

if TYPE_CHECKING:
    from datetime import date

    from audits.replay.models import Replay
    from compliance.access.models import Party
    from reports.documents.models import Report

TOO_MUCH, EVERY, ROUNDS = 100, 10, 60


def closed(party: Party, on: date = NIGHT) -> GamblingDay:
    """Return the night as the nightly run leaves it: closed, and checked for what it lacks."""
    integrate()
    with without_access_scope():
        day = keep_day(party=party, day=on)
        close_day(day=day)
        day.refresh_from_db()
        note_missing(day=day, missing=missing_of_day(day))
        GamblingDay.objects.filter(pk=day.pk).update(looked_through=0)
        return GamblingDay.objects.select_related("current", "party").get(pk=day.pk)


def replayed(party: Party) -> Replay:
    with without_access_scope():
        replay = begin_replay(operator=party, scope=Scope(), by=None)
        while work(of=replay):
            pass
        replay.refresh_from_db()
    return replay


def played(party: Party, rounds: int = ROUNDS, every: int = EVERY) -> GamblingDay:
    """Return a night at T1, which the controls name, and T2, which they don't."""
    with without_access_scope():
        on_file(party, spoiled(dealt(rounds), every=every, cents=TOO_MUCH))
    replayed(party)
    return closed(party)


def about(day: GamblingDay) -> About:
    return About(party=day.party, day=day.day)


def inputs_of(report: Report) -> dict[str, Any]:
    inputs: dict[str, Any] = json.loads(read_bytes(current_archive(), report.inputs))
    return inputs
