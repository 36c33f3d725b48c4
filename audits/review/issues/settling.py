"""Settle a replay whose work units are done: its digest and sums, and the issues of its days."""

from __future__ import annotations

import hashlib
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from heapq import merge
from itertools import groupby
from operator import itemgetter
from time import monotonic
from typing import TYPE_CHECKING, Any

import orjson
import structlog
from django.db import IntegrityError, transaction
from django.db.models import Max, Min, Q
from django.db.models.functions import Now

from audits.instants import instant
from audits.intake.days.models import GamblingDay
from audits.intake.days.writes import keep_day
from audits.intake.reads import current_segments
from audits.intake.repair import RepairError
from audits.replay.events import ISSUE_OPENED, REPLAY_DONE
from audits.replay.findings.files import BY_SEVERITY, issues_of, marks_of
from audits.replay.findings.marks import Key, Standing, compare
from audits.replay.findings.models import Issue, IssueNight, IssuePart, IssueVisibility
from audits.replay.findings.reads import impact_of, sum_of_cents, units_of
from audits.replay.jobs import UNDER_WAY, add_watch, fail_replay
from audits.replay.judging.causes import FAMILIES, ISOLATED, SETTLEMENT
from audits.replay.judging.tally import MOST_EXCEPTIONS, Hour
from audits.replay.models import Replay, ReplaySegment
from audits.replay.units import repair_unit
from audits.review.issues.assignments import work_on
from audits.review.issues.examples import ExampleFindings, keep_examples, key_of
from audits.review.issues.writes import (
    close_if_empty,
    name_clauses,
    reopen_empty,
    return_for_decision,
)
from audits.review.releases.writes import release_as_standing
from compliance import clock
from compliance.access.scope import without_access_scope
from compliance.changes import seal
from compliance.events.actor import SYSTEM
from compliance.events.record import record
from compliance.jobs import queue
from compliance.jobs.work import Kind
from games.cents import clamp_cents
from games.checks import severity
from games.findings import BALANCE, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    from audits.replay.findings.files import Occurred
    from audits.replay.judging.tally import Part
    from compliance.jobs.queue import Lease


log = structlog.get_logger(__name__)

SUMMED = ("findings", "rounds", "over", "under", "tested", "explained")
PART_SUMS = ("findings", "rounds", "over", "under")


@dataclass
class Night:
    """What a replay says about an issue on a day: counts, and first findings by work unit."""

    weight: str = ""
    headline: str = ""
    findings: int = 0
    rounds: int = 0
    over: int = 0
    under: int = 0
    tested: int = 0
    explained: int = 0
    first: int | None = None
    last: int | None = None
    hours: dict[Hour, list[int]] = field(default_factory=dict)
    dealers: dict[str, list[int]] = field(default_factory=dict)
    parts: dict[Part, list[int]] = field(default_factory=dict)
    cites: set[str] = field(default_factory=set)
    exceptions: list[str] = field(default_factory=list)
    concentrations: list[dict[str, Any]] = field(default_factory=list)
    typical: dict[str, Any] = field(default_factory=dict)
    examples: list[tuple[ReplaySegment, Occurred]] = field(default_factory=list)

    def add(self, share: ReplaySegment, occurred: Occurred) -> None:
        """Add the counts of another work unit."""
        self.headline = self.headline or occurred.headline
        weights = filter(None, (self.weight, occurred.weight))
        self.weight = min(weights, key=BY_SEVERITY.index)
        for name in SUMMED:
            setattr(self, name, clamp_cents(getattr(self, name) + getattr(occurred, name)))
        # An instant before 1970 is negative, and that of 1970 itself is 0.
        self.first = occurred.first if self.first is None else min(self.first, occurred.first)
        self.last = occurred.last if self.last is None else max(self.last, occurred.last)
        self.cites.update(occurred.cites)
        self.exceptions += occurred.exceptions
        self.concentrations = self.concentrations or occurred.concentrations
        self.typical = self.typical or _typical(occurred)
        for table, begin, *counted in occurred.hours:
            hour = Hour(table, begin)
            self.hours[hour] = _added(self.hours.get(hour), counted)
        for dealer, *counted in occurred.dealers:
            self.dealers[dealer] = _added(self.dealers.get(dealer), counted)
        for part, sums in occurred.parts:
            self.parts[part] = _added(self.parts.get(part), sums)
        self.examples.append((share, occurred))

    def as_row(self) -> dict[str, Any]:
        """Return the fields of a night's row."""
        return {
            **{name: getattr(self, name) for name in SUMMED},
            "exceptions": self.exceptions[:MOST_EXCEPTIONS],
            "concentrations": self.concentrations,
            "first": _instant(self.first),
            "last": _instant(self.last),
            "by_hour": [[*hour, *counted] for hour, counted in sorted(self.hours.items())],
            "by_dealer": [[name, *counted] for name, counted in sorted(self.dealers.items())],
            "typical": self.typical,
        }


