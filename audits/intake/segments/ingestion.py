"""Ingestion of one log: read it, compare it with what is on file, build its segments.

There are three steps because only the first takes long and needs nothing on file: `read`, then
`compare`, then `segments` for each place. If another log was registered in the meantime, only the
last two are repeated.
"""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from audits.intake.segments.assembly import assemble
from audits.intake.segments.id_index import Fates, LogIds
from audits.intake.segments.place import Place
from audits.intake.segments.rejections import (
    FORM,
    FUTURE,
    ID_TAKEN,
    BrokenLogError,
    EmptyLogError,
    NotALogError,
    RefusedLogError,
    Rejected,
    RejectedLines,
    TooManyTablesError,
)
from audits.intake.segments.sequence import (
    Dealt,
    corrected_rounds,
    mark_decks,
    mark_disturbed,
    mark_fallen_back,
    named,
)
from audits.intake.segments.sources import Chunks, Gathered, NewRounds, OldRounds
from audits.intake.segments.spill import Spill
from games.checks.deal_alternation import ALTERNATING
from games.log.columns import Pick, Texts, picked
from games.log.digests import digest_of_line, digests_of, ids_of
from games.log.form import Record, Rejection, line_of, read_line
from games.log.gather import Gatherer, blanks
from games.log.reader import ColumnReader
from games.log.schema import FUND_RECORD
from games.screens.words import Ids, Words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from numpy.typing import NDArray

    from audits.intake.segments.place import BuiltSegment, Days, OldSegment
    from audits.intake.segments.sources import Source
    from games.log.columns import Columns
    from games.log.lines import BrokenFileError
    from games.log.reader import Block
    from games.log.round import Round


MOST_TABLES: Final = 2_000_000
MOST_REJECTED: Final = 1_000_000
"""Once this many lines are rejected, the log is refused if they are more than nine in ten."""

LAST_DAY: Final = date(2200, 12, 31)
"""The last day on which a table may be said to be closed."""
MOST_RECORDS: Final = 100_000
"""Lines of one log that record something of a table; a room has some hundred a month."""

DROPPED: Final = 128
"""A mark beside those of disturbance: the line is taken or on file, so no segment gets it."""

EARLIEST: Final = -62_135_596_800_000_000
"""The beginning of year 1 in microseconds since 1970; some time zones reach before it."""
LATEST: Final = 2**63 - 1

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class LoggedRecord:
    """A line that records something else than a round: of which table, and what."""

    line: int
    record: str
    table: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class IntakeResult:
    """The outcome of a log's lines."""

    lines: int
    good: int
    """New rounds, including those that replace others."""
    already: int
    """Rounds that are on file with the same content; nothing changes."""
    replaced: int
    """Rounds on file that the correction replaces."""
    rejected: int
    records: int
    """Lines that record something else than a round: a table's cash, or that it was closed."""
    causes: Mapping[str, int]
    """Rejected lines by cause: `form`, `future`, `taken` or `overlaps`."""
    examples: tuple[Rejected, ...]
    """The first 50 of each cause, in log order."""
    rejected_file: Path
    """All rejected lines as JSON Lines, in log order."""
    first_at: int | None
    last_at: int | None
    """The earliest and latest `at` of new rounds and of those on file already, in microseconds."""
    places: Mapping[Place, int]
    """Places that need new segments with their count of new rounds; 0 if rounds are only removed.
    """
    tables: Mapping[tuple[Place, str], int]
    """Rounds of the log by place and table: new ones, and those that are on file already."""


