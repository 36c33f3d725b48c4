"""Settle a replay whose work units are done: its digest and sums, and the issues of its days."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from datetime import date, timedelta
from time import monotonic
from typing import TYPE_CHECKING, Final

from django.db import IntegrityError
from django.db.models import Q
from django.db.models.functions import Now

from audits.intake.days.models import GamblingDay
from audits.intake.days.writes import keep_day
from audits.intake.reads import current_segments
from audits.replay.events import REPLAY_DONE
from audits.replay.jobs import UNDER_WAY, add_watch, fail_replay
from audits.replay.models import Replay
from audits.replay.units import repair_unit
from audits.review.issues.recording import RecordedDay
from audits.review.issues.sums import Sums
from compliance.access.scope import without_access_scope
from compliance.changes import seal
from compliance.events.actor import SYSTEM
from compliance.events.record import record
from compliance.jobs import queue
from compliance.jobs.work import Kind
from games.cents import clamp_cents

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from audits.replay.models import ReplaySegment
    from compliance.jobs.queue import Lease


SUMS = ("rounds", "seats", "findings", "over", "under")
SETTLING_SECONDS = 15
PREPARING_SECONDS, WRITING_SECONDS = 0.5, 1.0
"""How long days are compared, and issues written in one transaction, which others may wait for."""
DAYS_AT_ONCE: Final = 50
"""Days looked up together."""
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
        units = list(replay.units.select_related("segment__party", "replay").order_by("position"))
        try:
            _record_issues(lease, replay, units, until=monotonic() + SETTLING_SECONDS)
            _end(lease, replay, units)
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


def digest_of(units: Sequence[ReplaySegment]) -> str:
    """Return the digest of the findings of all work units, in order."""
    return hashlib.sha256(
        b"".join(bytes.fromhex(unit.findings_digest) for unit in units)
    ).hexdigest()


def _record_issues(
    lease: Lease, replay: Replay, units: Sequence[ReplaySegment], *, until: float
) -> None:
    """Make the replay current for each of its days for which it is the newest over all logs."""
    days = _days_to_record(replay, units)
    while prepared := list(_taken(days, until=min(until, monotonic() + PREPARING_SECONDS))):
        sums = Sums()
        steps = _steps(replay, prepared, sums)
        is_left = True
        while is_left:
            with queue.under(lease):
                before = monotonic() + WRITING_SECONDS
                is_left = any(monotonic() > before for _ in steps)
                sums.write()
                Replay.objects.filter(pk=replay.pk).update(standings=replay.standings)
            if monotonic() > until:
                raise OutOfTimeError


def _taken(days: Iterator[RecordedDay], *, until: float) -> Iterator[RecordedDay]:
    """Yield days until time is up, at least one."""
    for day in days:
        yield day
        if monotonic() > until:
            return


def _steps(replay: Replay, days: Iterable[RecordedDay], sums: Sums) -> Iterator[None]:
    for each in days:
        yield from each.steps(sums)
        replay.standings[str(each.day.day)] = each.compared()


def _days_to_record(replay: Replay, units: Sequence[ReplaySegment]) -> Iterator[RecordedDay]:
    """Yield each day that is not recorded yet and for which the replay is the newest."""
    of_day = defaultdict(list)
    for unit in units:
        of_day[unit.segment.day].append(unit)
    left = [date.fromisoformat(each) for each in replay.days if each not in replay.standings]
    for first in range(0, len(left), DAYS_AT_ONCE):
        some = left[first : first + DAYS_AT_ONCE]
        kept = GamblingDay.objects.filter(party=replay.party, day__in=some)
        known = {each.day: each for each in kept.select_related("current")}
        on_file = defaultdict(set)
        for segment in current_segments(replay.party, first=min(some), last=max(some)):
            on_file[segment.day].add(segment.pk)
        for each in some:
            for unit in of_day[each]:
                repair_unit(unit)
            day = known.get(each) or keep_day(party=replay.party, day=each)
            day.party = replay.party
            newer = day.current_id is None or day.current_id <= replay.pk
            if newer and on_file[each] == {unit.segment_id for unit in of_day[each]}:
                yield RecordedDay.of(replay, day, of_day[each])


def _end(lease: Lease, replay: Replay, units: Sequence[ReplaySegment]) -> None:
    sums = {name: clamp_cents(sum(getattr(unit, name) for unit in units)) for name in SUMS}
    digest = digest_of(units)
    with queue.finishing(lease):
        Replay.objects.filter(pk=replay.pk).update(
            **sums, digest=digest, state=Replay.State.DONE, ended=Now(), failure=""
        )
        days = GamblingDay.objects.filter(party=replay.party, day__in=replay.standings)
        days.filter(Q(current=None) | Q(current__lt=replay.pk)).update(current=replay)
        seal(units)
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
