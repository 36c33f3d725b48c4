"""The nightly run: close days, note what is missing, and replay what is new."""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING

import structlog
from django.db import transaction
from django.db.models import F, Max, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce, Now

from audits.intake import events
from audits.intake.days.models import GamblingDay, NightlyWatch
from audits.intake.days.writes import close_day, keep_day, supplement_day
from audits.intake.models import Segment
from audits.intake.reads import current_segments
from audits.intake.table_records.models import TableRecord
from audits.intake.table_records.reads import days_after_funds, days_of_cash
from audits.replay.findings.models import Finding
from audits.replay.inputs import store_tails_before
from audits.replay.models import Replay, ReplaySegment
from audits.replay.writes import Scope, begin_replay
from audits.review.issues.writes import count_night, issue_of_cause, return_for_decision
from audits.review.nightly_run.missing import missing_of_day
from audits.review.nightly_run.verification import NIGHT, digest_of_missing
from compliance import clock
from compliance.access.models import Party
from compliance.access.permissions import OPERATOR_KINDS
from compliance.access.scope import without_access_scope
from compliance.clock import zone
from compliance.errors import RefusedError
from compliance.event_log.writes import integrate
from compliance.events.actor import SYSTEM
from compliance.events.record import record
from compliance.filings.controls.reads import list_cut_offs
from compliance.law.gambling_day import DAY, gambling_day

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from django.db.models import QuerySet

    from audits.replay.findings.models import Issue
    from audits.review.nightly_run.missing import Missing


Standing = Finding.Standing


def note_missing(*, day: GamblingDay, missing: Iterable[Missing]) -> tuple[int, int]:
    """Record what a day lacks now; return how many findings are new, and how many are gone."""
    lacking = {_identity(day, each): each for each in missing}
    with transaction.atomic(), without_access_scope():
        known = {
            each.identity: each
            for each in Finding.objects.select_for_update(of=("self",))
            .filter(issue__party=day.party, issue__code__startswith=NIGHT, day=day.day)
            .select_related("issue")
        }
        touched = {each.issue_id: each.issue for each in known.values()}
        noticed = gone = 0
        for identity, each in lacking.items():
            before = known.get(identity)
            if before is None:
                issue = issue_of_cause(
                    party=day.party, code=each.code, game=each.game, table=each.table
                )
                touched[issue.pk] = issue
                _add(day, issue, identity, each)
                noticed += 1
            else:
                noticed += _stand(before, Standing.CONFIRMED)
        for identity, finding in known.items():
            if identity not in lacking:
                gone += _stand(finding, Standing.GONE)
        for issue in touched.values():
            count_night(issue, day.day)
        if noticed or gone:
            record(
                events.FINDINGS_CHANGED,
                by=SYSTEM,
                party=day.party,
                after=digest_of_missing(day.party, day.day),
                carries={
                    "day": str(day.day),
                    "noticed": noticed,
                    "gone": gone,
                    "codes": sorted({each.code for each in lacking.values()}),
                },
            )
    return noticed, gone


def _identity(day: GamblingDay, missing: Missing) -> str:
    identity = f"{day.party.uuid}/{day.day}/{missing.code}/{missing.key}"
    return hashlib.sha256(identity.encode()).hexdigest()[:32]


def _add(day: GamblingDay, issue: Issue, identity: str, missing: Missing) -> None:
    Finding.objects.create(
        issue=issue,
        identity=identity,
        day=day.day,
        at=missing.at,
        table=missing.table,
        code=missing.code,
        logged=missing.says,
        expected=missing.awaited,
        delta=missing.delta,
        cites=list(missing.cites),
        log_sha256=missing.log,
    )


def _stand(finding: Finding, standing: Finding.Standing) -> bool:
    """Set the standing of a finding; return whether it came back or went away."""
    turned = (finding.standing == Standing.GONE) != (standing == Standing.GONE)
    if finding.standing != standing:
        finding.standing = standing
        finding.save(update_fields=["standing"])
    if turned and not finding.issue.open:
        says = f"{finding.day}: {finding.logged} ({Standing(standing).label.lower()})"
        return_for_decision(issue=finding.issue, day=finding.day, says=says)
    return turned