TYPICAL = ("round", "table", "seat", "wager", "line", "code", "logged", "expected", "delta")


def _typical(occurred: Occurred) -> dict[str, Any]:
    """Return the finding to show as an example; the first one if its cause names none."""
    line = occurred.shown[0] if occurred.shown else next(iter(occurred.examples), "{}")
    finding = orjson.loads(line)
    return {name: finding[name] for name in TYPICAL if name in finding}


def _added(sums: Sequence[int] | None, more: Sequence[int]) -> list[int]:
    if sums is None:
        return list(more)
    return [clamp_cents(one + other) for one, other in zip(sums, more, strict=True)]


def record_issues(
    *,
    replay: Replay,
    day: GamblingDay,
    shares: Sequence[ReplaySegment],
    writing: Callable[[], AbstractContextManager[None]],
) -> dict[str, Any]:
    """Make a replay the current one of a day: record issues, nights and shown findings.

    Each issue is written within `writing()`, which may raise; what is already on file is then not
    repeated.

    Returns the replay it was compared with, and how many findings were confirmed, changed, gone or
    new.
    """
    standings, unknown = _standings(day, replay, shares)
    shown = ExampleFindings.of(day, replay, shares)
    known = _known(day)
    done = {key for key, by in known.items() if by == replay.pk}
    found = set()
    for key, night in nights_of(shares):
        found.add(key)
        if key not in done:
            with writing():
                _occur(replay, day, key, night, standings.get(key), shown)
    for key in sorted(known.keys() - found - done):
        with writing():
            _occur(replay, day, key, Night(), standings.get(key), shown)
    if day.current is None or day.current_id == replay.pk:
        return {}
    total = sum(standings.values(), Standing())
    against = {"against": str(day.current.uuid)}
    return against | ({"unknown": unknown} if unknown else total._asdict())


def nights_of(shares: Sequence[ReplaySegment]) -> Iterator[tuple[Key, Night]]:
    """Yield every issue one by one, with its occurrences in all work units."""

    def of_share(share: ReplaySegment) -> Iterator[tuple[Key, int, ReplaySegment, Occurred]]:
        return ((each.key, share.position, share, each) for each in issues_of(share))

    in_order = merge(*map(of_share, shares), key=itemgetter(0, 1))
    for key, group in groupby(in_order, itemgetter(0)):
        night = Night()
        for _, _, share, occurred in group:
            night.add(share, occurred)
        yield key, night


def _standings(
    day: GamblingDay, replay: Replay, shares: Sequence[ReplaySegment]
) -> tuple[dict[Key, Standing], str]:
    """Return what became of the findings of the former current replay, or why that is unknown.

    A former replay whose files are lost for good must not block the day.
    """
    if day.current is None or day.current_id == replay.pk:
        return {}, ""
    former = list(units_of(day))
    try:
        for share in former:
            repair_unit(share)
    except RepairError as wrong:
        log.warning("findings cannot be compared", replay=day.current_id, why=str(wrong))
        return {}, str(wrong)
    marks = [[marks_of(share) for share in each] for each in (former, shares)]
    return compare(*marks), ""


def _known(day: GamblingDay) -> dict[Key, int | None]:
    """Return the issues that occurred on the day, each with the last replay that reported it."""
    nights = IssueNight.objects.filter(
        issue__party=day.party, day=day.day, replay__isnull=False
    ).select_related("issue")
    return {key_of(night.issue): night.replay_id for night in nights}


