"""Results of auditing a segment: counts, issues with examples, money and hours."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from games.cents import clamp_cents
from games.findings import MoneyOwner, money_owner

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from games.findings import Finding
    from games.log.round import Round


MOST_EXAMPLES: Final = 200
"""Maximum findings of an issue kept in full; the findings file has all of them."""


class IssueKey(NamedTuple):
    """What findings of one cause at one table have in common."""

    table: str
    code: str
    wager: str | None = None
    line: str | None = None
    """The pay table line, or the reason, that the expected settlement reached."""


@dataclass(frozen=True, slots=True)
class Example:
    """One finding in full: its line in the findings file, and its round as logged.

    The round is empty if it was not kept.
    """

    finding: bytes
    round: bytes


@dataclass(slots=True)
class IssueCount:
    """The findings of one issue in one segment."""

    findings: int = 0
    rounds: int = 0
    over: int = 0
    """Total cents overpaid to players."""
    under: int = 0
    """Total cents underpaid to players, as a nonnegative number."""
    first: int = 0
    """`at` of the earliest round, in microseconds since 1970; `last` is that of the latest."""
    last: int = 0
    hours: dict[int, list[int]] = field(default_factory=dict)
    """By beginning of a clock hour in microseconds since 1970: rounds, cents over, cents under."""
    cites: set[str] = field(default_factory=set)
    """Every clause and interpretation cited by any of the findings."""
    examples: list[Example] = field(default_factory=list)
    """The first ones in file order."""


class Hour(NamedTuple):
    """A clock hour at a table: `begin` is in microseconds since 1970."""

    table: str
    begin: int


@dataclass(slots=True)
class Judgment:
    """The results of auditing a segment. Money is in cents and counts only players' own money."""

    file: Path
    """The findings file: compressed JSON Lines."""
    digest: str = ""
    """SHA-256 of the file's uncompressed lines."""
    findings: int = 0
    rounds: int = 0
    seats: int = 0
    void: int = 0
    flagged: int = 0
    irregular: int = 0
    over: int = 0
    under: int = 0
    issues: dict[IssueKey, IssueCount] = field(default_factory=dict)
    rounds_by_hour: Counter[Hour] = field(default_factory=Counter)
    findings_by_hour: Counter[Hour] = field(default_factory=Counter)


HOUR: Final = 3_600_000_000
"""Microseconds in an hour; local clocks differ from UTC by whole hours."""


class Tally:
    """Counter of an audit's results."""

    def __init__(self, judgment: Judgment) -> None:
        self._judgment = judgment
        self._last_round: dict[IssueKey, str] = {}

    def rounds(
        self, tables: Sequence[str], codes: NDArray[np.int64], at: NDArray[np.int64]
    ) -> None:
        """Count rounds in columns; `codes` are indexes in `tables`."""
        if not len(at):
            return
        hours = at // HOUR
        begins = np.flatnonzero(np.diff(codes) | np.diff(hours)) + 1
        firsts = [0, *begins.tolist(), len(at)]
        by_hour = self._judgment.rounds_by_hour
        for first, end in pairwise(firsts):
            by_hour[Hour(tables[codes[first]], int(hours[first]) * HOUR)] += end - first
        self._judgment.rounds += len(at)

    def odd(self, round_: Round) -> None:
        """Count a round that does not fit the columns."""
        self._judgment.rounds += 1
        self._judgment.seats += len(round_.seats)
        self._judgment.void += not round_.played
        self._judgment.rounds_by_hour[_hour(round_)] += 1

    def judged(self, findings: Sequence[Finding]) -> None:
        """Count a round by its status."""
        irregular = any(each.code == "irregular" for each in findings)
        self._judgment.irregular += irregular
        self._judgment.flagged += bool(findings) and not irregular

    def finding(self, round_: Round, finding: Finding, reached: str | None) -> IssueCount:
        """Count a finding of a round and return its issue."""
        key = IssueKey(round_.table, finding.code, finding.wager, reached)
        issue = self._judgment.issues.get(key)
        if issue is None:
            issue = self._judgment.issues[key] = IssueCount(first=round_.at, last=round_.at)
        issue.findings += 1
        issue.cites.update(finding.cites)
        hour = _hour(round_)
        counted = issue.hours.setdefault(hour.begin, [0, 0, 0])
        if self._last_round.get(key) != round_.round:
            self._last_round[key] = round_.round
            issue.rounds += 1
            counted[0] += 1
        issue.first, issue.last = min(issue.first, round_.at), max(issue.last, round_.at)
        if finding.delta:
            over, under = max(finding.delta, 0), max(-finding.delta, 0)
            issue.over = clamp_cents(issue.over + over)
            issue.under = clamp_cents(issue.under + under)
            counted[1] = clamp_cents(counted[1] + over)
            counted[2] = clamp_cents(counted[2] + under)
            if money_owner(finding.code, finding.wager) is MoneyOwner.PLAYERS:
                self._judgment.over = clamp_cents(self._judgment.over + over)
                self._judgment.under = clamp_cents(self._judgment.under + under)
        self._judgment.findings_by_hour[hour] += 1
        return issue


def _hour(round_: Round) -> Hour:
    return Hour(round_.table, round_.at // HOUR * HOUR)