MOST_DAYS = 31
"""Maximum later days searched for a table's next round, which may have been removed."""
WITHOUT_RESULT = (Replay.State.CANCELED, Replay.State.FAILED)

log = structlog.get_logger(__name__)


def replay_following_days(day: GamblingDay, *, priority: int) -> int:
    """Replay later days whose tables now have another last round before them; return how many.

    This can be repeated: a replay that was already begun has the current rounds before it.
    """
    with without_access_scope():
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
    """Return whether the rounds before it changed since it was last audited."""
    replayed = ReplaySegment.objects.filter(segment=segment).exclude(
        replay__state__in=WITHOUT_RESULT
    )
    last = replayed.order_by("-replay").first()
    return last is not None and last.before != store_tails_before(segment)


def _begin(day: GamblingDay, priority: int) -> int:
    try:
        begin_replay(
            operator=day.party,
            scope=Scope(day=day.day),
            by=None,
            cause=Replay.Cause.SUPPLEMENT,
            priority=priority,
        )
    except RefusedError as removed:  # its files are no longer kept, so its earlier findings remain
        log.warning("day not audited again", day=str(day.day), why=str(removed))
        return 0
    return 1


SECONDS = 30
"""A message may take 45 s; the next one does the rest."""
NIGHTLY_PRIORITY = 5
"""Ahead of routine requests by people."""


def run_nights(*, seconds: float = SECONDS) -> int:
    """Do all operators' pending work within about `seconds`; return how many days were checked.

    The operator checked longest ago comes first. A failure at one operator does not hold up the
    others; it is raised after all had their turn.
    """
    until = time.monotonic() + seconds
    integrate()
    with without_access_scope():
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
    """Do one operator's pending work, until an instant of the monotonic clock."""
    watch = _watch(operator)
    _keep_days(operator, watch.since)
    with without_access_scope():
        due = list(days_due(operator).select_related("party"))
    for looked, day in enumerate(due, start=1):
        look_at_day(day=day)
        if until is not None and time.monotonic() > until and looked < len(due):
            return looked
    with without_access_scope():
        NightlyWatch.objects.filter(pk=watch.pk).update(looked=Now())
    return len(due)


def look_at_day(*, day: GamblingDay) -> Replay | None:
    """Close a day that is due, record what it lacks, and replay what is new.

    The first look is the nightly one. A later look that finds new segments makes a supplement, and
    later days are audited again if other rounds now precede their first ones. Another look changes
    nothing if nothing is new. Refuses an open day.
    """
    close_day(day=day)
    with without_access_scope():
        kept = GamblingDay.objects.select_related("party__agency").get(pk=day.pk)
    newest, record_ = _newest_segment(kept), _newest_record(kept)
    note_missing(day=kept, missing=missing_of_day(kept))
    for other in _days_of_money(kept):
        note_missing(day=other, missing=missing_of_day(other))
    with without_access_scope():
        GamblingDay.objects.filter(pk=kept.pk).update(newest_record=record_)
    if newest == kept.looked_through:
        return None
    first = kept.looked_through is None
    replay = None
    if newest:
        # If two looks begin it at once, it is still one replay: the fingerprint is the same.
        replay = _replay_of(current_segments(kept.party, day=kept.day)) or begin_replay(
            operator=kept.party,
            scope=Scope(day=kept.day),
            by=None,
            cause=Replay.Cause.NIGHTLY if first else Replay.Cause.SUPPLEMENT,
            priority=NIGHTLY_PRIORITY,
        )
        replay_following_days(kept, priority=NIGHTLY_PRIORITY)
    with transaction.atomic(), without_access_scope():
        before = Q(looked_through__isnull=True) if first else Q(looked_through=kept.looked_through)
        recorded = GamblingDay.objects.filter(before, pk=kept.pk).update(looked_through=newest)
        if recorded and not first:
            supplement_day(day=kept)
    return replay


