"""Two replays beside each other: what the later one says of the former's findings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from audits.marks import Key, Place, Standing, compare, differences
from audits.models import ReplaySegment
from audits.selectors.share_files import findings_at, marks_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from audits.models import Replay, ReplayComparison

MOST_EXAMPLES: Final = 20
KINDS: Final = ("changed", "gone", "new")
SHOWN: Final = (
    *("round", "code", "seat", "wager", "log", "source_line"),
    *("logged", "expected", "delta", "cites"),
)
"""What is kept of an example; whose money it was is in the findings themselves."""


@dataclass(frozen=True)
class Difference:
    """A finding that two replays see differently; None where one does not have it."""

    former: dict[str, Any] | None
    later: dict[str, Any] | None


@dataclass(frozen=True)
class Comparison:
    """What is different between two replays, so far as they are compared."""

    total: Standing
    patterns: dict[Key, Standing]
    """Those in which anything is different."""
    examples: dict[str, list[Difference]]
    """First ones by `changed`, `gone`, `new`."""

    @classmethod
    def of(cls, kept: ReplayComparison) -> Comparison:
        """What a comparison came to so far."""
        said = kept.result
        return cls(
            Standing(*said.get("total", ())),
            {Key(*key): Standing(*counts) for key, counts in said.get("patterns", ())},
            {
                kind: [Difference(*pair) for pair in said.get("examples", {}).get(kind, ())]
                for kind in KINDS
            },
        )

    def as_kept(self) -> dict[str, Any]:
        """The same as it stands in the database."""
        return {
            "total": self.total,
            "patterns": [(key, standing) for key, standing in sorted(self.patterns.items())],
            "examples": {
                kind: [(each.former, each.later) for each in found]
                for kind, found in self.examples.items()
            },
        }

    def __add__(self, other: Comparison) -> Comparison:
        """Both together: of other days, hence of other findings."""
        keys = self.patterns.keys() | other.patterns.keys()
        none = Standing()
        return Comparison(
            self.total + other.total,
            {key: self.patterns.get(key, none) + other.patterns.get(key, none) for key in keys},
            {kind: [*self.examples[kind], *other.examples[kind]][:MOST_EXAMPLES] for kind in KINDS},
        )


def compare_day(*, former: Replay, later: Replay, day: date) -> Comparison:
    """Compare what two replays that are done found on a gambling day, by identity.

    Raises:
        DamagedError, MissingError: what one of them found is not in the archive as it was.
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
    """A comparison as other programs are told of it; what it comes to when it is done."""
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
        "patterns": found
        and [key._asdict() | each._asdict() for key, each in sorted(found.patterns.items())],
        "examples": found
        and {
            kind: [{"former": each.former, "later": each.later} for each in found.examples[kind]]
            for kind in KINDS
        },
    }


def _read(
    shares: Sequence[ReplaySegment], places: Sequence[Place | None]
) -> dict[Place | None, dict[str, Any]]:
    """Read the findings that stand in some places: share and row."""
    found: dict[Place | None, dict[str, Any]] = {}
    for number, share in enumerate(shares):
        rows = {place.row for place in places if place is not None and place.file == number}
        for row, finding in findings_at(share, rows):
            found[Place(number, row)] = {name: finding[name] for name in SHOWN}
    return found
