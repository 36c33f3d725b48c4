"""One log being taken: read, compared with what is on file, made into segments.

Three steps, because only the first is long and needs nothing of what is on file: `read`, then
`compare`, then `segments` for each place. Where another log was registered meanwhile, the last two
are done again.
"""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Final, Self

import numpy as np

from audits.segments.assembly import assemble
from audits.segments.chunks import Chunks, Gathered
from audits.segments.decks import Dealt, corrected_rounds, mark_decks, named
from audits.segments.disturbance import mark_disturbed
from audits.segments.falling_back import mark_fallen_back
from audits.segments.place import Place
from audits.segments.refusals import (
    BrokenLogError,
    EmptyLogError,
    NotALogError,
    RefusedLogError,
    TooManyTablesError,
)
from audits.segments.rejected import FORM, FUTURE, TAKEN, Rejected, RejectedLines
from audits.segments.sources import NewRounds, OldRounds
from audits.segments.spill import Spill
from audits.segments.taken_ids import Fates, LogIds
from games.columns.words import Ids, Words
from games.judge.sequence import ALTERNATING
from games.round_log.columns_gather import Gatherer, blanks
from games.round_log.columns_pick import Pick, picked
from games.round_log.columns_reader import ColumnReader
from games.round_log.columns_texts import Texts
from games.round_log.digests import digest_of_line, digests_of, ids_of
from games.round_log.form import Rejection, read_line
from games.round_log.written import line_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path
    from typing import BinaryIO

    from numpy.typing import NDArray

    from audits.segments.place import Days, Made, OldSegment
    from audits.segments.sources import Source
    from games.round_log.columns import Columns
    from games.round_log.columns_reader import Block
    from games.round_log.round import Round
    from games.round_log.unpack import BrokenFileError

MOST_TABLES: Final = 2_000_000
MOST_REJECTED: Final = 1_000_000
"""So many rejected lines are borne if they are nine of ten; then it is no log of rounds."""

DROPPED: Final = 128
"""Beside the marks of disturbance: the line is taken or already there, no segment gets it."""

EARLIEST: Final = -62_135_596_800_000_000
"""The beginning of the year 1, in microseconds since 1970; a zone reaches before it."""
LATEST: Final = 2**63 - 1

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a log's lines."""

    lines: int
    good: int
    """New rounds, those that replace others included."""
    already: int
    """Rounds that are on file with the same content: nothing changes."""
    replaced: int
    """Rounds on file in whose place the correction puts others."""
    rejected: int
    causes: Mapping[str, int]
    """Rejected lines by cause: `form`, `future`, `taken`."""
    examples: tuple[Rejected, ...]
    """The first 50 of each cause, in the order of the log."""
    rejected_file: Path
    """All rejected lines, JSON Lines, in the order of the log."""
    first_at: int | None
    last_at: int | None
    """The earliest and the latest `at` of good rounds and those already there, in microseconds."""
    places: Mapping[Place, int]
    """Places that need new segments, with the new rounds of each; 0 where rounds only leave."""


