"""Ingest a log, compare it with what is on file, and build the segments of the days it touches."""

from __future__ import annotations

from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, Self

from django.db.models import Q

from audits.instants import instant, microseconds
from audits.intake.filed_forms import FiledForms
from audits.intake.index_copies import have_at_hand, index_at_hand
from audits.intake.known_ids import find_segments
from audits.intake.models import RoundLog
from audits.intake.reads import newest_generation, segments_on_file
from audits.intake.segments.converted import read_converted
from audits.intake.segments.ingestion import Intake, IntakeResult
from audits.intake.segments.place import Days, OldSegment, Place
from audits.intake.segments.rejections import OVERLAPS, Rejected, RemovedRoundsError
from audits.intake.table_records.comparison import Compared, compare_entries, entry_of
from audits.intake.table_records.reads import entries_on_file, newest_record
from compliance.access.scope import without_access_scope
from compliance.clock import zone
from compliance.files.archive import DamagedError, MissingError, RemovedError, current_archive
from compliance.filings.controls.reads import list_cut_offs
from compliance.law.gambling_day import day_start
from games.log.form import read_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from audits.intake.models import Segment
    from audits.intake.segments.place import BuiltSegment
    from compliance.access.models import Party


class Progress(Protocol):
    """Receiver of each step and of frequent progress updates."""

    def step(self, says: str) -> None:
        """Report the step that begins now."""

    def reached(self, progress: int, lines: int | None = None) -> None:
        """Report how many bytes, and optionally how many lines, have been read."""


class NoProgress:
    """Progress of work that nobody follows."""

    def step(self, says: str) -> None:
        """Do nothing."""

    def reached(self, progress: int, lines: int | None = None) -> None:
        """Do nothing."""


AHEAD = timedelta(minutes=5)
"""How far a clock at the tables may be ahead of the server's."""
NEAR_THE_ENDS = 2
"""Years at both ends of the calendar in which some time zones have no valid date."""
SAYS = {
    "form": "Not of the form of a round log",
    "taken": "The id is that of another round",
    "future": "The round lies in the future",
    "overlaps": "The record overlaps another one of its table",
}


def days_of(party: Party) -> Days:
    """Return an operator's gambling days, based on the cut-offs in its controls."""
    cut_offs, clock = list_cut_offs(party), zone()

    def start(day: date) -> int:
        if not date.min.year + NEAR_THE_ENDS < day.year < date.max.year - NEAR_THE_ENDS:
            return microseconds(datetime(day.year, day.month, day.day, tzinfo=UTC))
        return microseconds(day_start(day, cut_offs, clock))

    return Days(start)


@dataclass(frozen=True)
class Source:
    """A log to ingest: its operator, file, submission time, and the log it corrects."""

    party: Party
    sha256: str
    at: datetime
    replaced: str | None = None
    before: RoundLog | None = None
    """The registered log whose files are being rebuilt; None if the log is new."""
    converted: str = ""
    """The SHA-256 of the round log that a mapping made of the file."""
    path: Path | None = None
    """The log where it is not in the archive, because nothing of it is kept."""
    is_converted: bool = False
    """Whether a mapping made the log at `path`."""

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """Open the file."""
        with ExitStack() as opened:
            path = self.path or opened.enter_context(
                current_archive().fetch(self.converted or self.sha256)
            )
            yield opened.enter_context(path.open("rb"))


@dataclass
class ReadLog:
    """An ingested log: its files are in the archive, but its rows are not written yet."""

    lines: int
    good: int
    rejected: int
    already: int
    first_at: int | None
    last_at: int | None
    rejected_file: str
    causes: list[dict[str, Any]]
    tables: Mapping[tuple[Place, str], int] = field(default_factory=dict)
    """Rounds of the log by place and table."""
    records: Compared = field(default_factory=Compared)
    """What it records of tables beside rounds."""
    segments: list[dict[str, Any]] = field(default_factory=list)