def _days_of_money(day: GamblingDay) -> list[GamblingDay]:
    """Return other days, checked before, whose cash is of this day's rounds, or funds follow it."""
    of_cash = days_of_cash(day.party, day.begins, day.ends)
    named = {*of_cash, *days_after_funds(day.party, day.day)} - {day.day}
    with without_access_scope():
        found = GamblingDay.objects.filter(
            party=day.party, day__in=named, looked_through__isnull=False
        )
        return list(found.select_related("party__agency"))


def days_due(operator: Party) -> QuerySet[GamblingDay]:
    """Return closed days that were never checked, or have new segments or records of tables.

    Needs `without_access_scope`.
    """
    newest = (
        Segment.objects.filter(party=OuterRef("party"), day=OuterRef("day"))
        .order_by()
        .values("party")
        .annotate(newest=Max("pk"))
        .values("newest")
    )
    records = (
        TableRecord.objects.filter(statement__party=OuterRef("party"), day=OuterRef("day"))
        .order_by()
        .values("statement__party")
        .annotate(newest=Max("pk"))
        .values("newest")
    )
    rounds = Q(looked_through__isnull=True) | Q(newest__gt=F("looked_through"))
    return (
        GamblingDay.objects.filter(party=operator, closes__lte=clock.now())
        .annotate(newest=Coalesce(Subquery(newest), 0))
        .annotate(recorded=Coalesce(Subquery(records), 0))
        .filter(rounds | Q(recorded__gt=F("newest_record")))
        .order_by("day")
    )


def _newest_segment(day: GamblingDay) -> int:
    """Return the newest segment of a day, counting places that a correction emptied."""
    with without_access_scope():
        made = Segment.objects.filter(party=day.party, day=day.day)
        return made.aggregate(newest=Max("pk"))["newest"] or 0


def _newest_record(day: GamblingDay) -> int:
    """Return the newest record of a table that is about a day, withdrawals among them."""
    with without_access_scope():
        found = TableRecord.objects.filter(statement__party=day.party, day=day.day)
        return found.aggregate(newest=Max("pk"))["newest"] or 0


def _replay_of(segments: list[Segment]) -> Replay | None:
    """Return the system's own replay of exactly these segments, if there is one."""
    own = (Replay.Cause.NIGHTLY, Replay.Cause.SUPPLEMENT)
    covered: dict[int, set[int]] = {}
    with without_access_scope():
        replays = ReplaySegment.objects.filter(segment__in=segments, replay__cause__in=own)
        begun = replays.exclude(replay__state=Replay.State.CANCELED)
        for replay, segment in begun.values_list("replay", "segment"):
            covered.setdefault(replay, set()).add(segment)
        whole = [replay for replay, of_it in covered.items() if len(of_it) == len(segments)]
        return Replay.objects.filter(pk__in=whole).order_by("-pk").first()


def _watch(operator: Party) -> NightlyWatch:
    """Begin to expect this operator's logs from today, unless they are expected already."""
    with transaction.atomic(), without_access_scope():
        today = gambling_day(clock.now(), list_cut_offs(operator), zone())
        watch, new = NightlyWatch.objects.get_or_create(
            party=operator, defaults={"since": today, "looked": Now()}
        )
        if new:
            record(events.WATCHED, by=SYSTEM, party=operator, carries={"day": str(today)})
    return watch


def _keep_days(operator: Party, since: date) -> None:
    """Create every day from the first expected one to today, and any other day with segments.

    Open days are updated, because their controls may have changed.
    """
    today = gambling_day(clock.now(), list_cut_offs(operator), zone())
    with without_access_scope():
        kept = GamblingDay.objects.filter(party=operator)
        stray = Segment.objects.filter(party=operator).exclude(day__in=kept.values("day"))
        days = set(stray.order_by().values_list("day", flat=True).distinct())
        days |= set(kept.filter(state=GamblingDay.State.OPEN).values_list("day", flat=True))
        awaited = (today - since).days + 1
        if kept.filter(day__range=(since, today)).count() < awaited:
            days |= {since + number * DAY for number in range(awaited)}
    for each in sorted(days):
        keep_day(party=operator, day=each)