class Intake:
    """Ingestion of one log, with temporary files in `folder` until it is closed."""

    def __init__(
        self,
        *,
        log: str,
        folder: Path,
        days: Days,
        latest: int | None = None,
        parse: Callable[[bytes], Round | Rejection] = read_line,
    ) -> None:
        """Set up ingestion; rounds after `latest` (µs) are in the future.

        `log` is the SHA-256 of the log; `parse` reads a line that is not a regular round.
        """
        self._parse = parse
        self.log = log
        self._folder = folder
        self._days = days
        self._latest = LATEST if latest is None else latest
        folder.mkdir(parents=True, exist_ok=True)
        self._spill = Spill(folder / "rounds")
        self._id_spill = Spill(folder / "ids")
        self._chunks = Chunks(self._spill)
        self._ids = LogIds(self._id_spill)
        self._words = Words()
        self._names: list[bytes] = []
        self._form = RejectedLines(folder / "form.jsonl")
        self._rejected_at: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
        self._lines = self._good = 0
        self.records: list[LoggedRecord] = []
        """What the log records beside rounds, once it is read."""
        self._tried = False
        self._at: int | None = None
        self._first_at: int | None = None
        self._last_at: int | None = None
        self._marks = np.zeros(0, np.uint8)
        self._on_file: tuple[OldSegment, ...] = ()
        self._fates = Fates()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- reading ---

    def read(
        self, stream: BinaryIO, *, progress: Callable[[int], None] = lambda lines: None
    ) -> None:
        """Read the log, compressed or not.

        `progress` is called with the number of lines read so far.

        Raises:
            RefusedLogError: the log is refused: empty, broken, or not a round log at all.
        """
        reader = ColumnReader(stream)
        for block in reader.blocks():
            self._lines = block.first_line + block.lines - 1
            if reader.broken is None:
                self._take_or_say_where(block)
            progress(self._lines)
        if reader.broken is not None:
            raise _broken(reader.broken, self._lines)
        self._form.close()
        if not self._lines:
            message = "There is no line in this file: submit the log of the tables' rounds."
            raise EmptyLogError(message)
        if not self._good and not self._tried:
            raise self._no_log()
        self._chunks.set_down(self._names)
        self._ids.set_down()

    def _take_or_say_where(self, block: Block) -> None:
        """Add the line, or the lines of a block, to the notes of an internal error."""
        self._at = None
        try:
            self._take(block)
        except RefusedLogError:
            raise
        except Exception as failed:
            lines = f"lines {block.first_line:,} to {self._lines:,}"
            failed.add_note(lines if self._at is None else f"line {self._at:,}")
            raise

    def _take(self, block: Block) -> None:
        rejected: list[Rejected] = []
        odd: dict[str, list[tuple[int, Round]]] = {}
        for line, text in block.odd:
            self._at = line
            read = text if isinstance(text, Rejection) else self._parse(text)
            if isinstance(read, Record):
                self._tried = True
                rejected += self._record(line, read)
                continue
            if isinstance(read, Rejection):
                self._tried = self._tried or _tries(text)
                rejected.append(
                    Rejected(line, read.round, read.table, read.field, read.reason, FORM)
                )
            elif not EARLIEST <= read.at <= self._latest:
                rejected.append(self._untimely(line, read.round, read.table, read.at))
            else:
                odd.setdefault(read.game, []).append((line, read))
        self._at = None
        columns = {found.game: self._present(found, rejected) for found in block.columns}
        for game in dict.fromkeys((*columns, *odd)):
            self._gather(columns.get(game), game, odd.get(game, []))
        self._reject(rejected)
        if self._chunks.full():
            self._chunks.set_down(self._names)

    def _record(self, line: int, read: Record) -> list[Rejected]:
        """Keep what a line records of a table; return it if it is rejected."""
        span = [read.values[name] for name in ("begin", "end") if name in read.values]
        if span and span[-1] > self._latest:
            reason = (
                f"this span ends at {_shown(span[-1])}, after the log was submitted:"
                " submit the cash of a table when its span is over"
            )
            return [Rejected(line, None, read.of, "to", reason, FUTURE)]
        if read.record == FUND_RECORD and _begin_of(read.values["day"]) > self._latest:
            reason = "this day has not begun: submit the balance of a fund when its day has ended"
            return [Rejected(line, None, read.of, "day", reason, FUTURE)]
        if span[0] < 0 if span else not _EPOCH.date() <= read.values["day"] <= LAST_DAY:
            reason = f"expected a day from {_EPOCH.date()} to {LAST_DAY}: write the true one"
            return [Rejected(line, None, read.of, "from" if span else "day", reason, FORM)]
        self.records.append(LoggedRecord(line, str(read.record), read.of, read.values))
        if len(self.records) > MOST_RECORDS:
            message = (
                f"Up to line {line:,} this log has more than {MOST_RECORDS:,} records of tables."
                " Submit those of each month in a file of their own."
            )
            raise TooManyTablesError(message)
        return []

    def _present(self, columns: Columns, rejected: list[Rejected]) -> Pick:
        """Select the rounds that are neither in the future nor before all dates."""
        at = columns.rounds.numbers["at"]
        rows = np.arange(len(columns))
        if len(columns) and not EARLIEST <= int(at.min()) <= int(at.max()) <= self._latest:
            timely = (at >= EARLIEST) & (at <= self._latest)
            texts, others = columns.rounds.texts, np.flatnonzero(~timely).tolist()
            rejected += [
                self._untimely(line, texts["round"][row], texts["table"][row], int(at[row]))
                for row, line in zip(others, columns.lines[others].tolist(), strict=True)
            ]
            rows = np.flatnonzero(timely)
        return Pick(columns, rows, np.arange(len(rows)))

    def _untimely(self, line: int, round_: str | None, table: str | None, at: int) -> Rejected:
        if at < EARLIEST:
            reason = "in UTC this round ended before the year 1: write its true time"
            return Rejected(line, round_, table, "at", reason, FORM)
        reason = (
            f"this round ended at {_shown(at)}, after the log was submitted:"
            " set the clock of the table right, and submit the round with its true time"
        )
        return Rejected(line, round_, table, "at", reason, FUTURE)

    def _gather(self, pick: Pick | None, game: str, odd: list[tuple[int, Round]]) -> None:
        gatherer = Gatherer(game)
        misfits = [item for item in odd if not gatherer.add(item[1], item[0])]
        parts = [] if pick is None else [pick.columns]
        rows = [] if pick is None else [pick.rows]
        for columns in (gatherer.columns(), _blank(game, misfits)):
            if len(columns):
                parts.append(columns)
                rows.append(np.arange(len(columns)))
        ends = np.cumsum([len(part) for part in rows]).tolist()
        if not ends or not ends[-1]:
            return
        columns = picked(
            [
                Pick(part, repeated, np.arange(end - len(repeated), end))
                for part, repeated, end in zip(parts, rows, ends, strict=True)
            ]
        )
        lines = [line_of(played) for _, played in misfits]
        regular = len(columns) - len(lines)
        digests = digests_of(columns)
        for row, line in enumerate(lines, regular):
            digests[row] = np.frombuffer(digest_of_line(line), "<u8")
        at = columns.rounds.numbers["at"]
        gathered = Gathered(
            columns,
            _odd_texts(regular, lines),
            digests,
            self._days.of(at),
            self._codes(columns.rounds.texts["table"]),
        )
        self._chunks.add(gathered)
        self._ids.add(ids_of(columns.rounds.texts["round"]), digests, columns.lines)
        self._good += len(columns)
        first, last = int(at.min()), int(at.max())
        self._first_at = first if self._first_at is None else min(first, self._first_at)
        self._last_at = last if self._last_at is None else max(last, self._last_at)

    def _codes(self, tables: Texts) -> NDArray[np.int64]:
        codes = self._words.codes(tables)
        for code in range(len(self._names), self._words.count):
            self._names.append(self._words.word(code).encode())
        if len(self._names) > MOST_TABLES:
            message = (
                f"Up to line {self._lines:,} this log names more than {MOST_TABLES:,} tables:"
                " `table` is the table at which a round was dealt, and the same every night."
            )
            raise TooManyTablesError(message)
        return codes

    def _reject(self, rejected: list[Rejected]) -> None:
        rejected.sort(key=lambda line: line.line)
        for line in rejected:
            self._form.add(line)
            self._tried = self._tried or line.round is not None
        known = [(line.table, line.line) for line in rejected if line.table is not None]
        if known:
            codes = self._codes(Texts.of([table for table, _ in known]))
            self._rejected_at.append((codes, np.array([line for _, line in known], np.int64)))
        count = self._form.causes.total()
        if count >= MOST_REJECTED and count > 9 * self._good:
            raise self._no_log()

    def _no_log(self) -> RefusedLogError:
        first = self._form.examples[0]
        message = (
            f"This is no log of rounds: of {self._lines:,} lines {self._good:,} are rounds."
            f" Line {first.line}: {first.reason}."
        )
        return NotALogError(message)

    # --- comparing ---

    def words(self) -> Iterator[NDArray[np.uint64]]:
        """Yield the first words of the log's IDs, sorted, some at a time."""
        return self._ids.words()

    def named_places(self) -> set[Place]:
        """Return every game and gambling day that the log names."""
        return {
            Place(chunk.game, date.fromordinal(day))
            for chunk in self._chunks.chunks
            for day in chunk.days.tolist()
        }

    def compare(
        self,
        on_file: Iterable[OldSegment],
        *,
        replaced: str | None = None,
        overlapping: Sequence[Rejected] = (),
    ) -> IntakeResult:
        """Compare the log with segments on file, of the current generation.

        These are at least those of the places that it names, those with its IDs, and those with
        rounds of the log that it corrects.

        `replaced` is the SHA-256 of the log that this one corrects; `overlapping` are the lines
        with records that overlap others of their tables, in order.

        This can be called again when other segments are on file.

        Raises:
            DamagedSegmentError: a file on file is not as it was written.
        """
        self._on_file = tuple(on_file)
        self._fates = self._ids.compare(self._on_file, replaced)
        self._marks = np.zeros(self._lines + 1, np.uint8)
        already = _joined(self._fates.already)
        repeated = _pairs(self._fates.repeated)
        self._marks[already] = self._marks[repeated[:, 0]] = DROPPED
        self._mark(repeated[:, 0])
        self._mark_fallen_back(repeated[:, 0])
        self._mark_decks(repeated[:, 0], replaced)
        others = heapq.merge(self._repeated(repeated), overlapping, key=lambda each: each.line)
        joined = self._form.joined(self._folder / "rejected.jsonl", others)
        return IntakeResult(
            lines=self._lines,
            good=self._good - len(already) - len(repeated),
            already=len(already),
            replaced=sum(len(rows) for rows in map(_joined, self._fates.replaced.values())),
            rejected=joined.causes.total(),
            records=len(self.records) - len(overlapping),
            causes=dict(sorted(joined.causes.items())),
            examples=tuple(joined.examples),
            rejected_file=joined.path,
            first_at=self._first_at,
            last_at=self._last_at,
            places=self._places(),
            tables=self._rounds_by_table(repeated[:, 0]),
        )

    def _mark(self, repeated: NDArray[np.int64]) -> None:
        """Mark rounds next to rejected lines, which include lines whose ID is taken."""
        rejected = [*self._rejected_at]
        lost = np.zeros(self._lines + 1, np.bool_)
        lost[repeated] = True
        for chunk in self._chunks.chunks if len(repeated) else ():
            lines = self._chunks.columns(chunk).lines
            of_repeated = lost[lines]
            rejected.append((self._chunks.tables(chunk)[of_repeated], lines[of_repeated]))
        if not rejected:
            return
        tables, lines = (np.concatenate(column) for column in zip(*rejected, strict=True))
        games = dict.fromkeys(chunk.game for chunk in self._chunks.chunks)
        mark_disturbed(
            (self._in_order(game, lost) for game in games),
            (tables.astype(np.int64), lines.astype(np.int64)),
            len(self._names),
            self._marks,
        )

    def _mark_fallen_back(self, repeated: NDArray[np.int64]) -> None:
        """Mark where the clock falls back to another day, ignoring lines whose ID is taken."""
        lost = np.zeros(self._lines + 1, np.bool_)
        lost[repeated] = True
        for game in dict.fromkeys(chunk.game for chunk in self._chunks.chunks):
            days = {day for chunk in self._chunks.of(game) for day in chunk.days.tolist()}
            if len(days) > 1:
                mark_fallen_back(self._timed(game, lost), len(self._names), self._marks)

    def _mark_decks(self, repeated: NDArray[np.int64], replaced: str | None) -> None:
        """Mark where two decks alternate, ignoring lines whose ID is taken."""
        if all(chunk.game != ALTERNATING for chunk in self._chunks.chunks):
            return
        lost = np.zeros(self._lines + 1, np.bool_)
        lost[repeated] = True
        names = Ids()
        corrected, two = corrected_rounds(self._on_file, replaced, names, self._codes)
        mark_decks(lambda: self._dealt(lost, names), len(self._names), self._marks, corrected, two)

    def _dealt(self, lost: NDArray[np.bool_], names: Ids) -> Iterator[Dealt]:
        """Yield the rounds dealt from a shuffling machine with a named deck, in log order."""
        for chunk in self._chunks.of(ALTERNATING):
            columns = self._chunks.columns(chunk)
            rows, deck = named(columns, self._chunks.odd(chunk), names)
            lines = columns.lines[rows].astype(np.int64)
            order = np.argsort(lines, kind="stable")
            order = order[~lost[lines[order]]]
            tables = self._chunks.tables(chunk)[rows].astype(np.int64)
            yield Dealt(tables[order], lines[order], deck[order])

    def _timed(self, game: str, lost: NDArray[np.bool_]) -> Iterator[tuple[NDArray[np.int64], ...]]:
        """Yield tables, lines, times and days of a game's rounds in log order."""
        for chunk in self._chunks.of(game):
            columns = self._chunks.columns(chunk)
            day = np.repeat(chunk.days, np.diff(chunk.ends, prepend=0))
            order = np.argsort(columns.lines, kind="stable")
            order = order[~lost[columns.lines[order]]]
            yield tuple(
                part[order].astype(np.int64)
                for part in (
                    self._chunks.tables(chunk), columns.lines, columns.rounds.numbers["at"], day,
                )
            )  # fmt: skip

    def _in_order(
        self, game: str, lost: NDArray[np.bool_]
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Yield tables and lines of a game's rounds in log order, except taken ones."""
        for chunk in self._chunks.of(game):
            lines = self._chunks.columns(chunk).lines
            order = np.argsort(lines, kind="stable")
            order = order[~lost[lines[order]]]
            tables = self._chunks.tables(chunk)[order]
            yield tables.astype(np.int64), lines[order].astype(np.int64)

    def _repeated(self, repeated: NDArray[np.int64]) -> Iterator[Rejected]:
        """Yield the lines whose ID is taken, in order."""
        by_line = repeated[np.argsort(repeated[:, 0])]
        games = dict.fromkeys(chunk.game for chunk in self._chunks.chunks if len(repeated))
        return heapq.merge(
            *(self._repeated_of(game, by_line) for game in games), key=lambda line: line.line
        )

    def _repeated_of(self, game: str, repeated: NDArray[np.int64]) -> Iterator[Rejected]:
        for chunk in self._chunks.of(game):
            columns = self._chunks.columns(chunk)
            texts = columns.rounds.texts
            places = np.searchsorted(repeated[:, 0], columns.lines)
            places[places == len(repeated)] = 0
            rows = np.flatnonzero(repeated[places, 0] == columns.lines)
            for row in rows[np.argsort(columns.lines[rows], kind="stable")].tolist():
                line, by = repeated[places[row]].tolist()
                yield Rejected(
                    line, texts["round"][row], texts["table"][row], "round", self._why(by), ID_TAKEN
                )

    def _why(self, by: int) -> str:
        if by > 0:
            return f"this id stands on line {by:,} already: every round has an id of its own"
        place = self._on_file[-1 - by].place
        return (
            f"this id is taken by another round of {place.game} of {place.day}, on file already:"
            " where that one was wrong, hand in a correction that names its log"
        )

    def _places(self) -> dict[Place, int]:
        found: Counter[Place] = Counter()
        for chunk in self._chunks.chunks:
            fresh = self._marks[self._chunks.columns(chunk).lines] & DROPPED == 0
            for day in chunk.days.tolist():
                count = int(fresh[chunk.rows_of(day)].sum())
                if count:
                    found[Place(chunk.game, date.fromordinal(day))] += count
            self._spill.release()
        for number in self._fates.replaced:
            found[self._on_file[number].place] += 0
        return dict(sorted(found.items()))

    def _rounds_by_table(self, dropped: NDArray[np.int64]) -> dict[tuple[Place, str], int]:
        found: Counter[tuple[Place, str]] = Counter()
        for chunk in self._chunks.chunks:
            stays = ~np.isin(self._chunks.columns(chunk).lines, dropped)
            tables = self._chunks.tables(chunk).astype(np.int64)
            for day in chunk.days.tolist():
                rows, place = chunk.rows_of(day), Place(chunk.game, date.fromordinal(day))
                met, counts = np.unique(tables[rows][stays[rows]], return_counts=True)
                for table, count in zip(met.tolist(), counts.tolist(), strict=True):
                    found[place, self._names[table].decode()] += count
            self._spill.release()
        return dict(sorted(found.items()))

    # --- making ---

    def segments(
        self,
        place: Place,
        folder: Path,
        *,
        progress: Callable[[int], None] = lambda rounds: None,
    ) -> Iterator[BuiltSegment]:
        """Build the next generation of a place from its segments on file and the log's rounds.

        Writes three files per piece into `folder`; `progress` is called with the number of rounds
        written so far. A place from which every round was moved elsewhere has no pieces.

        Raises:
            DamagedSegmentError: a segment on file is not as it was written.
        """
        sources: list[Source] = [*self.old_rounds(place), *self.new_rounds(place)]
        return assemble(place, sources, folder, progress=progress)

    def old_rounds(self, place: Place) -> list[OldRounds]:
        """Return a place's rounds on file, without those that a correction replaces."""
        return sorted(
            (
                OldRounds(segment, _joined(self._fates.replaced.get(number, [])))
                for number, segment in enumerate(self._on_file)
                if segment.place == place
            ),
            key=lambda old: old.segment.piece,
        )

    def new_rounds(self, place: Place) -> list[NewRounds]:
        """Return the rounds that the log adds to a place."""
        day = place.day.toordinal()
        return [
            NewRounds(self.log, self._chunks, chunk, self._names, place, self._marks, DROPPED)
            for chunk in self._chunks.of(place.game)
            if chunk.rows_of(day) != slice(0, 0)
        ]

    def close(self) -> None:
        """Delete the temporary files, except the file of rejected lines."""
        self._form.close()
        self._spill.close()
        self._id_spill.close()
        self._form.path.unlink(missing_ok=True)


def _broken(why: BrokenFileError, line: int) -> BrokenLogError:
    where = "" if why.cause == "encoding" else f" beyond line {line:,}"
    message = f"The file cannot be read{where}: {why}. Nothing of it was accepted."
    return BrokenLogError(message, line=line, cause=why.cause)


def _tries(text: bytes | Rejection) -> bool:
    """Return whether an invalid line was meant to be a round, and so is kept as evidence."""
    return isinstance(text, bytes) and text.lstrip(b"\xef\xbb\xbf \t").startswith(b"{")


def _blank(game: str, misfits: list[tuple[int, Round]]) -> Columns:
    columns = blanks(game, [played for _, played in misfits])
    return replace(columns, lines=np.array([line for line, _ in misfits], np.int64))


def _begin_of(day: date) -> int:
    """Return when a day begins in UTC, in epoch microseconds: before it does here."""
    return (datetime.combine(day, time.min, UTC) - _EPOCH) // timedelta(microseconds=1)


def _odd_texts(regular: int, lines: list[bytes]) -> Texts:
    texts = Texts.of([line.decode() for line in lines])
    none = np.full(regular, -1, np.int64)
    return Texts(
        texts.data, np.concatenate([none, texts.start]), np.concatenate([none, texts.stop])
    )


def _joined(arrays: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate(arrays) if arrays else np.empty(0, np.int64)


def _pairs(arrays: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate(arrays) if arrays else np.empty((0, 2), np.int64)


def _shown(at: int) -> str:
    try:
        return (_EPOCH + timedelta(microseconds=at)).isoformat(timespec="seconds")
    except OverflowError:
        return "the year 10000"
