"""A night at a card room in order, dealt, handed in and judged through the services."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from audits.models import GamblingDay, Replay
from audits.selectors.missing import missing_of_day
from audits.services.day_findings import note_missing
from audits.services.days import close_day, keep_day
from audits.services.replays import Scope, begin_replay
from audits.services.share_work import work
from compliance.archive import current_archive
from compliance.archive.content import read_bytes
from compliance.services.integrate import integrate
from compliance.walls import without_walls
from reports.documents.kinds import About
from tests.audits.replay.nights import NIGHT, dealt, on_file, spoiled

if TYPE_CHECKING:
    from datetime import date

    from compliance.models import Party
    from reports.models import Report

TOO_MUCH, EVERY, ROUNDS = 100, 10, 60


def closed(party: Party, on: date = NIGHT) -> GamblingDay:
    """The night as the nightly run leaves it: closed, and looked at for what it lacks."""
    integrate()
    with without_walls():
        day = keep_day(party=party, day=on)
        close_day(day=day)
        day.refresh_from_db()
        note_missing(day=day, missing=missing_of_day(day))
        GamblingDay.objects.filter(pk=day.pk).update(looked_through=0)
        return GamblingDay.objects.select_related("current", "party").get(pk=day.pk)


def judged(party: Party) -> Replay:
    with without_walls():
        replay = begin_replay(operator=party, scope=Scope(), by=None)
        while work(of=replay):
            pass
        replay.refresh_from_db()
    return replay


def played(party: Party, rounds: int = ROUNDS, every: int = EVERY) -> GamblingDay:
    """A night at T1, which the controls name, and T2, which they do not."""
    with without_walls():
        on_file(party, spoiled(dealt(rounds), every=every, cents=TOO_MUCH))
    judged(party)
    return closed(party)


def about(day: GamblingDay) -> About:
    return About(party=day.party, day=day.day)


def inputs_of(report: Report) -> dict[str, Any]:
    inputs: dict[str, Any] = json.loads(read_bytes(current_archive(), report.inputs))
    return inputs
