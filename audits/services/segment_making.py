"""A log is read beside what is on file, and the segments of the days that it touches are made."""

from __future__ import annotations

from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Self

from audits.instants import instant, microseconds
from audits.segments.intake import Intake, Taken
from audits.segments.place import Days, OldSegment, Place
from audits.segments.refusals import RemovedRoundsError
from audits.selectors.indexes import have_at_hand, index_at_hand
from audits.selectors.round_logs import newest_generation, segments_on_file
from audits.services.progress import NobodyAsks, Progress
from compliance.archive import DamagedError, MissingError, RemovedError, current_archive
from compliance.gambling_day import day_start
from compliance.selectors.in_force import cut_offs_of, zone
from compliance.walls import without_walls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from audits.models import RoundLog, Segment
    from audits.segments.place import Made
    from compliance.models import Party

AHEAD = timedelta(minutes=5)
"""By so much a clock at the tables may run before the one here."""
NEAR_THE_ENDS = 2
"""Years at both ends of the calendar for which a clock elsewhere may have no date."""
SAYS = {
    "form": "Not of the form of a round log",
    "taken": "The id is that of another round",
    "future": "The round lies in the future",
}


def days_of(party: Party) -> Days:
    """The gambling days of an operator, by the cut-offs of its controls."""
    cut_offs, clock = cut_offs_of(party), zone()

    def start(day: date) -> int:
        if not date.min.year + NEAR_THE_ENDS < day.year < date.max.year - NEAR_THE_ENDS:
            return microseconds(datetime(day.year, day.month, day.day, tzinfo=UTC))
        return microseconds(day_start(day, cut_offs, clock))

    return Days(start)


@dataclass(frozen=True)
class Source:
    """A log to be read: whose, which file, what it corrects, and when it was handed in."""

    party: Party
    sha256: str
    at: datetime
    replaced: str | None = None
    before: RoundLog | None = None
    """To make again what a log made, when it was this one's turn; None: the turn is now."""


@dataclass
class ReadLog:
    """A log that was read: its files are in the archive, its rows still to be written."""

    lines: int
    good: int
    rejected: int
    already: int
    first_at: int | None
    last_at: int | None
    rejected_file: str
    causes: list[dict[str, Any]]
    segments: list[dict[str, Any]] = field(default_factory=list)


class OnFile:
    """The segments of an operator that count, as the making of new ones looks at them.

    Indexes are at hand; a segment itself is brought only where it is made anew or corrected. What
    retention removed is left out: ids of so long ago are not compared, and nothing is added to it.
    """

    def __init__(self, source: Source, folder: Path, mend: Callable[[Segment], None]) -> None:
        self._folder, self._mend, self._opened = folder, mend, ExitStack()
        self._rows: dict[OldSegment, Segment] = {}
        self._removed: list[tuple[Segment, RemovedError]] = []
        with without_walls():
            rows = list(segments_on_file(source.party, before=source.before))
        for row in rows:
            try:
                index = self._index(row)
            except RemovedError as removed:
                self._removed.append((row, removed))
                continue
            path = folder / row.sha256
            old = OldSegment(Place(row.game, row.day), row.piece, path, index, tuple(row.logs))
            self._rows[old] = row
        self.segments: tuple[OldSegment, ...] = tuple(self._rows)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def bring(self, wanted: Callable[[Segment], bool]) -> None:
        """Bring the segments that are wanted, verified; one that is damaged is made good first.

        Raises:
            RemovedRoundsError: one of them was removed.
        """
        for row, removed in self._removed:
            if wanted(row):
                raise _not_kept(row, removed)
        for old, row in self._rows.items():
            if wanted(row) and not old.path.is_symlink():
                old.path.symlink_to(self._fetched(row))

    def _fetched(self, row: Segment) -> Path:
        archive = current_archive()
        try:
            return self._opened.enter_context(archive.fetch(row.sha256)).resolve()
        except RemovedError as removed:
            raise _not_kept(row, removed) from removed
        except (DamagedError, MissingError):
            self._mend(row)
            return self._opened.enter_context(archive.fetch(row.sha256)).resolve()

    def _index(self, row: Segment) -> Path:
        try:
            return index_at_hand(row.index_sha256, verify=True)
        except RemovedError:
            raise
        except (DamagedError, MissingError):
            self._mend(row)
            return index_at_hand(row.index_sha256, verify=True)


def read_log(
    source: Source,
    folder: Path,
    *,
    mend: Callable[[Segment], None],
    progress: Progress,
) -> ReadLog:
    """Read a log, compare it with what is on file, and store the segments that it makes.

    Raises:
        RefusedLogError: the log is not taken; the message is for whoever handed it in.
    """
    with ExitStack() as opened:
        intake = opened.enter_context(_read(source, folder, progress))
        on_file = opened.enter_context(_on_file(source, folder, mend))
        progress.step("Comparing with what is on file")
        taken = _compared(source, intake, on_file)
        read = ReadLog(
            lines=taken.lines,
            good=taken.good,
            rejected=taken.rejected,
            already=taken.already,
            first_at=taken.first_at,
            last_at=taken.last_at,
            rejected_file=_rejected_file(taken),
            causes=_causes(taken),
        )
        for number, place in enumerate(taken.places, 1):
            progress.step(f"Making segments: day {number} of {len(taken.places)}")
            read.segments += _made(source, intake, on_file, place, folder, progress)
    return read


