"""Comparison of two replays: what happened in the later one to the earlier one's findings."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.db.models.functions import Now

from audits.intake.models import Segment
from audits.replay.events import REPLAYS_COMPARED
from audits.replay.findings.files import findings_at, marks_of
from audits.replay.findings.marks import Key, Place, Standing, compare, differences
from audits.replay.jobs import announce_work
from audits.replay.models import Replay, ReplayComparison, ReplaySegment
from compliance import clock
from compliance.access.permissions import Action
from compliance.access.reads import require
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.actor import SYSTEM
from compliance.events.record import record
from compliance.files.archive import DamagedError, MissingError
from compliance.jobs import queue
from compliance.jobs.work import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compliance.access.scope import Asker
    from compliance.jobs.queue import Lease


MOST_EXAMPLES: Final = 20
KINDS: Final = ("changed", "gone", "new")
SHOWN: Final = (
    *("round", "code", "seat", "wager", "log", "source_line"),
    *("logged", "expected", "delta", "cites"),
)
"""Fields saved for an example; the player's identity is only in the findings themselves."""


@dataclass(frozen=True)
class Difference:
    """A finding that differs between two replays; None if one of them does not have it."""

    former: dict[str, Any] | None
    later: dict[str, Any] | None


@dataclass(frozen=True)
class Comparison:
    """The differences between two replays, as far as they have been compared."""

    total: Standing
    issues: dict[Key, Standing]
    """Issues with any difference."""
    examples: dict[str, list[Difference]]
    """First examples by `changed`, `gone` and `new`."""

    @classmethod
    def of(cls, kept: ReplayComparison) -> Comparison:
        """Load the result of a comparison so far."""
        outcome = kept.result
        return cls(
            Standing(*outcome.get("total", ())),
            {Key.read(key): Standing(*counts) for key, counts in outcome.get("issues", ())},
            {
                kind: [Difference(*pair) for pair in outcome.get("examples", {}).get(kind, ())]
                for kind in KINDS
            },
        )

    def as_kept(self) -> dict[str, Any]:
        """Return the result as stored in the database."""
        return {
            "total": self.total,
            "issues": [(key, standing) for key, standing in sorted(self.issues.items())],
            "examples": {
                kind: [(each.former, each.later) for each in found]
                for kind, found in self.examples.items()
            },
        }

    def __add__(self, other: Comparison) -> Comparison:
        """Add the results of other days, which have other findings."""
        keys = self.issues.keys() | other.issues.keys()
        none = Standing()
        return Comparison(
            self.total + other.total,
            {key: self.issues.get(key, none) + other.issues.get(key, none) for key in keys},
            {kind: [*self.examples[kind], *other.examples[kind]][:MOST_EXAMPLES] for kind in KINDS},
        )


def compare_day(*, former: Replay, later: Replay, day: date) -> Comparison:
    """Compare the findings of two completed replays on a gambling day, by finding ID.

    Raises:
        DamagedError, MissingError: a findings file is damaged or missing in the archive.
    """
    old, new = (
        list(
            ReplaySegment.objects.filter(replay=replay, segment__day=day)
            .select_related("segment")
            .order_by("position")
        )
        for replay in (former, later)
    )
    old_marks, new_marks = [marks_of(each) for each in old], [marks_of(each) for each in new]
    standings = compare(old_marks, new_marks)
    places = differences(old_marks, new_marks, most=MOST_EXAMPLES)
    olds = _read(old, [was for pairs in places.values() for was, _ in pairs])
    news = _read(new, [now for pairs in places.values() for _, now in pairs])
    return Comparison(
        sum(standings.values(), Standing()),
        {key: standing for key, standing in standings.items() if standing},
        {
            kind: [Difference(olds.get(was), news.get(now)) for was, now in pairs]
            for kind, pairs in places.items()
        },
    )


def answer_of_comparison(kept: ReplayComparison) -> dict[str, Any]:
    """Return a comparison as the API shows it, with the result once it is done."""
    found = Comparison.of(kept) if kept.state == kept.State.DONE else None
    return {
        "comparison": str(kept.uuid),
        "former": str(kept.former.uuid),
        "later": str(kept.later.uuid),
        "state": kept.state,
        "failure": kept.failure,
        "days": len(kept.days),
        "compared": kept.compared,
        "total": found and found.total._asdict(),
        "issues": found
        and [key._asdict() | each._asdict() for key, each in sorted(found.issues.items())],
        "examples": found
        and {
            kind: [{"former": each.former, "later": each.later} for each in found.examples[kind]]
            for kind in KINDS
        },
    }


