"""A segment judged under the terms of its day: the findings file, and what it came to.

Rounds in which nothing is to be found stay columns; the judge is asked about the others alone, and
what stands in the terms (who was not authorised, which cap nobody knows) needs no judge.
"""

from __future__ import annotations

from heapq import merge
from typing import TYPE_CHECKING, Final

import numpy as np

from audits.judging.findings_file import FindingsWriter
from audits.judging.found import Writing, found, lines_reached
from audits.judging.held import Held
from audits.judging.judgement import MOST_EXAMPLES, Example, Judgement
from audits.judging.rows import Rows, rejected
from audits.judging.tally import Tally
from audits.judging.terms import TermsError
from audits.segments.segment_file import read_header, read_segment
from audits.segments.tails import read_tails
from games.columns.run import ColumnRun, Told
from games.columns.words import Words
from games.round_log.columns_reader import Block
from games.round_log.form import Rejection
from games.round_log.written import line_of, read_written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from audits.judging.terms import Terms
    from audits.segments.segment_file import SegmentGroup
    from audits.segments.tails import Tail
    from games.round_log.round import Round

TOLD_AT_ONCE: Final = 1_000
"""So many rounds with findings take well under a second."""


def judge_segment(
    *,
    segment: Path,
    terms: Terms,
    out: Path,
    carried: Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> Judgement:
    """Judge a segment; `out` gets the findings file.

    `carried` are the tails that stand before it, of the day or the piece before. `progress` is
    told, several times a second, how many rounds are judged.

    Raises:
        TermsError: the terms are no terms to judge by, or of another game.
        DamagedSegmentError: the segment or the tails are not as they were written.
    """
    header = read_header(segment)
    if header.place.game != terms.game:
        message = f"{segment} holds rounds of {header.place.game}; the terms are of {terms.game}."
        raise TermsError(message)
    judgement = Judgement(out)
    with FindingsWriter(out) as writer:
        tails = [] if carried is None else list(read_tails(carried).values())
        judging = _Judging(header.logs, terms, judgement, writer, progress or _nobody)
        try:
            judging.what_came_before(tails)
            for group in read_segment(segment):
                judging.group(group)
                del group  # its memory, warm and mapped, is there for the next one
        finally:
            judging.close()
        judgement.digest, judgement.findings = writer.digest, writer.count
    return judgement


def _nobody(_rounds: int) -> None:
    """Nobody wants to know."""


class _Judging:
    """One segment on its way."""

    def __init__(
        self,
        logs: Sequence[str],
        terms: Terms,
        judgement: Judgement,
        writer: FindingsWriter,
        progress: Callable[[int], None],
    ) -> None:
        self._held = Held(terms)
        self._judgement = judgement
        self._tally = Tally(judgement)
        self._writer = writer
        self._progress = progress
        self._run = ColumnRun(
            *self._held.setups,
            choice=self._held,
            ids=False,
            read=read_written,
            brief_voids=True,
        )
        self._tables = Words()
        self._logs = logs
        self._told = 0

    def close(self) -> None:
        self._run.close()

    def what_came_before(self, tails: Iterable[Tail]) -> None:
        """Tell the run of rounds that are judged elsewhere."""
        lines: list[bytes | Rejection] = []
        for tail in tails:
            lines += map(line_of, tail.rounds())
            if tail.rejected_after:
                lines.append(rejected(tail.table))
        block = Block(1, len(lines), (), tuple(enumerate(lines, 1)))
        for _ in self._run.judge(block).told:
            pass

    def group(self, group: SegmentGroup) -> None:
        """Judge a row group."""
        rows = Rows(group, self._logs)
        columns = rows.columns
        judged = self._run.judge(rows.block(), rows)
        codes = self._tables.codes(columns.rounds.texts["table"])
        tables = self._tables.words()
        self._tally.rounds(tables, codes, columns.rounds.numbers["at"])
        self._judgement.seats += int(columns.first_seat[-1])
        certain = judged.certain[0] if judged.certain else np.empty(0, np.uint8)
        unverified = self._held.unverified_rows(columns)
        wanted = self._held.refused_rows(columns.rounds.numbers["at"], codes, tables) | unverified
        wanted |= rows.fallen_back()
        rows.expect(np.flatnonzero(wanted | (certain == 0)))
        by_terms = (
            Told(int(columns.lines[row]), rows.brief(row, seats=bool(unverified[row])))
            for row in np.flatnonzero(wanted & (certain != 0)).tolist()
        )
        for told in merge(judged.told, by_terms, key=_line):
            if not isinstance(told.read, Rejection):
                self._round(rows, told, told.read)
        self._progress(self._judgement.rounds)

    def _round(self, rows: Rows, told: Told, round_: Round) -> None:
        self._told += 1
        if self._told % TOLD_AT_ONCE == 0:
            self._progress(self._judgement.rounds)
        if told.line in rows.odd:
            self._tally.odd(round_)
        verdict = told.verdict
        findings = found(round_, self._held, verdict, fell_back=rows.fell_back(told.line))
        if not findings:
            return
        self._tally.judged(findings)
        writing = Writing(round_, rows.digest(told.line), rows.source(told.line), self._held)
        reached = lines_reached(round_, findings, verdict)
        text = b""
        for finding, name in zip(findings, reached, strict=True):
            line = writing.line(finding, name)
            self._writer.write(line)
            pattern = self._tally.finding(round_, finding, name)
            if len(pattern.examples) < MOST_EXAMPLES:
                text = text or line_of(round_ if verdict else rows.whole(told.line))
                pattern.examples.append(Example(line, text))


def _line(told: Told) -> int:
    return told.line