def make_again(
    source: Source, place: Place | None, folder: Path, *, mend: Callable[[Segment], None]
) -> tuple[str, list[dict[str, Any]]]:
    """Store again what a log made: its file of rejected lines, and the segments of a place.

    The digest of the one, the rows of the others.
    """
    progress = NobodyAsks()
    with ExitStack() as opened:
        intake = opened.enter_context(_read(source, folder, progress))
        on_file = opened.enter_context(_on_file(source, folder, mend))
        taken = _compared(source, intake, on_file)
        made = _made(source, intake, on_file, place, folder, progress) if place else []
        return _rejected_file(taken), made


def _compared(source: Source, intake: Intake, on_file: OnFile) -> Taken:
    if source.replaced is not None:
        on_file.bring(lambda row: source.replaced in row.logs)
    return intake.compare(on_file.segments, replaced=source.replaced)


def _rejected_file(taken: Taken) -> str:
    if not taken.rejected:
        return ""
    with taken.rejected_file.open("rb") as lines:
        return current_archive().store(lines).digest


def _causes(taken: Taken) -> list[dict[str, Any]]:
    return [
        {
            "cause": cause,
            "reason": SAYS.get(cause, cause),
            "count": count,
            "examples": [
                {
                    "line": each.line,
                    "round": each.round,
                    "table": each.table,
                    "field": each.field,
                    "reason": each.reason,
                }
                for each in taken.examples
                if each.cause == cause
            ],
        }
        for cause, count in taken.causes.items()
        if count
    ]


@contextmanager
def _read(source: Source, folder: Path, progress: Progress) -> Iterator[Intake]:
    latest = microseconds(source.at + AHEAD)
    intake = Intake(
        log=source.sha256, folder=folder / "read", days=days_of(source.party), latest=latest
    )
    with closing(intake):
        progress.step("Reading")
        with current_archive().fetch(source.sha256) as place, place.open("rb") as content:
            intake.read(content, progress=lambda lines: progress.reached(content.tell(), lines))
        yield intake


def _on_file(source: Source, folder: Path, mend: Callable[[Segment], None]) -> OnFile:
    aside = folder / "on-file"
    aside.mkdir()
    return OnFile(source, aside, mend)


def _made(
    source: Source,
    intake: Intake,
    on_file: OnFile,
    place: Place,
    folder: Path,
    progress: Progress,
) -> list[dict[str, Any]]:
    on_file.bring(lambda row: _place(row) == place)
    aside = folder / f"{place.game}-{place.day}"
    aside.mkdir()
    pieces = intake.segments(place, aside, progress=lambda _: progress.reached(0))
    made = [_stored(each) for each in pieces]
    with without_walls():
        generation = newest_generation(source.party, place.game, place.day, source.before) + 1
    return [each | {"generation": generation} for each in made or [_emptied(place)]]


def _stored(made: Made) -> dict[str, Any]:
    """Store the three files of a segment; the row that names them."""
    archive = current_archive()
    digests = {}
    for name, path in {
        "sha256": made.path,
        "index_sha256": made.index,
        "tails_sha256": made.tails,
    }.items():
        with path.open("rb") as content:
            digests[name] = archive.store(content).digest
    have_at_hand(digests["index_sha256"], made.index)
    for path in (made.path, made.index, made.tails):
        path.unlink(missing_ok=True)
    return {
        "game": made.place.game,
        "day": made.place.day,
        "piece": made.piece,
        "logs": list(made.logs),
        "identity": made.identity,
        **digests,
        "rounds": made.rounds,
        "seats": made.seats,
        "tables": {
            each.table: [
                each.end - each.first,
                instant(each.first_at).isoformat(),
                instant(each.last_at).isoformat(),
            ]
            for each in made.tables
        },
        "first_at": instant(made.first_at),
        "last_at": instant(made.last_at),
    }


def _emptied(place: Place) -> dict[str, Any]:
    """The row for a place all of whose rounds a correction moved elsewhere: it has no file."""
    begins = datetime(place.day.year, place.day.month, place.day.day, tzinfo=UTC)
    return {
        "game": place.game,
        "day": place.day,
        "piece": 0,
        "logs": [],
        "identity": "",
        "sha256": "",
        "index_sha256": "",
        "tails_sha256": "",
        "rounds": 0,
        "seats": 0,
        "tables": {},
        "first_at": begins,
        "last_at": begins,
    }


def _not_kept(row: Segment, removed: RemovedError) -> RemovedRoundsError:
    return RemovedRoundsError(
        f"The rounds of {row} are not kept any more: nothing is added to them, and nothing in them "
        f"is corrected. {removed} Hand in what is of other days in a file of its own, and keep "
        "this one as your record."
    )


def _place(row: Segment) -> Place:
    return Place(row.game, row.day)