class Intake:
    """A log being taken. `folder` holds what it sets down, until it is closed."""

    def __init__(self, *, log: str, folder: Path, days: Days, latest: int | None = None) -> None:
        """`log` is its SHA-256; rounds later than `latest` (microseconds) are in the future."""
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
        self._tried = False
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
        """Read the log, packed or not; `progress` is told the lines read so far.

        Raises:
            RefusedLogError: the log is not taken: empty, broken, or no log of rounds at all.
        """
        reader = ColumnReader(stream)
        for block in reader.blocks():
            self._lines = block.first_line + block.lines - 1
            if reader.broken is None:
                self._take(block)
            progress(self._lines)
        if reader.broken is not None:
            raise _broken(reader.broken, self._lines)
        self._form.close()
        if not self._lines:
            message = "There is no line in this file: hand in the log of the tables' rounds."
            raise EmptyLogError(message)
        if not self._good and not self._tried:
            raise self._no_log()
        self._chunks.set_down(self._names)
        self._ids.set_down()

    def _take(self, block: Block) -> None:
        rejected: list[Rejected] = []
        odd: dict[str, list[tuple[int, Round]]] = {}
        for line, text in block.odd:
            read = text if isinstance(text, Rejection) else read_line(text)
            if isinstance(read, Rejection):
                self._tried = self._tried or _tries(text)
                rejected.append(
                    Rejected(line, read.round, read.table, read.field, read.reason, FORM)
                )
            elif not EARLIEST <= read.at <= self._latest:
                rejected.append(self._untimely(line, read.round, read.table, read.at))
            else:
                odd.setdefault(read.game, []).append((line, read))
        columns = {found.game: self._present(found, rejected) for found in block.columns}
        for game in dict.fromkeys((*columns, *odd)):
            self._gather(columns.get(game), game, odd.get(game, []))
        self._reject(rejected)
        if self._chunks.full():
            self._chunks.set_down(self._names)

    def _present(self, columns: Columns, rejected: list[Rejected]) -> Pick:
        """The rounds that lie neither in the future nor before all dates."""
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
            f"this round ended at {_shown(at)}, after the log was handed in:"
            " set the clock of the table right, and hand in the round with its true time"
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
                Pick(part, taken, np.arange(end - len(taken), end))
                for part, taken, end in zip(parts, rows, ends, strict=True)
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

    def compare(self, on_file: Iterable[OldSegment], *, replaced: str | None = None) -> Taken:
        """Compare with what is on file: the current generation of all the operator's segments.

        `replaced` is the SHA-256 of the log that this one corrects.

        May be asked again when other segments are on file.

        Raises:
            DamagedSegmentError: a file on file is not as it was written.
        """
        self._on_file = tuple(on_file)
        self._fates = self._ids.compare(self._on_file, replaced)
        self._marks = np.zeros(self._lines + 1, np.uint8)
        already = _joined(self._fates.already)
        taken = _pairs(self._fates.taken)
        self._marks[already] = self._marks[taken[:, 0]] = DROPPED
        self._mark(taken[:, 0])
        self._mark_fallen_back(taken[:, 0])
        self._mark_decks(taken[:, 0], replaced)
        told = self._form.joined(self._folder / "rejected.jsonl", self._taken(taken))
        return Taken(
            lines=self._lines,
            good=self._good - len(already) - len(taken),
            already=len(already),
            replaced=sum(len(rows) for rows in map(_joined, self._fates.replaced.values())),
            rejected=told.causes.total(),
            causes=dict(sorted(told.causes.items())),
            examples=tuple(told.examples),
            rejected_file=told.path,
            first_at=self._first_at,
            last_at=self._last_at,
            places=self._places(),
        )

    def _mark(self, taken: NDArray[np.int64]) -> None:
        """Mark what rejected lines disturb; a line whose id is taken is one of them."""
        rejected = [*self._rejected_at]
        lost = np.zeros(self._lines + 1, np.bool_)
        lost[taken] = True
        for chunk in self._chunks.chunks if len(taken) else ():
            lines = self._chunks.columns(chunk).lines
            of_taken = lost[lines]
            rejected.append((self._chunks.tables(chunk)[of_taken], lines[of_taken]))
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

    def _mark_fallen_back(self, taken: NDArray[np.int64]) -> None:
        """Mark where the clock falls back to another day; a line whose id is taken says nothing."""
        lost = np.zeros(self._lines + 1, np.bool_)
        lost[taken] = True
        for game in dict.fromkeys(chunk.game for chunk in self._chunks.chunks):
            days = {day for chunk in self._chunks.of(game) for day in chunk.days.tolist()}
            if len(days) > 1:
                mark_fallen_back(self._timed(game, lost), len(self._names), self._marks)

    def _mark_decks(self, taken: NDArray[np.int64], replaced: str | None) -> None:
        """Mark where two decks take turns; a line whose id is taken says nothing."""
        if all(chunk.game != ALTERNATING for chunk in self._chunks.chunks):
            return
        lost = np.zeros(self._lines + 1, np.bool_)
        lost[taken] = True
        names = Ids()
        corrected, two = corrected_rounds(self._on_file, replaced, names, self._codes)
        mark_decks(lambda: self._dealt(lost, names), len(self._names), self._marks, corrected, two)

    def _dealt(self, lost: NDArray[np.bool_], names: Ids) -> Iterator[Dealt]:
        """Rounds from a shuffling machine whose deck is named, in the order of the log."""
        for chunk in self._chunks.of(ALTERNATING):
            columns = self._chunks.columns(chunk)
            rows, deck = named(columns, self._chunks.odd(chunk), names)
            lines = columns.lines[rows].astype(np.int64)
            order = np.argsort(lines, kind="stable")
            order = order[~lost[lines[order]]]
            tables = self._chunks.tables(chunk)[rows].astype(np.int64)
            yield Dealt(tables[order], lines[order], deck[order])

    def _timed(self, game: str, lost: NDArray[np.bool_]) -> Iterator[tuple[NDArray[np.int64], ...]]:
        """Tables, lines, times and days of a game's rounds in the order of the log."""
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
        """Tables and lines of a game's rounds in the order of the log, without those taken."""
        for chunk in self._chunks.of(game):
            lines = self._chunks.columns(chunk).lines
            order = np.argsort(lines, kind="stable")
            order = order[~lost[lines[order]]]
            tables = self._chunks.tables(chunk)[order]
            yield tables.astype(np.int64), lines[order].astype(np.int64)

    def _taken(self, taken: NDArray[np.int64]) -> Iterator[Rejected]:
        """The lines whose id is taken, in order."""
        by_line = taken[np.argsort(taken[:, 0])]
        games = dict.fromkeys(chunk.game for chunk in self._chunks.chunks if len(taken))
        return heapq.merge(
            *(self._taken_of(game, by_line) for game in games), key=lambda line: line.line
        )

    def _taken_of(self, game: str, taken: NDArray[np.int64]) -> Iterator[Rejected]:
        for chunk in self._chunks.of(game):
            columns = self._chunks.columns(chunk)
            texts = columns.rounds.texts
            places = np.searchsorted(taken[:, 0], columns.lines)
            places[places == len(taken)] = 0
            rows = np.flatnonzero(taken[places, 0] == columns.lines)
            for row in rows[np.argsort(columns.lines[rows], kind="stable")].tolist():
                line, by = taken[places[row]].tolist()
                yield Rejected(
                    line, texts["round"][row], texts["table"][row], "round", self._why(by), TAKEN
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

    # --- making ---

    def segments(
        self,
        place: Place,
        folder: Path,
        *,
        progress: Callable[[int], None] = lambda rounds: None,
    ) -> Iterator[Made]:
        """Make the next generation of a place: of its segments on file and the log's rounds.

        Three files for each piece in `folder`; `progress` is told the rounds written so far. A
        place from which every round was moved elsewhere has no pieces.

        Raises:
            DamagedSegmentError: a segment on file is not as it was written.
        """
        sources: list[Source] = [*self.old_rounds(place), *self.new_rounds(place)]
        return assemble(place, sources, folder, progress=progress)

    def old_rounds(self, place: Place) -> list[OldRounds]:
        """What is on file of a place, without the rounds that a correction replaces."""
        return sorted(
            (
                OldRounds(segment, _joined(self._fates.replaced.get(number, [])))
                for number, segment in enumerate(self._on_file)
                if segment.place == place
            ),
            key=lambda old: old.segment.piece,
        )

    def new_rounds(self, place: Place) -> list[NewRounds]:
        """What the log brings to a place."""
        day = place.day.toordinal()
        return [
            NewRounds(self.log, self._chunks, chunk, self._names, place, self._marks, DROPPED)
            for chunk in self._chunks.of(place.game)
            if chunk.rows_of(day) != slice(0, 0)
        ]

    def close(self) -> None:
        """Let go of what was set down; the file of rejected lines stays."""
        self._form.close()
        self._spill.close()
        self._id_spill.close()
        self._form.path.unlink(missing_ok=True)


def _broken(why: BrokenFileError, line: int) -> BrokenLogError:
    message = f"The file cannot be read beyond line {line:,}: {why}. Nothing of it was taken."
    return BrokenLogError(message, line=line, cause=why.cause)


def _tries(text: bytes | Rejection) -> bool:
    """Whether a line that is none was meant for a round: then it is evidence, and is kept."""
    return isinstance(text, bytes) and text.lstrip(b"\xef\xbb\xbf \t").startswith(b"{")


def _blank(game: str, misfits: list[tuple[int, Round]]) -> Columns:
    columns = blanks(game, [played for _, played in misfits])
    return replace(columns, lines=np.array([line for line, _ in misfits], np.int64))


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
