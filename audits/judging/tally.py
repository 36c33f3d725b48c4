"""Counting as a segment is judged: patterns, money, hours."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from audits.judging.judgement import Hour, PatternCount, PatternKey
from audits.judging.whose_money import Whose, whose
from games.cents import held

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from audits.judging.judgement import Judgement
    from games.judge.finding import Finding
    from games.round_log.round import Round

HOUR: Final = 3_600_000_000
"""Microseconds; at the places of play clocks differ from UTC by whole hours."""


class Tally:
    """Keeps a judgement's counts."""

    def __init__(self, judgement: Judgement) -> None:
        self._judgement = judgement
        self._last_round: dict[PatternKey, str] = {}

    def rounds(
        self, tables: Sequence[str], codes: NDArray[np.int64], at: NDArray[np.int64]
    ) -> None:
        """Count rounds that stand in columns; `codes` are their places in `tables`."""
        if not len(at):
            return
        hours = at // HOUR
        begins = np.flatnonzero(np.diff(codes) | np.diff(hours)) + 1
        firsts = [0, *begins.tolist(), len(at)]
        by_hour = self._judgement.rounds_by_hour
        for first, end in pairwise(firsts):
            by_hour[Hour(tables[codes[first]], int(hours[first]) * HOUR)] += end - first
        self._judgement.rounds += len(at)

    def odd(self, round_: Round) -> None:
        """Count a round that fits no columns."""
        self._judgement.rounds += 1
        self._judgement.seats += len(round_.seats)
        self._judgement.void += not round_.played
        self._judgement.rounds_by_hour[_hour(round_)] += 1

    def judged(self, findings: Sequence[Finding]) -> None:
        """Count a round by its status."""
        irregular = any(each.code == "irregular" for each in findings)
        self._judgement.irregular += irregular
        self._judgement.flagged += bool(findings) and not irregular

    def finding(self, round_: Round, finding: Finding, reached: str | None) -> PatternCount:
        """Count a finding of a round, and tell its pattern."""
        key = PatternKey(round_.table, finding.code, finding.wager, reached)
        pattern = self._judgement.patterns.get(key)
        if pattern is None:
            pattern = self._judgement.patterns[key] = PatternCount(first=round_.at, last=round_.at)
        pattern.findings += 1
        pattern.cites.update(finding.cites)
        hour = _hour(round_)
        counted = pattern.hours.setdefault(hour.begin, [0, 0, 0])
        if self._last_round.get(key) != round_.round:
            self._last_round[key] = round_.round
            pattern.rounds += 1
            counted[0] += 1
        pattern.first, pattern.last = min(pattern.first, round_.at), max(pattern.last, round_.at)
        if finding.delta:
            over, under = max(finding.delta, 0), max(-finding.delta, 0)
            pattern.over = held(pattern.over + over)
            pattern.under = held(pattern.under + under)
            counted[1] = held(counted[1] + over)
            counted[2] = held(counted[2] + under)
            if whose(finding.code, finding.wager) is Whose.PLAYERS:
                self._judgement.over = held(self._judgement.over + over)
                self._judgement.under = held(self._judgement.under + under)
        self._judgement.findings_by_hour[hour] += 1
        return pattern


def _hour(round_: Round) -> Hour:
    return Hour(round_.table, round_.at // HOUR * HOUR)
