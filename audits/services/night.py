"""The nightly run: a day that closed is looked at, for what is new and for what is missing.

It asks the database what is due and does that, however often it is called and however long nobody
called it. A day is closed once; a closed day is looked at again when it has segments that no look
has seen. Whoever dies in between leaves the rest for the next call.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import structlog
from django.db import transaction
from django.db.models import F, Max, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce, Now

from audits.event_types import days as events
from audits.models import GamblingDay, NightlyWatch, Replay, ReplaySegment, Segment
from audits.selectors.missing import missing_of_day
from audits.selectors.segments import current_segments
from audits.services.day_findings import note_missing
from audits.services.days import close_day, keep_day, supplement_day
from audits.services.days_behind import judge_again_behind
from audits.services.replays import Scope, begin_replay
from compliance import clock
from compliance.actor import SYSTEM
from compliance.choices import OPERATOR_KINDS
from compliance.gambling_day import DAY, gambling_day
from compliance.models import Party
from compliance.selectors.in_force import cut_offs_of, zone
from compliance.services.integrate import integrate
from compliance.services.record import record
from compliance.walls import without_walls

if TYPE_CHECKING:
    from datetime import date

    from django.db.models import QuerySet

SECONDS = 30
"""A message may take 45 s; what is left is done by the next."""
NIGHTLY_PRIORITY = 5
"""Before what somebody asks for by the way."""
log = structlog.get_logger(__name__)


def run_nights(*, seconds: float = SECONDS) -> int:
    """Do what is due at every operator, for about so long; how many days were looked at.

    Who was seen to longest ago comes first. An operator at which something fails does not keep the
    others waiting: the failure is raised when all had their turn.
    """
    until = time.monotonic() + seconds
    integrate()
    with without_walls():
        seen = NightlyWatch.objects.filter(party=OuterRef("pk")).values("looked")
        operators = list(
            Party.objects.filter(kind__in=OPERATOR_KINDS)
            .annotate(seen=Subquery(seen))
            .order_by(F("seen").asc(nulls_first=True), "pk")
        )
    looked, failures = 0, []
    for operator in operators:
        try:
            looked += run_night(operator=operator, until=until)
        except Exception as failure:
            log.exception("the nightly run failed", operator=operator.code)
            failures.append(failure)
        if time.monotonic() > until:
            break
    if failures:
        raise failures[0]
    return looked


def run_night(*, operator: Party, until: float | None = None) -> int:
    """Do what is due at one operator, up to an instant of the monotonic clock."""
    watch = _watch(operator)
    _keep_days(operator, watch.since)
    with without_walls():
        due = list(days_due(operator).select_related("party"))
    for looked, day in enumerate(due, start=1):
        look_at_day(day=day)
        if until is not None and time.monotonic() > until and looked < len(due):
            return looked
    with without_walls():
        NightlyWatch.objects.filter(pk=watch.pk).update(looked=Now())
    return len(due)


def look_at_day(*, day: GamblingDay) -> Replay | None:
    """Close a day whose time has come, notice what it lacks, have what is new replayed.

    The first look is the nightly one; a later one that finds segments which none has seen makes a
    supplement, and later days are judged again whose first rounds follow on other ones now.
    Looking again changes nothing where nothing is new. Refuses a day that is open.
    """
    close_day(day=day)
    with without_walls():
        kept = GamblingDay.objects.select_related("party__agency").get(pk=day.pk)
    newest = _newest_segment(kept)
    note_missing(day=kept, missing=missing_of_day(kept))
    if newest == kept.looked_through:
        return None
    first = kept.looked_through is None
    replay = None
    if newest:
        # Begun twice by two that look at once, it is one: the fingerprint is the same.
        replay = _replay_of(current_segments(kept.party, day=kept.day)) or begin_replay(
            operator=kept.party,
            scope=Scope(day=kept.day),
            by=None,
            cause=Replay.Cause.NIGHTLY if first else Replay.Cause.SUPPLEMENT,
            priority=NIGHTLY_PRIORITY,
        )
        judge_again_behind(kept, priority=NIGHTLY_PRIORITY)
    with transaction.atomic(), without_walls():
        before = Q(looked_through__isnull=True) if first else Q(looked_through=kept.looked_through)
        taken = GamblingDay.objects.filter(before, pk=kept.pk).update(looked_through=newest)
        if taken and not first:
            supplement_day(day=kept)
    return replay


def days_due(operator: Party) -> QuerySet[GamblingDay]:
    """Days whose closing time has passed, never looked at or with segments that no look has seen.

    Ask within `without_walls`.
    """
    newest = (
        Segment.objects.filter(party=OuterRef("party"), day=OuterRef("day"))
        .order_by()
        .values("party")
        .annotate(newest=Max("pk"))
        .values("newest")
    )
    return (
        GamblingDay.objects.filter(party=operator, closes__lte=clock.now())
        .annotate(newest=Coalesce(Subquery(newest), 0))
        .filter(Q(looked_through__isnull=True) | Q(newest__gt=F("looked_through")))
        .order_by("day")
    )


def _newest_segment(day: GamblingDay) -> int:
    """What a look at the day can see; a place that a correction emptied is something new too."""
    with without_walls():
        made = Segment.objects.filter(party=day.party, day=day.day)
        return made.aggregate(newest=Max("pk"))["newest"] or 0


def _replay_of(segments: list[Segment]) -> Replay | None:
    """A replay of the system's own that was begun over these very segments, if there is one."""
    own = (Replay.Cause.NIGHTLY, Replay.Cause.SUPPLEMENT)
    covered: dict[int, set[int]] = {}
    with without_walls():
        shares = ReplaySegment.objects.filter(segment__in=segments, replay__cause__in=own)
        begun = shares.exclude(replay__state=Replay.State.CANCELLED)
        for replay, segment in begun.values_list("replay", "segment"):
            covered.setdefault(replay, set()).add(segment)
        whole = [replay for replay, of_it in covered.items() if len(of_it) == len(segments)]
        return Replay.objects.filter(pk__in=whole).order_by("-pk").first()


def _watch(operator: Party) -> NightlyWatch:
    """From today on logs of this operator are expected, if they were not before."""
    with transaction.atomic(), without_walls():
        today = gambling_day(clock.now(), cut_offs_of(operator), zone())
        watch, new = NightlyWatch.objects.get_or_create(
            party=operator, defaults={"since": today, "looked": Now()}
        )
        if new:
            record(events.WATCHED, by=SYSTEM, party=operator, carries={"day": str(today)})
    return watch


def _keep_days(operator: Party, since: date) -> None:
    """Keep every day from the first that is expected to today, and every other with segments.

    Days that are open are kept again: their controls may have changed.
    """
    today = gambling_day(clock.now(), cut_offs_of(operator), zone())
    with without_walls():
        kept = GamblingDay.objects.filter(party=operator)
        stray = Segment.objects.filter(party=operator).exclude(day__in=kept.values("day"))
        days = set(stray.order_by().values_list("day", flat=True).distinct())
        days |= set(kept.filter(state=GamblingDay.State.OPEN).values_list("day", flat=True))
        awaited = (today - since).days + 1
        if kept.filter(day__range=(since, today)).count() < awaited:
            days |= {since + number * DAY for number in range(awaited)}
    for each in sorted(days):
        keep_day(party=operator, day=each)
