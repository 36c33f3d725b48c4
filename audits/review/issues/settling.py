"""Settle a replay whose work units are done: its digest and sums, and the issues of its days."""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from heapq import merge
from itertools import groupby
from operator import itemgetter
from time import monotonic
from typing import TYPE_CHECKING, Any

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
from audits.replay.findings.files import issues_of, marks_of
from audits.replay.findings.marks import Key, Standing, compare
from audits.replay.findings.models import Issue, IssueNight, IssueVisibility
from audits.replay.findings.reads import sum_of_cents, units_of
from audits.replay.jobs import UNDER_WAY, add_watch, fail_replay
from audits.replay.judging.diagnosis import diagnose
from audits.replay.judging.terms import read_terms
from audits.replay.models import Replay, ReplaySegment
from audits.replay.units import repair_unit
from audits.review.issues.assignments import work_on
from audits.review.issues.examples import ExampleFindings, keep_examples, key_of
from audits.review.issues.writes import name_clauses, return_for_decision
from audits.review.releases.writes import release_as_standing
from compliance import clock
from compliance.access.scope import without_access_scope
from compliance.changes import seal
from compliance.events.actor import SYSTEM
from compliance.events.record import record
from compliance.files.archive import current_archive, read_bytes
from compliance.jobs import queue
from compliance.jobs.work import Kind
from games.cents import clamp_cents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    from audits.replay.findings.files import Occurred
    from compliance.jobs.queue import Lease


def diagnose_issue(
    *, issue: Issue, day: date, night: Sequence[tuple[ReplaySegment, Occurred]]
) -> None:
    """Record the interpretation that explains all of an issue, on this night and earlier ones.

    If one night does not fit it, the interpretation no longer explains the issue.
    """
    if not issue.code.startswith("settlement."):
        return
    readings = {_reading(share, occurred) for share, occurred in night}
    says = readings.pop() if len(readings) == 1 else ""
    if issue.nights.exclude(day=day).filter(findings__gt=0).exists() and says != issue.diagnosis:
        says = ""
    if says != issue.diagnosis:
        issue.diagnosis = says
        issue.save(update_fields=["diagnosis"])


def _reading(share: ReplaySegment, occurred: Occurred) -> str:
    terms = read_terms(read_bytes(current_archive(), share.terms))
    diagnosis = diagnose(occurred.examples, terms)
    return "" if diagnosis is None else diagnosis.says


log = structlog.get_logger(__name__)

SUMMED = ("findings", "rounds", "over", "under")


@dataclass
class Night:
    """What a replay says about an issue on a day: counts, and first findings by work unit."""

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
        """Add the counts of another work unit."""
        self.weight = occurred.weight
        for name in SUMMED:
            setattr(self, name, clamp_cents(getattr(self, name) + getattr(occurred, name)))
        self.first = min(filter(None, (self.first, occurred.first)))
        self.last = max(filter(None, (self.last, occurred.last)))
        self.cites.update(occurred.cites)
        for begin, *counted in occurred.hours:
            before = self.hours.get(begin, [0, 0, 0])
            added = zip(before, counted, strict=True)
            self.hours[begin] = [clamp_cents(one + other) for one, other in added]
        self.examples.append((share, occurred))

    def as_row(self) -> dict[str, Any]:
        """Return the fields of a night's row."""
        return {
            **{name: getattr(self, name) for name in SUMMED},
            "first": _instant(self.first),
            "last": _instant(self.last),
            "by_hour": [[begin, *counted] for begin, counted in sorted(self.hours.items())],
        }


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
    name_clauses(issue=issue, cites=night.cites)
    keep_examples(replay=replay, issue=issue, night=night.examples, shown=shown)
    if not issue.open and before is not None and standing and before.replay_id != replay.pk:
        told = [f"{count} {name}" for name, count in standing._asdict().items() if count]
        says = f"On {day.day}: {', '.join(told)}, by a replay after the decision."
        return_for_decision(issue=issue, day=day.day, says=says, replay=replay)
    if night.examples:
        diagnose_issue(issue=issue, day=day.day, night=night.examples)
    count_issue(issue)


def _issue_of(replay: Replay, day: GamblingDay, key: Key, night: Night) -> Issue:
    """Return the issue that already covers this night, else the open one, else a new one.

    Decided occurrences stay with their decision; a new issue follows the last decided one.
    """
    same = Issue.objects.filter(party=day.party, **key._asdict()).order_by("-pk")
    found = (
        same.filter(nights__day=day.day, nights__replay__isnull=False).first()
        or same.filter(open=True).first()
    )
    if found is not None:
        return found
    decided = same.first()
    made = Issue.objects.create(
        party=day.party,
        **key._asdict(),
        weight=night.weight,
        again_after=decided,
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
            "code": key.code,
            "day": str(day.day),
            "again_after": str(decided.uuid) if decided else "",
        },
    )
    release_as_standing(issue=made)
    return made


def count_issue(issue: Issue) -> None:
    """Sum an issue over its nights."""
    sums = issue.nights.aggregate(
        **{name: sum_of_cents(name) for name in SUMMED}, first=Min("first"), last=Max("last")
    )
    Issue.objects.filter(pk=issue.pk).update(**sums)


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
