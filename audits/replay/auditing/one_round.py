"""Audit of a single round of a segment, with the same result as among the others.

It uses the same engine, terms and table memory as `segment`, but no screen before the engine.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from audits.intake.segments.rejections import DamagedSegmentError
from audits.intake.segments.segment_file import read_header, read_segment
from audits.intake.segments.tails import read_tails
from audits.replay.auditing.findings import Writing, check_round, reached_lines
from audits.replay.auditing.segment import decks_of
from audits.replay.auditing.terms import TermsInEffect
from games.checks.deal_alternation import ALTERNATING
from games.log.digests import digest_of
from games.log.form import Rejection, read_written
from games.screens.words import Words
from games.settlement.sequence import Tables
from games.settlement.verdict import settle_round
from games.terms import MOST_EARLIER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from audits.intake.segments.segment_file import SegmentGroup
    from audits.intake.segments.tails import Tail
    from audits.replay.auditing.terms import Cap, Players, Span, Terms
    from games.findings import Finding
    from games.log.round import Round
    from games.settlement.verdict import Verdict
    from games.setup import Setup
    from games.terms import Before, Decks


@dataclass(frozen=True, slots=True)
class AuditedRound:
    """A round with everything its audit depends on."""

    round: Round
    setup: Setup
    span: Span
    cap: Cap | None
    players: Players
    before: Before
    verdict: Verdict
    """The findings by the rules of play."""
    findings: tuple[Finding, ...]
    """Those and the findings by the terms."""
    lines: tuple[bytes, ...]
    """The findings as in the findings file of the segment."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A round of the table, parsed on demand."""

    number: int
    disturbed: bool
    fell_back: bool
    decks: Decks
    source: tuple[str, int]
    read: Callable[[], Round]


def audit_round(
    *, segment: Path, row: int, terms: Terms, carried: Path | None = None
) -> AuditedRound:
    """Audit the round in a row of a segment, from 0; `carried` is as for `audit_segment`.

    Raises:
        TermsError: rounds cannot be audited under these terms.
        DamagedSegmentError: a file is not as it was written, or has no such row.
    """
    in_effect = TermsInEffect(terms)
    rows = _rows_of_its_table(segment, row)
    at, earlier = rows[-1], rows[:-1]
    round_ = at.read()
    tails = [] if carried is None else list(read_tails(carried, {round_.table}).values())
    with closing(Tables(day_of=in_effect.day_of)) as memory:
        _remember(memory, tails)
        for each in _that_matter(earlier, round_):
            _note(memory, each, round_.table)
            memory.note(each.read())
        if at.disturbed:
            memory.note_rejection(round_.table)
        before = memory.before(round_)
    setup = in_effect.setups[in_effect.of_round(round_)]
    verdict = settle_round(round_, setup, before, decks=at.decks)
    findings = check_round(round_, in_effect, verdict, fell_back=at.fell_back)
    reached = reached_lines(round_, findings, verdict)
    writing = Writing(round_, digest_of(round_), at.source, in_effect)
    return AuditedRound(
        round=round_,
        setup=setup,
        span=in_effect.span(round_),
        cap=in_effect.cap(round_),
        players=in_effect.players(round_),
        before=before,
        verdict=verdict,
        findings=findings,
        lines=tuple(writing.line(each, name) for each, name in zip(findings, reached, strict=True)),
    )


def _rows_of_its_table(segment: Path, row: int) -> list[_Row]:
    """Return all rounds of a row's table up to that row, in order of play."""
    logs, groups = read_header(segment).logs, []
    for group in read_segment(segment):
        groups.append(group)
        if row + 1 < group.first_row + len(group):
            break
    else:
        raise DamagedSegmentError(segment, f"there is no row {row}")
    table = _table_of(groups[-1], row + 1)
    rows = [each for group in groups for each in _rows_of(group, table, logs)]
    return [each for each in sorted(rows, key=lambda each: each.number) if each.number <= row + 1]


def _table_of(group: SegmentGroup, number: int) -> str:
    odd = dict(group.odd).get(number)
    if odd is not None:
        return _read(odd).table
    return str(
        group.columns.rounds.texts["table"][int(np.searchsorted(group.columns.lines, number))]
    )


def _rows_of(group: SegmentGroup, table: str, logs: Sequence[str]) -> Iterator[_Row]:
    columns, words = group.columns, Words()

    def of(number: int, read: Callable[[], Round]) -> _Row:
        place = number - group.first_row
        source = logs[int(group.source_log[place])], int(group.source_line[place])
        disturbed, fell_back = bool(group.disturbed[place]), bool(group.fell_back[place])
        return _Row(number, disturbed, fell_back, decks_of(group, number), source, read)

    if len(columns):
        codes = words.codes(columns.rounds.texts["table"])
        wanted = [code for code, word in enumerate(words.words()) if word == table]
        for place in np.flatnonzero(np.isin(codes, wanted)).tolist():
            yield of(int(columns.lines[place]), partial(columns.round, place))
    for number, text in group.odd:
        if _read(text).table == table:
            yield of(number, partial(_read, text))


def _read(text: bytes) -> Round:
    read = read_written(text)
    if isinstance(read, Rejection):
        raise TypeError(read.reason)
    return read


def _that_matter(earlier: Sequence[_Row], round_: Round) -> Sequence[_Row]:
    """Return the rounds that affect a later one: the last one played, and any after it.

    Where a deck is dealt by hand, all do: it may have been used before another (P2-1). Where wagers
    run over several rounds, as many do as are remembered.
    """
    if round_.game == ALTERNATING and not round_.shuffler:
        return earlier
    if round_.common_hands is not None:
        return earlier[-MOST_EARLIER:]
    for place in range(len(earlier) - 1, -1, -1):
        if earlier[place].read().played:
            return earlier[place:]
    return earlier


def _note(memory: Tables, row: _Row, table: str) -> None:
    if row.disturbed:
        memory.note_rejection(table)


def _remember(memory: Tables, tails: Sequence[Tail]) -> None:
    """Remember rounds audited elsewhere, from earlier days and this day's earlier pieces."""
    for tail in tails:
        for round_ in tail.rounds():
            memory.note(round_)
        if tail.rejected_after:
            memory.note_rejection(tail.table)