class OnFile:
    """The current segments with which a log is compared, as needed to build new ones.

    They are those of the places that it names, those that may have its IDs, and those with rounds
    of the log that it corrects: the others make no difference.

    Indexes are available from the start; a segment is fetched only if it is rebuilt or corrected.
    Segments that retention removed are left out: IDs that old are not compared, and nothing can be
    added to them.
    """

    def __init__(
        self, source: Source, intake: Intake, folder: Path, repair_one: Callable[[Segment], None]
    ) -> None:
        self._folder, self._repair_one, self._opened = folder, repair_one, ExitStack()
        self._rows: dict[OldSegment, Segment] = {}
        self._removed: list[tuple[Segment, RemovedError]] = []
        for row in _concerned(source, intake, repair_one):
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
        """Fetch and verify the segments that match `wanted`; repair damaged ones first.

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
            self._repair_one(row)
            return self._opened.enter_context(archive.fetch(row.sha256)).resolve()

    def _index(self, row: Segment) -> Path:
        try:
            return index_at_hand(row.index_sha256, verify=True)
        except RemovedError:
            raise
        except (DamagedError, MissingError):
            self._repair_one(row)
            return index_at_hand(row.index_sha256, verify=True)


def _concerned(
    source: Source, intake: Intake, repair: Callable[[Segment], None]
) -> Iterator[Segment]:
    """Yield the segments on file that make a difference to a log, in order.

    Where files are rebuilt, an index may be missing, so all segments of that time are looked at.
    """
    if source.before is not None:
        with without_access_scope():
            yield from list(segments_on_file(source.party, before=source.before))
        return
    known = find_segments(source.party, intake.words, repair=repair).segments
    places = intake.named_places()
    concerned = Q(pk__in=known) | Q(day__in={place.day for place in places})
    if source.replaced is not None:
        for first, last in _days_of_log(source):
            concerned |= Q(day__range=(first, last))
    with without_access_scope():
        rows = list(segments_on_file(source.party).filter(concerned))
    for row in rows:
        if row.pk in known or _place(row) in places or source.replaced in row.logs:
            yield row


def _days_of_log(source: Source) -> list[tuple[date, date]]:
    """Return the first and the last day on which the corrected log may have rounds."""
    with without_access_scope():
        logs = RoundLog.objects.filter(party=source.party, sha256=source.replaced)
        near = timedelta(days=2)
        return [
            (first.date() - near, last.date() + near)
            for first, last in logs.values_list("first_at", "last_at")
            if first is not None and last is not None
        ]


def read_log(
    source: Source,
    folder: Path,
    *,
    repair_one: Callable[[Segment], None],
    progress: Progress,
) -> ReadLog:
    """Ingest a log, compare it with what is on file, and store the segments it makes.

    Raises:
        RefusedLogError: the log is refused; the message is for the submitter.
    """
    with ExitStack() as opened:
        intake = opened.enter_context(_read(source, folder, progress))
        on_file = opened.enter_context(_on_file(source, intake, folder, repair_one))
        progress.step("Comparing with what is on file")
        compared, records = _compared(source, intake, on_file)
        read = ReadLog(
            lines=compared.lines,
            good=compared.good,
            rejected=compared.rejected,
            already=compared.already,
            first_at=compared.first_at,
            last_at=compared.last_at,
            rejected_file=_rejected_file(compared),
            causes=_causes(compared),
            tables=compared.tables,
            records=records,
        )
        for number, place in enumerate(compared.places, 1):
            progress.step(f"Making segments: day {number} of {len(compared.places)}")
            read.segments += _made(source, intake, on_file, place, folder, progress)
    return read


@contextmanager
def rehearse_log(
    source: Source, folder: Path, *, repair: Callable[[Segment], None]
) -> Iterator[tuple[IntakeResult, Compared, Iterator[BuiltSegment]]]:
    """Ingest a log and build its segments in `folder`, as `read_log` does, and store nothing.

    Raises:
        RefusedLogError: the log is refused; the message is for the submitter.
    """
    progress = NoProgress()
    with ExitStack() as opened:
        intake = opened.enter_context(_read(source, folder, progress))
        on_file = opened.enter_context(_on_file(source, intake, folder, repair))
        result, records = _compared(source, intake, on_file)

        def built() -> Iterator[BuiltSegment]:
            for place in result.places:
                yield from _built(intake, on_file, place, folder, progress)

        yield result, records, built()


def rebuild_segments(
    source: Source, place: Place | None, folder: Path, *, repair_one: Callable[[Segment], None]
) -> tuple[str, list[dict[str, Any]]]:
    """Rebuild a log's files: its rejected lines, and the segments of a place.

    Returns the digest of the rejected lines and the rows of the segments.
    """
    progress = NoProgress()
    with ExitStack() as opened:
        intake = opened.enter_context(_read(source, folder, progress))
        on_file = opened.enter_context(_on_file(source, intake, folder, repair_one))
        compared, _ = _compared(source, intake, on_file)
        made = _made(source, intake, on_file, place, folder, progress) if place else []
        return _rejected_file(compared), made


def _compared(source: Source, intake: Intake, on_file: OnFile) -> tuple[IntakeResult, Compared]:
    if source.replaced is not None:
        on_file.bring(lambda row: source.replaced in row.logs)
    records = _compared_records(source, intake)
    overlapping = [
        Rejected(each.entry.line or 0, None, each.entry.table, each.field, each.reason, OVERLAPS)
        for each in records.refused
    ]
    result = intake.compare(on_file.segments, replaced=source.replaced, overlapping=overlapping)
    return result, records


def _compared_records(source: Source, intake: Intake) -> Compared:
    """Compare the records of a log with those on file, or on file when it was registered."""
    before = source.before
    newest = newest_record(source.party) if before is None else before.newest_record or 0
    entries = map(entry_of, intake.records)
    known = entries_on_file(source.party, newest) if intake.records else ()
    compared = compare_entries(entries, known, corrects=source.replaced)
    compared.newest = newest
    return compared


def _rejected_file(compared: IntakeResult) -> str:
    if not compared.rejected:
        return ""
    with compared.rejected_file.open("rb") as lines:
        return current_archive().store(lines).digest


def _causes(compared: IntakeResult) -> list[dict[str, Any]]:
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
                for each in compared.examples
                if each.cause == cause
            ],
        }
        for cause, count in compared.causes.items()
        if count
    ]


@contextmanager
def _read(source: Source, folder: Path, progress: Progress) -> Iterator[Intake]:
    latest = microseconds(source.at + AHEAD)
    intake = Intake(
        log=source.sha256,
        folder=folder / "read",
        days=days_of(source.party),
        latest=latest,
        parse=partial(
            read_converted if source.converted or source.is_converted else read_line,
            filed=FiledForms(source.at),
        ),
    )
    with closing(intake):
        progress.step("Reading")
        with source.opened() as content:
            intake.read(content, progress=lambda lines: progress.reached(content.tell(), lines))
        yield intake


def _on_file(
    source: Source, intake: Intake, folder: Path, repair_one: Callable[[Segment], None]
) -> OnFile:
    aside = folder / "on-file"
    aside.mkdir()
    return OnFile(source, intake, aside, repair_one)


def _made(
    source: Source,
    intake: Intake,
    on_file: OnFile,
    place: Place,
    folder: Path,
    progress: Progress,
) -> list[dict[str, Any]]:
    made = [_stored(each) for each in _built(intake, on_file, place, folder, progress)]
    with without_access_scope():
        generation = newest_generation(source.party, place.game, place.day, source.before) + 1
    return [each | {"generation": generation} for each in made or [_emptied(place)]]


def _built(
    intake: Intake, on_file: OnFile, place: Place, folder: Path, progress: Progress
) -> Iterator[BuiltSegment]:
    on_file.bring(lambda row: _place(row) == place)
    aside = folder / f"{place.game}-{place.day}"
    aside.mkdir()
    return intake.segments(place, aside, progress=lambda _: progress.reached(0))


def _stored(made: BuiltSegment) -> dict[str, Any]:
    """Store a segment's three files; return the row that names them."""
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
    """Return the row, without a file, of a place from which a correction moved all rounds."""
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
        f"is corrected. {removed} Submit what is of other days in a file of its own, and keep "
        "this one as your record."
    )


def _place(row: Segment) -> Place:
    return Place(row.game, row.day)
