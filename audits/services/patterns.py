"""Patterns: what a day's current replay found, by cause, put beside what was on file before.

One transaction for each pattern: done again after a crash it comes to the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import structlog
from django.db import transaction
from django.db.models import Max, Min

from audits.event_types.replays import PATTERN_OPENED
from audits.instants import instant
from audits.marks import Key, Standing, compare
from audits.models import Pattern, PatternNight, PatternVisibility
from audits.selectors.findings import shares_of
from audits.selectors.share_files import marks_of, patterns_of
from audits.selectors.sums import sum_of_cents
from audits.services.clauses import name_clauses
from audits.services.diagnoses import diagnose_pattern
from audits.services.judge_share import mend_share
from audits.services.made_good import NotMadeGoodError
from audits.services.put_back import put_back
from audits.services.release import release_as_standing
from audits.services.shown_findings import Shown, key_of, show_findings
from audits.services.work import work_on
from compliance import clock
from compliance.actor import SYSTEM
from compliance.services.record import record
from games.cents import held

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from audits.models import GamblingDay, Replay, ReplaySegment
    from audits.selectors.share_files import Occurred

log = structlog.get_logger(__name__)

SUMMED = ("findings", "rounds", "over", "under")


@dataclass
class Night:
    """What a replay says of one pattern on one day: counts, and first findings by share."""

    weight: str = ""
    findings: int = 0
    rounds: int = 0
    over: int = 0
    under: int = 0
    first: int | None = None
    last: int | None = None
    hours: dict[int, list[int]] = field(default_factory=dict)
    cites: set[str] = field(default_factory=set)
    examples: list[tuple[ReplaySegment, Occurred]] = field(default_factory=list)

    def add(self, share: ReplaySegment, occurred: Occurred) -> None:
        """Count what occurred in one more share."""
        self.weight = occurred.weight
        for name in SUMMED:
            setattr(self, name, held(getattr(self, name) + getattr(occurred, name)))
        self.first = min(filter(None, (self.first, occurred.first)))
        self.last = max(filter(None, (self.last, occurred.last)))
        self.cites.update(occurred.cites)
        for begin, *counted in occurred.hours:
            before = self.hours.get(begin, [0, 0, 0])
            added = zip(before, counted, strict=True)
            self.hours[begin] = [held(one + other) for one, other in added]
        self.examples.append((share, occurred))

    def as_row(self) -> dict[str, Any]:
        """The fields of a night's row."""
        return {
            **{name: getattr(self, name) for name in SUMMED},
            "first": _instant(self.first),
            "last": _instant(self.last),
            "by_hour": [[begin, *counted] for begin, counted in sorted(self.hours.items())],
        }


def put_on_file(
    *,
    replay: Replay,
    day: GamblingDay,
    shares: Sequence[ReplaySegment],
    go_on: Callable[[], None],
) -> dict[str, Any]:
    """Let a day speak through a replay: patterns, nights, shown findings.

    `go_on` is called before each pattern and may raise; what is on file then is not done again.

    Answers against which replay it was compared, and how many findings were confirmed, changed,
    gone, new.
    """
    standings, unknown = _standings(day, replay, shares)
    shown = Shown.of(day, replay, shares)
    known = _known(day)
    done = {key for key, by in known.items() if by == replay.pk}
    found = set()
    for key, night in _nights(shares):
        found.add(key)
        if key not in done:
            go_on()
            _occur(replay, day, key, night, standings.get(key), shown)
    for key in sorted(known.keys() - found - done):
        go_on()
        _occur(replay, day, key, Night(), standings.get(key), shown)
    if day.current is None or day.current_id == replay.pk:
        return {}
    total = sum(standings.values(), Standing())
    against = {"against": str(day.current.uuid)}
    return against | ({"unknown": unknown} if unknown else total._asdict())