@transaction.atomic
def _occur(
    replay: Replay,
    day: GamblingDay,
    key: Key,
    night: Night,
    standing: Standing | None,
    shown: ExampleFindings,
) -> None:
    """Assign the findings of one cause to the issue they belong to."""
    issue = _issue_of(replay, day, key, night)
    before = issue.nights.filter(day=day.day).first()
    IssueNight.objects.update_or_create(
        issue=issue, day=day.day, defaults={"replay": replay, **night.as_row()}
    )
    _keep_parts(issue, day, night)
    name_clauses(issue=issue, cites=night.cites)
    keep_examples(replay=replay, issue=issue, night=night.examples, shown=shown)
    if not issue.open and before is not None and standing and before.replay_id != replay.pk:
        told = [f"{count} {name}" for name, count in standing._asdict().items() if count]
        says = f"On {day.day}: {', '.join(told)}, by a replay after the decision."
        return_for_decision(issue=issue, day=day.day, says=says, replay=replay)
    count_issue(issue)
    if before is not None and not night.findings:
        close_if_empty(issue=issue, day=day.day, replay=replay)


def _keep_parts(issue: Issue, day: GamblingDay, night: Night) -> None:
    """Record what an issue came to by table, code, wager and line, in place of what was said."""
    issue.parts.filter(day=day.day).delete()
    IssuePart.objects.bulk_create(
        IssuePart(
            issue=issue,
            day=day.day,
            **part._asdict(),
            **dict(zip(PART_SUMS, sums, strict=True)),
        )
        for part, sums in sorted(night.parts.items())
    )


def _issue_of(replay: Replay, day: GamblingDay, key: Key, night: Night) -> Issue:
    """Return the issue that already covers this night, else the open one, else a new one.

    Decided occurrences stay with their decision; a new issue follows the last decided one.
    """
    same = Issue.objects.filter(party=day.party, **key._asdict()).order_by("-pk")
    found = (
        same.filter(nights__day=day.day, nights__replay__isnull=False)
        .exclude(state=Issue.State.EMPTY)
        .first()
        or same.filter(open=True).first()
        or same.filter(state=Issue.State.EMPTY).first()
    )
    if found is not None:
        if night.findings and found.state == Issue.State.EMPTY:
            reopen_empty(issue=found, day=day.day, replay=replay)
        return found
    codes = _codes(night)
    made = Issue.objects.create(
        party=day.party,
        **key._asdict(),
        headline=night.headline,
        diagnosis=_sentence(night.headline) if _is_inferred(key, codes) else "",
        code=codes[0] if codes else key.cause.split()[0],
        weight=night.weight or Severity.NOTICE,
        again_after=same.first(),
        opened=clock.now(),
    )
    IssueVisibility.objects.create(shown=made, party=replay.made_for)
    work_on(issue=made, unit=replay.made_for)
    record(
        ISSUE_OPENED,
        by=SYSTEM,
        party=day.party,
        about=made,
        carries={
            "code": made.code,
            "cause": key.cause,
            "day": str(day.day),
            "again_after": str(made.again_after.uuid) if made.again_after else "",
        },
    )
    release_as_standing(issue=made, codes=codes)
    return made


def _is_inferred(key: Key, codes: Sequence[str]) -> bool:
    """Return whether the cause is an explanation, not the rule that was broken."""
    paid = any(code.startswith(SETTLEMENT) for code in codes)
    return paid and key.cause not in {ISOLATED, *FAMILIES, *codes}


def _sentence(headline: str) -> str:
    return f"{headline[:1].upper()}{headline[1:]}."


def _codes(night: Night) -> list[str]:
    """Return its codes, by severity and then the most frequent first.

    The balance of a table follows from the results of its seats, so it names an issue only alone.
    """
    counts: Counter[str] = Counter()
    for part, sums in night.parts.items():
        counts[part.code] += sums[0]
    return sorted(
        counts,
        key=lambda code: (
            BY_SEVERITY.index(severity(code)), code == BALANCE, -counts[code], code
        ),
    )  # fmt: skip


def count_issue(issue: Issue) -> None:
    """Sum an issue over its nights, and name its table, wager and line where it has only one."""
    sums = issue.nights.aggregate(
        **{name: sum_of_cents(name) for name in SUMMED}, first=Min("first"), last=Max("last")
    )
    parts = issue.parts.filter(findings__gt=0)
    only = {
        name: next(iter(found)) if len(found) == 1 else ""
        for name in ("table", "wager", "line")
        if (found := set(parts.order_by().values_list(name, flat=True).distinct()[:2]))
    }
    for name, value in {**sums, **only}.items():
        setattr(issue, name, value)
    issue.impact = impact_of(issue)
    Issue.objects.filter(pk=issue.pk).update(**sums, **only, impact=issue.impact)


