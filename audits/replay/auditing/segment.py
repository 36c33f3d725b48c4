"""Audit of a segment under the terms of its day: the findings file and the results."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from heapq import merge
from operator import itemgetter
from sys import intern
from typing import TYPE_CHECKING, Final

import numpy as np

from audits.intake.segments.segment_file import THIRD_DECK, TWO_DECKS, read_header, read_segment
from audits.intake.segments.tails import read_tails
from audits.replay.auditing.causes import Causes
from audits.replay.auditing.findings import FindingsWriter, Writing, check_round, reached_lines
from audits.replay.auditing.tally import AuditResult, Tally
from audits.replay.auditing.terms import TermsError, TermsInEffect
from games.log.columns import Pick, picked
from games.log.digests import digest_of_line, digests_of
from games.log.field_types import ABSENT
from games.log.form import Rejection, line_of, read_written
from games.log.reader import Block
from games.log.round import Round, Seat
from games.screens.run import ColumnRun, LineVerdict
from games.screens.words import Words
from games.settlement.verdict import settle_round
from games.terms import NOTHING, Decks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from audits.intake.segments.segment_file import SegmentGroup
    from audits.intake.segments.tails import Tail
    from audits.replay.auditing.terms import Terms
    from games.log.columns import Columns


class Rows:
    """Rows as lines of a block: row n is line 2n; a rejected line before it is 2n - 1."""

    def __init__(self, group: SegmentGroup, logs: Sequence[str]) -> None:
        self._group = group
        self._logs = logs
        self.columns = replace(group.columns, lines=2 * group.columns.lines)
        self.odd = {2 * row: text for row, text in group.odd}
        """Canonical lines, by line number, of rounds that do not fit the columns."""
        self._digested = np.empty(0, np.int64)
        self._digests = np.empty((0, 4), np.uint64)

    def of_rows(self, columns: Columns) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return per round of the columns whether two decks alternate, and whether it has a third.

        Together with `of_line`, these are the `Turns` of a run.
        """
        marks = self._group.decks[columns.lines // 2 - self._group.first_row]
        return marks & TWO_DECKS != 0, marks & THIRD_DECK != 0

    def of_line(self, line: int) -> Decks:
        """Return the same for one line's round."""
        return decks_of(self._group, line // 2)

    def block(self) -> Block:
        """Return all the input that a run needs."""
        odd: list[tuple[int, bytes | Rejection]] = list(self.odd.items())
        for place in np.flatnonzero(self._group.disturbed).tolist():
            line = 2 * (self._group.first_row + place)
            odd.append((line - 1, rejected(self._table(line))))
        odd.sort(key=itemgetter(0))
        return Block(0, 0, (self.columns,) if len(self.columns) else (), tuple(odd))

    def fell_back(self, line: int) -> bool:
        """Return whether a line's round ended before the previous one, from another day."""
        return bool(self._group.fell_back[line // 2 - self._group.first_row])

    def fallen_back(self) -> NDArray[np.bool_]:
        """Return the same for every row of the columns."""
        fallen: NDArray[np.bool_] = self._group.fell_back[
            self.columns.lines // 2 - self._group.first_row
        ]
        return fallen

    def source(self, line: int) -> tuple[str, int]:
        """Return the log with which a line's round was submitted, and its line there."""
        place = line // 2 - self._group.first_row
        log = self._logs[int(self._group.source_log[place])]
        return log, int(self._group.source_line[place])

    def digest(self, line: int) -> bytes:
        """Return the digest of a line's round as logged."""
        if line in self.odd:
            return digest_of_line(self.odd[line])
        place = int(np.searchsorted(self._digested, self._row(line)))
        return bytes(self._digests[place].tobytes())

    def expect(self, rows: NDArray[np.int64]) -> None:
        """Prepare digests of these rows of the columns, given in ascending order."""
        if len(rows):
            some = picked([Pick(self.columns, rows, np.arange(len(rows)))])
            self._digested, self._digests = rows, digests_of(some)

    def brief(self, row: int, *, seats: bool) -> Round:
        """Return a round with only what the terms need, without cards and results.

        The seats' wagers are included only if `seats` is set.
        """
        columns = self.columns
        since = int(columns.rounds.numbers["from"][row])
        return Round(
            round=str(columns.rounds.texts["round"][row]),
            game=columns.game,
            table=str(columns.rounds.texts["table"][row]),
            at=int(columns.rounds.numbers["at"][row]),
            since=None if since == ABSENT else since,
            seats=tuple(self._seats(row)) if seats else (),
        )

    def whole(self, line: int) -> Round:
        """Return a line's round as logged."""
        if line not in self.odd:
            return self.columns.round(self._row(line))
        read = read_written(self.odd[line])
        if isinstance(read, Rejection):
            raise TypeError(read.reason)
        return read

    def _seats(self, row: int) -> list[Seat]:
        first, end = self.columns.first_seat[row : row + 2].tolist()
        numbers, players = self.columns.seats.numbers, self.columns.seats.texts["player"]
        return [
            Seat(
                seat=int(numbers["seat"][seat]),
                player=players[seat],
                wagers={name: int(column[seat]) for name, column in self._wagers},
                result={},
            )
            for seat in range(first, end)
        ]

    @cached_property
    def _wagers(self) -> list[tuple[str, NDArray[np.int64]]]:
        numbers = self.columns.seats.numbers
        return [
            (name.removeprefix("wager_"), column)
            for name, column in numbers.items()
            if name.startswith("wager_")
        ]

    def _row(self, line: int) -> int:
        return int(np.searchsorted(self.columns.lines, line))

    def _table(self, line: int) -> str:
        if line in self.odd:
            return self.whole(line).table
        return str(self.columns.rounds.texts["table"][self._row(line)])


def decks_of(group: SegmentGroup, number: int) -> Decks:
    """Return the deck marks set at submission for a round, by its row from 1."""
    marks = int(group.decks[number - group.first_row])
    return Decks(two=bool(marks & TWO_DECKS), third=bool(marks & THIRD_DECK))


def rejected(table: str) -> Rejection:
    """Return a rejected line of a table."""
    return Rejection(None, "rejected at submission", table=table)


REPORT_EVERY: Final = 1_000
"""Rounds checked between progress reports; this many take well under a second."""


def audit_segment(
    *,
    segment: Path,
    terms: Terms,
    out: Path,
    carried: Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> AuditResult:
    """Audit a segment and write the findings file to `out`.

    `carried` has the tails that come before it, of the previous day or piece. `progress` is called
    several times a second with the number of rounds audited.

    Raises:
        TermsError: rounds cannot be audited under these terms, or they are of another game.
        DamagedSegmentError: the segment or the tails are not as they were written.
    """
    header = read_header(segment)
    if header.place.game != terms.game:
        message = f"{segment} holds rounds of {header.place.game}; the terms are of {terms.game}."
        raise TermsError(message)
    outcome = AuditResult(out)
    with FindingsWriter(out) as writer:
        tails = [] if carried is None else list(read_tails(carried).values())
        audit = _Audit(header.logs, terms, outcome, writer, progress or _nobody)
        try:
            audit.what_came_before(tails)
            for group in read_segment(segment):
                audit.group(group)
                del group  # its warm, mapped memory is reused for the next group
        finally:
            audit.close()
        outcome.digest, outcome.findings = writer.digest, writer.count
        audit.causes.infer(outcome.rounds)
        outcome.causes = audit.causes
    return outcome


def _nobody(_rounds: int) -> None:
    """Ignore progress."""


class _Audit:
    """The audit of one segment in progress."""

    def __init__(
        self,
        logs: Sequence[str],
        terms: Terms,
        outcome: AuditResult,
        writer: FindingsWriter,
        progress: Callable[[int], None],
    ) -> None:
        self._terms = TermsInEffect(terms)
        self._outcome = outcome
        self._tally = Tally(outcome)
        self._writer = writer
        self._progress = progress
        self._run = ColumnRun(
            *self._terms.setups,
            choice=self._terms,
            ids=False,
            read=read_written,
            brief_voids=True,
            day_of=self._terms.day_of,
        )
        self._tables = Words()
        self._logs = logs
        self._reported = 0
        self.causes = Causes(terms)
        self._wrong: list[int] = []
        """Lines of the row group's rounds with wrong results."""

    def close(self) -> None:
        self._run.close()

    def what_came_before(self, tails: Iterable[Tail]) -> None:
        """Feed the run with rounds that are audited elsewhere."""
        lines: list[bytes | Rejection] = []
        for tail in tails:
            lines += map(line_of, tail.rounds())
            if tail.rejected_after:
                lines.append(rejected(tail.table))
        block = Block(1, len(lines), (), tuple(enumerate(lines, 1)))
        for _ in self._run.settle(block).line_verdicts:
            pass

    def group(self, group: SegmentGroup) -> None:
        """Audit a row group."""
        rows = Rows(group, self._logs)
        columns = rows.columns
        verdicts = self._run.settle(rows.block(), rows)
        codes = self._tables.codes(columns.rounds.texts["table"])
        tables = self._tables.words()
        self._tally.rounds(tables, codes, columns.rounds.numbers["at"])
        self._outcome.seats += int(columns.first_seat[-1])
        certain = verdicts.certain[0] if verdicts.certain else np.empty(0, np.uint8)
        unverified = self._terms.unverified_rows(columns)
        wanted = self._terms.refused_rows(columns.rounds.numbers["at"], codes, tables) | unverified
        wanted |= rows.fallen_back()
        rows.expect(np.flatnonzero(wanted | (certain == 0)))
        by_terms = (
            LineVerdict(int(columns.lines[row]), rows.brief(row, seats=bool(unverified[row])))
            for row in np.flatnonzero(wanted & (certain != 0)).tolist()
        )
        self._wrong.clear()
        for line_verdict in merge(verdicts.line_verdicts, by_terms, key=_line):
            if not isinstance(line_verdict.read, Rejection):
                self._round(rows, line_verdict, line_verdict.read)
        for row in near_rows(
            self._wrong, columns.lines, certain, codes, self.causes.wants_ordinary
        ):
            round_ = columns.round(row)
            setup = self._terms.setups[self._terms.of_round(round_)]
            self.causes.add_ordinary(round_, setup, settle_round(round_, setup, NOTHING))
        self._progress(self._outcome.rounds)

    def _round(self, rows: Rows, line_verdict: LineVerdict, round_: Round) -> None:
        self._reported += 1
        if self._reported % REPORT_EVERY == 0:
            self._progress(self._outcome.rounds)
        if line_verdict.line in rows.odd:
            self._tally.odd(round_)
        verdict = line_verdict.verdict
        findings = check_round(
            round_, self._terms, verdict, fell_back=rows.fell_back(line_verdict.line)
        )
        if not findings:
            return
        self._tally.count(findings)
        self._outcome.dealers.append(intern(round_.dealer_id or ""))
        writing = Writing(
            round_, rows.digest(line_verdict.line), rows.source(line_verdict.line), self._terms
        )
        for finding, name in zip(findings, reached_lines(round_, findings, verdict), strict=True):
            self._writer.write(writing.line(finding, name))
            self._tally.finding(round_, finding)
        setup = self._terms.setups[self._terms.of_round(round_)]
        ids = [writing.identity(each) for each in findings]
        self.causes.add(
            round_,
            setup,
            verdict,
            findings,
            ids,
            lambda: round_ if verdict else rows.whole(line_verdict.line),
        )
        if any(each.code.startswith("settlement.") for each in findings):
            self._wrong.append(line_verdict.line)


NEAR: Final = (1, -1, 2, -2, 3, -3, 4, -4)


def near_rows(
    wrong: Sequence[int],
    lines: NDArray[np.int64],
    certain: NDArray[np.uint8],
    tables: NDArray[np.int64],
    most: int,
) -> list[int]:
    """Return rows of rounds that were certainly settled right, near wrong ones at their tables."""
    if most <= 0 or not wrong or not len(certain):
        return []
    places = np.searchsorted(lines, np.array(wrong, np.int64))
    places = places[places < len(lines)]
    found: dict[int, None] = {}
    for step in NEAR:
        near = np.clip(places + step, 0, len(lines) - 1)
        right = near[(certain[near] != 0) & (tables[near] == tables[places])]
        thinned = right[:: max(1, len(right) // most)].tolist()
        found |= dict.fromkeys(thinned[: max(0, most - len(found))])
    return list(found)


def _line(line_verdict: LineVerdict) -> int:
    return line_verdict.line
