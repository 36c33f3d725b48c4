"""The demonstration night in order: logs arrive, days close, and one log arrives too late.

If the process is killed, run it again: logs already on file are not simulated or submitted twice.
"""

from __future__ import annotations

import shutil
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from django.conf import settings

from audits.demonstration.logs import dealt
from audits.demonstration.plan import (
    CARRIED_FORWARD,
    CLOSED,
    DAYS,
    NIGHT,
    TOO_LATE,
    UNKNOWN,
    logs,
    on,
)
from audits.intake.days.writes import keep_day
from audits.intake.ingestion import take_in_here
from audits.intake.models import RoundLog
from audits.intake.reads import current_segments
from audits.intake.submission import submit_whole
from audits.replay.models import Replay
from audits.replay.reads import progress_of
from audits.replay.writes import UNDER_WAY, Scope, begin_replay
from audits.review.nightly_run.writes import look_at_day
from compliance import clock
from compliance.access.models import Party, Person
from compliance.access.scope import without_access_scope
from compliance.event_log.writes import integrate

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from audits.demonstration.plan import Log


AFTER: Final = timedelta(minutes=5)
LOOKS: Final = (
    (CLOSED, NIGHT),
    (TOO_LATE + AFTER, NIGHT),
    (TOO_LATE + AFTER, UNKNOWN),
    (on(CARRIED_FORWARD, 12, 5) + timedelta(days=1), CARRIED_FORWARD),
)
"""When the nightly run took place, and which gambling day had something new."""


def play_night(*, pace: int, say: Callable[[str], object], closed: Callable[[], object]) -> bool:
    """Play the night through the production services; return whether it was new.

    `say` is called with a description of each completed step. `closed` is called once the day has
    closed, before the late log arrives. The caller must prevent concurrent runs.
    """
    with without_access_scope():
        on_file = set(RoundLog.objects.values_list("name", flat=True))
    wanted = [log for log in logs(pace) if log.name not in on_file]
    if not wanted:
        return False
    happened: list[tuple[datetime, int, Log | date]] = [
        *((log.submitted, 0, log) for log in wanted),
        *((instant, 1, day) for instant, day in LOOKS),
    ]
    happened.sort(key=lambda each: each[:2])
    folder = Path(settings.VAR) / "dealt"
    folder.mkdir(exist_ok=True)
    with dealt([log.name for log in wanted], pace, folder) as file:
        for instant, _, what in happened:
            place = None if isinstance(what, date) else file(what.name)
            with clock.standing_at(instant):
                if isinstance(what, date):
                    _look(what)
                elif place is not None:
                    say(_submission(what, place))
            if (instant, what) == LOOKS[0]:
                closed()
    shutil.rmtree(folder)
    return True


def _submission(log: Log, place: Path) -> str:
    """Submit a log as the operator's own staff would, and ingest it in this process."""
    with without_access_scope():
        party = Party.objects.get(code=log.operator)
        clerk = Person.objects.get(name=log.by)
    with place.open("rb") as content:
        submission = submit_whole(
            party=party, name=log.name, content=content, by=clerk, read_here=True
        )
    registered = take_in_here(submission)
    rejected = f", {registered.rejected} lines rejected" if registered.rejected else ""
    return f"{party}: {registered.good:,} rounds in {log.name}{rejected}"


def _look(day: date) -> None:
    """Do the nightly run for the operators that are part of this day."""
    integrate()  # like the nightly run: a day closes with a checkpoint of the log
    for party in _operators(day):
        look_at_day(day=keep_day(party=party, day=day))


def _operators(day: date) -> list[Party]:
    with without_access_scope():
        return list(Party.objects.filter(code__in=DAYS[day]).order_by("code"))


def replay_night() -> None:
    """Replay every day of the demonstration; the same inputs give the same findings."""
    for day in DAYS:
        for party in _operators(day):
            if current_segments(party, day=day):
                begin_replay(operator=party, scope=Scope(day=day), by=None)


def replays_left() -> int:
    """Return how much work is left before all replays of the demonstration's operators end."""
    with without_access_scope():
        under_way = Replay.objects.filter(party__code__in=DAYS[NIGHT], state__in=UNDER_WAY)
        progress = [progress_of(replay) for replay in under_way]
    return len(progress) + sum(each.work_units - each.done for each in progress)