def _instant(at: int | None) -> datetime | None:
    return None if at is None else instant(at)


SUMS = ("rounds", "seats", "findings", "over", "under")
SETTLING_SECONDS = 15
AFTER_ANOTHER = timedelta(seconds=2)


class OutOfTimeError(Exception):
    """Time is up, since no task may run long; the next worker does the rest."""


def settle_replay(lease: Lease) -> None:
    """Record a replay's findings and end it; a retry after a crash has the same result.

    When time is up the job is returned, and the next worker continues from there.
    """
    with without_access_scope():
        replay = Replay.objects.select_related("party", "made_for").get(pk=lease.subject)
        if not _begin(lease, replay):
            reason = "Another replay of this operator goes on file first."
            queue.put_off(lease, reason, pause=AFTER_ANOTHER)
            return
        shares = list(replay.shares.select_related("segment__party", "replay").order_by("position"))
        try:
            _record_issues(lease, replay, shares, until=monotonic() + SETTLING_SECONDS)
            _end(lease, replay, shares)
        except OutOfTimeError:
            queue.give_back(lease)


def give_up_settling(subject: int, failure: str) -> None:
    """Mark a replay as failed if its findings could not be recorded, with the reason."""
    with without_access_scope():
        says = f"its findings could not be put on file: {failure}"
        fail_replay(subject, says, states=(*UNDER_WAY, Replay.State.SETTLING))


SETTLING_JOBS = Kind(run=settle_replay, give_up=give_up_settling)


def _begin(lease: Lease, replay: Replay) -> bool:
    """Return whether a replay may settle now; if so, no other of its operator can until it ends."""
    try:
        with queue.under(lease):
            Replay.objects.filter(pk=replay.pk).update(state=Replay.State.SETTLING)
    except IntegrityError:
        return False
    return True


def digest_of(shares: Sequence[ReplaySegment]) -> str:
    """Return the digest of the findings of all work units, in order."""
    return hashlib.sha256(
        b"".join(bytes.fromhex(share.findings_digest) for share in shares)
    ).hexdigest()


def _record_issues(
    lease: Lease, replay: Replay, shares: Sequence[ReplaySegment], *, until: float
) -> None:
    """Make the replay current for each of its days for which it is the newest over all logs."""

    def go_on() -> None:
        if monotonic() > until:
            raise OutOfTimeError

    @contextmanager
    def writing() -> Iterator[None]:
        go_on()
        with queue.under(lease):
            yield

    for day in map(date.fromisoformat, replay.days):
        if str(day) in replay.standings:
            continue
        go_on()
        of_day = [share for share in shares if share.segment.day == day]
        for share in of_day:
            repair_unit(share)
        kept = keep_day(party=replay.party, day=day)
        if _is_newest(replay, kept, of_day):
            replay.standings[str(day)] = record_issues(
                replay=replay, day=kept, shares=of_day, writing=writing
            )
            with queue.under(lease):
                Replay.objects.filter(pk=replay.pk).update(standings=replay.standings)


def _is_newest(replay: Replay, day: GamblingDay, shares: Sequence[ReplaySegment]) -> bool:
    """Return whether it began after the day's current replay, and covers everything on file."""
    on_file = {each.pk for each in current_segments(replay.party, day=day.day)}
    newer = day.current_id is None or day.current_id <= replay.pk
    return newer and on_file == {share.segment_id for share in shares}


def _end(lease: Lease, replay: Replay, shares: Sequence[ReplaySegment]) -> None:
    sums = {name: clamp_cents(sum(getattr(share, name) for share in shares)) for name in SUMS}
    digest = digest_of(shares)
    with queue.finishing(lease):
        Replay.objects.filter(pk=replay.pk).update(
            **sums, digest=digest, state=Replay.State.DONE, ended=Now(), failure=""
        )
        days = GamblingDay.objects.filter(party=replay.party, day__in=replay.standings)
        days.filter(Q(current=None) | Q(current__lt=replay.pk)).update(current=replay)
        seal(shares)
        add_watch(replay.party_id)
        record(
            REPLAY_DONE,
            by=SYSTEM,
            party=replay.party,
            about=replay,
            carries={
                "replay": str(replay.uuid),
                "fingerprint": replay.fingerprint,
                "digest": digest,
                "rounds": sums["rounds"],
                "findings": sums["findings"],
                "days": sorted(replay.standings),
            },
        )
