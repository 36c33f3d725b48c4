"""Days behind one of which more was handed in: their first rounds are judged by its last ones.

Order in time, the turn of the bank and of the decks look back over the border of days. A day that
was judged before the day before it was on file is judged again by what stands there now.
"""

from __future__ import annotations

import structlog

from audits.models import GamblingDay, Replay, ReplaySegment, Segment
from audits.selectors.segments import current_segments
from audits.services.replays import Scope, begin_replay
from audits.services.tails import keep_tails_before
from compliance.services.refused import RefusedError
from compliance.walls import without_walls

MOST_DAYS = 31
"""So many later days are looked through for a table's next round: it may have been taken away."""
NO_JUDGEMENT = (Replay.State.CANCELLED, Replay.State.FAILED)

log = structlog.get_logger(__name__)


def judge_again_behind(day: GamblingDay, *, priority: int) -> int:
    """Have days judged again whose tables now have another last round before them; how many.

    Done twice it is done once: what was begun last stands on what is on file.
    """
    with without_walls():
        made = Segment.objects.filter(party=day.party, day=day.day)
        wanted = {(each.game, table) for each in made for table in each.tables}
        later = GamblingDay.objects.filter(
            party=day.party, day__gt=day.day, looked_through__gt=0
        ).order_by("day")[:MOST_DAYS]
        begun = 0
        for each in later:
            met = [
                segment
                for segment in current_segments(day.party, day=each.day)
                if wanted & _tables(segment)
            ]
            if any(map(_stands_on_something_else, met)):
                begun += _begin(each, priority)
            wanted -= {table for segment in met for table in _tables(segment)}
            if not wanted:
                break
    return begun


def _tables(segment: Segment) -> set[tuple[str, str]]:
    return {(segment.game, table) for table in segment.tables}


def _stands_on_something_else(segment: Segment) -> bool:
    """Whether it was judged last by other rounds than stand before it now."""
    judged = ReplaySegment.objects.filter(segment=segment).exclude(replay__state__in=NO_JUDGEMENT)
    last = judged.order_by("-replay").first()
    return last is not None and last.before != keep_tails_before(segment)


def _begin(day: GamblingDay, priority: int) -> int:
    try:
        begin_replay(
            operator=day.party,
            scope=Scope(day=day.day),
            by=None,
            cause=Replay.Cause.SUPPLEMENT,
            priority=priority,
        )
    except RefusedError as removed:  # its bytes are kept no longer: what was found of it stands
        log.warning("a day is not judged again", day=str(day.day), why=str(removed))
        return 0
    return 1
