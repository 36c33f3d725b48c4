"""Replays: how far they are, what they came to, and one beside another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Q, Sum

from audits.marks import Key, Place, Standing, compare, differences
from audits.models import Replay, ReplaySegment
from audits.selectors.share_files import findings_at, marks_of

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_EXAMPLES = 20
STATE = ReplaySegment.State


@dataclass(frozen=True)
class Progress:
    """How far a replay is, in segments and rounds."""

    shares: int
    done: int
    leased: int
    rounds: int
    rounds_done: int

    @property
    def percent(self) -> int:
        """Rounds judged, of a hundred."""
        return 100 * self.rounds_done // self.rounds if self.rounds else 0


def progress_of(replay: Replay) -> Progress:
    """How far a replay is now."""
    done, leased = (Q(state=state) for state in (STATE.DONE, STATE.LEASED))
    found = replay.shares.aggregate(
        shares=Count("pk"),
        done=Count("pk", filter=done),
        leased=Count("pk", filter=leased),
        rounds=Sum("segment__rounds", default=0),
        rounds_done=Sum("segment__rounds", filter=done, default=0),
    )
    return Progress(**found)


def answer_of(replay: Replay) -> dict[str, Any]:
    """A replay as other programs are told of it."""
    return {
        "replay": str(replay.uuid),
        "fingerprint": replay.fingerprint,
        "state": replay.state,
        "rounds": replay.rounds,
        "seats": replay.seats,
        "findings": replay.findings,
        "digest": replay.digest or None,
    }


@dataclass(frozen=True)
class Difference:
    """A finding that two replays see differently; None where one does not have it."""

    former: dict[str, Any] | None
    later: dict[str, Any] | None


@dataclass(frozen=True)
class Comparison:
    """Two replays beside each other: what the later says of the former's findings."""

    total: Standing
    patterns: dict[Key, Standing]
    """Those in which anything is different."""
    examples: dict[str, list[Difference]]
    """First ones by `changed`, `gone`, `new`."""


def compare_replays(*, former: Replay, later: Replay) -> Comparison:
    """Compare two replays that are done, finding by finding, by identity."""
    old, new = (
        list(replay.shares.select_related("segment").order_by("position"))
        for replay in (former, later)
    )
    old_marks, new_marks = [marks_of(each) for each in old], [marks_of(each) for each in new]
    standings = compare(old_marks, new_marks)
    total = sum(standings.values(), Standing())
    places = differences(old_marks, new_marks, most=MOST_EXAMPLES)
    olds = _read(old, [was for pairs in places.values() for was, _ in pairs])
    news = _read(new, [now for pairs in places.values() for _, now in pairs])
    return Comparison(
        total,
        {key: standing for key, standing in standings.items() if standing},
        {
            kind: [Difference(olds.get(was), news.get(now)) for was, now in pairs]
            for kind, pairs in places.items()
        },
    )


def _read(
    shares: Sequence[ReplaySegment], places: Sequence[Place | None]
) -> dict[Place | None, dict[str, Any]]:
    """Read the findings that stand in some places: share and row."""
    found: dict[Place | None, dict[str, Any]] = {}
    for number, share in enumerate(shares):
        rows = {place.row for place in places if place is not None and place.file == number}
        for row, finding in findings_at(share, rows):
            found[Place(number, row)] = finding
    return found