def _read(
    units: Sequence[ReplaySegment], places: Sequence[Place | None]
) -> dict[Place | None, dict[str, Any]]:
    """Read the findings at some places, each given by work unit and row."""
    found: dict[Place | None, dict[str, Any]] = {}
    for number, unit in enumerate(units):
        rows = {place.row for place in places if place is not None and place.file == number}
        for row, finding in findings_at(unit, rows):
            found[Place(number, row)] = {name: finding[name] for name in SHOWN}
    return found


STATE = ReplayComparison.State
COMPARING_SECONDS = 5


def begin_comparison(*, former: Replay, later: Replay, by: Asker | None) -> ReplayComparison:
    """Begin to compare two replays; `by` is None for the system.

    Returns the existing comparison if it is done or under way; a failed one is retried. Refuses:
    a caller who may not see findings; replays of two operators; a replay that is not done; a former
    replay that is not earlier.
    """
    if by is not None:
        require(by, Action.SEE_FINDINGS, later.party)
    if former.party_id != later.party_id or former.pk >= later.pk:
        msg = "Only an earlier replay of the same operator can be compared with. Choose one."
        raise RefusedError(msg)
    for each in (former, later):
        if each.state != Replay.State.DONE:
            msg = f"Replay {each.uuid} is {each.get_state_display().lower()}: compare it when done."
            raise RefusedError(msg)
    with transaction.atomic(), without_access_scope():
        days = Segment.objects.filter(pk__in=_segments(former) | _segments(later))
        kept, new = ReplayComparison.objects.get_or_create(
            former=former,
            later=later,
            defaults={
                "days": sorted({str(day) for day in days.values_list("day", flat=True)}),
                "at": clock.now(),
            },
        )
        again = not new and ReplayComparison.objects.filter(pk=kept.pk, state=STATE.FAILED).update(
            state=STATE.WAITING, failure="", ended=None
        )
        if new or again:
            record(
                REPLAYS_COMPARED,
                by=by or SYSTEM,
                party=later.party,
                about=later,
                carries={"former": str(former.uuid), "later": str(later.uuid)},
            )
            # Ahead of replays, because it is short and a person is waiting.
            queue.add_jobs(ReplayComparison.JOB, [kept.pk], priority=100)
            announce_work(units=1)
            kept.refresh_from_db()
    return kept


def _segments(replay: Replay) -> Any:
    return replay.units.order_by().values("segment")


def make_comparison(lease: Lease) -> None:
    """Compare day by day; when time is up, leave the rest to the next worker."""
    with without_access_scope():
        _compare(lease, until=monotonic() + COMPARING_SECONDS)


def give_up_comparison(subject: int, failure: str) -> None:
    """Mark a comparison as failed, with the reason."""
    with without_access_scope():
        ReplayComparison.objects.filter(pk=subject).update(
            state=STATE.FAILED, failure=failure, ended=Now()
        )


def _refuse_damaged(subject: int, wrong: Exception) -> None:
    says = f"{wrong} Replay its day again to restore its findings."
    give_up_comparison(subject, says)


COMPARISON_JOBS = Kind(
    run=make_comparison,
    give_up=give_up_comparison,
    refuse=_refuse_damaged,
    bad_input=(DamagedError, MissingError),
)


def _compare(lease: Lease, until: float) -> None:
    kept = ReplayComparison.objects.select_related("former", "later").get(pk=lease.subject)
    row = ReplayComparison.objects.filter(pk=kept.pk)
    found = Comparison.of(kept)
    for number, day in enumerate(kept.days[kept.compared :], start=kept.compared + 1):
        found += compare_day(former=kept.former, later=kept.later, day=date.fromisoformat(day))
        with queue.under(lease):
            row.update(state=STATE.RUNNING, compared=number, result=found.as_kept())
        if monotonic() > until and number < len(kept.days):
            queue.give_back(lease)
            return
    with queue.finishing(lease):
        row.update(state=STATE.DONE, failure="", ended=Now())