def _nights(shares: Sequence[ReplaySegment]) -> Iterator[tuple[Key, Night]]:
    """Every pattern with what occurred of it in all shares, one after the other."""

    def of_share(share: ReplaySegment) -> Iterator[tuple[Key, int, ReplaySegment, Occurred]]:
        return ((each.key, share.position, share, each) for each in patterns_of(share))

    in_order = merge(*map(of_share, shares), key=itemgetter(0, 1))
    for key, group in groupby(in_order, itemgetter(0)):
        night = Night()
        for _, _, share, occurred in group:
            night.add(share, occurred)
        yield key, night


def _standings(
    day: GamblingDay, replay: Replay, shares: Sequence[ReplaySegment]
) -> tuple[dict[Key, Standing], str]:
    """What became of the findings of the day's former current replay, or why nobody can say.

    A former replay whose files are lost for good does not keep the day from going on.
    """
    if day.current is None or day.current_id == replay.pk:
        return {}, ""
    former = list(shares_of(day))
    try:
        for share in former:
            mend_share(share)
    except NotMadeGoodError as wrong:
        log.warning("findings cannot be compared", replay=day.current_id, why=str(wrong))
        return {}, str(wrong)
    marks = [[marks_of(share) for share in each] for each in (former, shares)]
    return compare(*marks), ""


def _known(day: GamblingDay) -> dict[Key, int | None]:
    """Patterns that occurred on the day, each with the replay that said so last."""
    nights = PatternNight.objects.filter(
        pattern__party=day.party, day=day.day, replay__isnull=False
    ).select_related("pattern")
    return {key_of(night.pattern): night.replay_id for night in nights}


@transaction.atomic
def _occur(
    replay: Replay,
    day: GamblingDay,
    key: Key,
    night: Night,
    standing: Standing | None,
    shown: Shown,
) -> None:
    """Put what was found of one cause with the pattern that it belongs to."""
    pattern = _pattern_of(replay, day, key, night)
    before = pattern.nights.filter(day=day.day).first()
    PatternNight.objects.update_or_create(
        pattern=pattern, day=day.day, defaults={"replay": replay, **night.as_row()}
    )
    name_clauses(pattern=pattern, cites=night.cites)
    show_findings(replay=replay, pattern=pattern, night=night.examples, shown=shown)
    if not pattern.open and before is not None and standing and before.replay_id != replay.pk:
        told = [f"{count} {name}" for name, count in standing._asdict().items() if count]
        says = f"On {day.day}: {', '.join(told)}, by a replay after the decision."
        put_back(pattern=pattern, day=day.day, says=says, replay=replay)
    if night.examples:
        diagnose_pattern(pattern=pattern, day=day.day, night=night.examples)
    count_pattern(pattern)


def _pattern_of(replay: Replay, day: GamblingDay, key: Key, night: Night) -> Pattern:
    """The pattern that spoke of this night before, or the open one, or a new one.

    What a decision was made about stays with that decision; a new one follows the last decided.
    """
    same = Pattern.objects.filter(party=day.party, **key._asdict()).order_by("-pk")
    found = (
        same.filter(nights__day=day.day, nights__replay__isnull=False).first()
        or same.filter(open=True).first()
    )
    if found is not None:
        return found
    decided = same.first()
    made = Pattern.objects.create(
        party=day.party,
        **key._asdict(),
        weight=night.weight,
        again_after=decided,
        opened=clock.now(),
    )
    PatternVisibility.objects.create(shown=made, party=replay.made_for)
    work_on(pattern=made, unit=replay.made_for)
    record(
        PATTERN_OPENED,
        by=SYSTEM,
        party=day.party,
        about=made,
        carries={
            "code": key.code,
            "day": str(day.day),
            "again_after": str(decided.uuid) if decided else "",
        },
    )
    release_as_standing(pattern=made)
    return made


def count_pattern(pattern: Pattern) -> None:
    """Sum a pattern over its nights."""
    sums = pattern.nights.aggregate(
        **{name: sum_of_cents(name) for name in SUMMED}, first=Min("first"), last=Max("last")
    )
    Pattern.objects.filter(pk=pattern.pk).update(**sums)


def _instant(at: int | None) -> datetime | None:
    return None if at is None else instant(at)
