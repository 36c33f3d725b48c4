"""The demonstration night, told as it happened: logs come in, days close, one log comes too late.

Called again after a kill it goes on; what is on file is neither dealt nor handed in again.
"""

from __future__ import annotations

import shutil
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from django.conf import settings

from audits.demonstration.dealing import dealt
from audits.demonstration.night import (
    CARRIED_FORWARD,
    CLOSED,
    DAYS,
    NIGHT,
    TOO_LATE,
    UNKNOWN,
    logs,
    on,
)
from audits.models import Replay, RoundLog
from audits.selectors.replays import progress_of
from audits.selectors.segments import current_segments
from audits.services.days import keep_day
from audits.services.hand_in import hand_in_whole
from audits.services.night import look_at_day
from audits.services.replays import UNDER_WAY, Scope, begin_replay
from audits.services.take_in import take_in_here
from compliance import clock
from compliance.models import Party, Person
from compliance.services.integrate import integrate
from compliance.walls import without_walls

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from audits.demonstration.sheets import Log

AFTER: Final = timedelta(minutes=5)
LOOKS: Final = (
    (CLOSED, NIGHT),
    (TOO_LATE + AFTER, NIGHT),
    (TOO_LATE + AFTER, UNKNOWN),
    (on(CARRIED_FORWARD, 12, 5) + timedelta(days=1), CARRIED_FORWARD),
)
"""When the nightly run came by, and which gambling day had something new."""


def tell_night(*, pace: int, say: Callable[[str], object], closed: Callable[[], object]) -> bool:
    """Let the night happen through the services that any night goes through; whether it is new.

    `say` is told each step in words, once it is done; `closed` is called when the day has closed,
    before the log that comes too late. Two of these at once are for the caller to prevent.
    """
    with without_walls():
        on_file = set(RoundLog.objects.values_list("name", flat=True))
    wanted = [log for log in logs(pace) if log.name not in on_file]
    if not wanted:
        return False
    happened: list[tuple[datetime, int, Log | date]] = [
        *((log.handed_in, 0, log) for log in wanted),
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
                    say(_hand_in(what, place))
            if (instant, what) == LOOKS[0]:
                closed()
    shutil.rmtree(folder)
    return True


def _hand_in(log: Log, place: Path) -> str:
    """Hand a log in as its operator's own people do, and read it here."""
    with without_walls():
        party = Party.objects.get(code=log.operator)
        clerk = Person.objects.get(name=log.by)
    with place.open("rb") as content:
        hand_in = hand_in_whole(
            party=party, name=log.name, content=content, by=clerk, read_here=True
        )
    registered = take_in_here(hand_in)
    rejected = f", {registered.rejected} lines rejected" if registered.rejected else ""
    return f"{party}: {registered.good:,} rounds in {log.name}{rejected}"


def _look(day: date) -> None:
    """Let the nightly run come by, at the operators that this day is told of."""
    integrate()  # as the nightly run does: a day closes with a checkpoint of the log
    for party in _operators(day):
        look_at_day(day=keep_day(party=party, day=day))


def _operators(day: date) -> list[Party]:
    with without_walls():
        return list(Party.objects.filter(code__in=DAYS[day]).order_by("code"))


def judge_night_again() -> None:
    """Have every day of the story judged once more; the same inputs, the same findings."""
    for day in DAYS:
        for party in _operators(day):
            if current_segments(party, day=day):
                begin_replay(operator=party, scope=Scope(day=day), by=None)


def left_to_judge() -> int:
    """How much is to be done before every replay of the demonstration's operators has ended."""
    with without_walls():
        under_way = Replay.objects.filter(party__code__in=DAYS[NIGHT], state__in=UNDER_WAY)
        shares = [progress_of(replay) for replay in under_way]
    return len(shares) + sum(each.shares - each.done for each in shares)
