"""Results of auditing a segment: counts, money and hours, and what its issues come to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from games.cents import clamp_cents
from games.findings import MoneyOwner, money_owner

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from audits.replay.auditing.causes import Causes
    from games.findings import Finding
    from games.log.round import Round


MOST_EXAMPLES: Final = 200
"""Maximum findings of an issue shown in full; the findings file has all of them."""
MOST_EXCEPTIONS: Final = 20


class Part(NamedTuple):
    """A part of an issue: one table, code, wager and line."""

    table: str
    code: str
    wager: str
    line: str
    """The pay table line, or the reason, that the expected settlement reached."""


class Hour(NamedTuple):
    """A clock hour at a table: `begin` is in microseconds since 1970."""

    table: str
    begin: int


@dataclass(slots=True)
class IssueCount:
    """The findings of one cause in one segment. Money counts only players' own."""

    findings: int = 0
    rounds: int = 0
    over: int = 0
    """Total cents overpaid to players."""
    under: int = 0
    """Total cents underpaid to players, as a nonnegative number."""
    tested: int = 0
    """Rounds held against the cause."""
    explained: int = 0
    """Rounds of those that it explains."""
    first: int | None = None
    """`at` of the earliest round, in microseconds since 1970; `last` is that of the latest."""
    last: int | None = None
    hours: dict[Hour, list[int]] = field(default_factory=dict)
    """By table and clock hour: rounds, cents over, cents under, rounds tested and explained."""
    dealers: dict[str, list[int]] = field(default_factory=dict)
    """By pseudonym, empty where the log names none: rounds, cents over, cents under."""
    parts: dict[Part, list[int]] = field(default_factory=dict)
    """Findings, rounds, cents over and cents under of each part."""
    cites: set[str] = field(default_factory=set)
    """Every clause and interpretation cited by any of the findings."""
    examples: list[str] = field(default_factory=list)
    """The first findings as their lines in the findings file."""
    exceptions: list[str] = field(default_factory=list)
    """The first findings that the cause does not explain, by id."""
    shown: tuple[str, str] | None = None
    """A finding to show as an example, and its round as logged."""

    def add_round(
        self,
        findings: Sequence[tuple[bytes, Mapping[str, Any]]],
        *,
        tested: bool,
        explained: bool,
        dealer: str,
    ) -> None:
        """Count the findings of one round that have this cause."""
        table, at = (findings[0][1][name] for name in ("table", "at"))
        # An instant before 1970 is negative, and that of 1970 itself is 0.
        self.first = at if self.first is None else min(self.first, at)
        self.last = at if self.last is None else max(self.last, at)
        self.rounds += 1
        self.tested += tested
        self.explained += explained
        hour = self.hours.setdefault(Hour(table, at // HOUR * HOUR), [0, 0, 0, 0, 0])
        of_dealer = self.dealers.setdefault(dealer, [0, 0, 0])
        for place, more in enumerate((1, 0, 0, tested, explained)):
            hour[place] += more
        of_dealer[0] += 1
        parts = set()
        for line, finding in findings:
            part = Part(
                finding["table"], finding["code"], finding["wager"] or "", finding["line"] or ""
            )
            sums = self.parts.setdefault(part, [0, 0, 0, 0])
            self._add(line, finding, ((hour, 1), (of_dealer, 1), (sums, 2)))
            sums[0] += 1
            parts.add(part)
        for part in parts:
            self.parts[part][1] += 1

    def _add(
        self,
        line: bytes,
        finding: Mapping[str, Any],
        counted: Sequence[tuple[list[int], int]],
    ) -> None:
        """Add a finding, and its money to sums at their places."""
        self.findings += 1
        self.cites.update(finding["cites"])
        if len(self.examples) < MOST_EXAMPLES:
            self.examples.append(line.decode())
        delta = finding["delta"]
        owner = money_owner(finding["code"], finding["wager"])
        over, under = max(delta, 0), max(-delta, 0)
        if owner is MoneyOwner.HOUSE:
            counted = counted[-1:]  # the house's own money is said of its wager alone
        if delta and owner is not MoneyOwner.TABLE:
            for sums, place in counted:
                sums[place] = clamp_cents(sums[place] + over)
                sums[place + 1] = clamp_cents(sums[place + 1] + under)
        if delta and owner is MoneyOwner.PLAYERS:
            self.over = clamp_cents(self.over + over)
            self.under = clamp_cents(self.under + under)


@dataclass(slots=True)
class AuditResult:
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
    causes: Causes | None = field(default=None, compare=False)
    """What its findings have in common; None if there are no findings."""
    dealers: list[str] = field(default_factory=list)
    """Who dealt each round with findings, in the order of the file; empty if the log is silent."""
    rounds_by_hour: Counter[Hour] = field(default_factory=Counter)
    findings_by_hour: Counter[Hour] = field(default_factory=Counter)


HOUR: Final = 3_600_000_000
"""Microseconds in an hour; local clocks differ from UTC by whole hours."""


class Tally:
    """Counter of an audit's results."""

    def __init__(self, result: AuditResult) -> None:
        self._result = result

    def rounds(
        self, tables: Sequence[str], codes: NDArray[np.int64], at: NDArray[np.int64]
    ) -> None:
        """Count rounds in columns; `codes` are indexes in `tables`."""
        if not len(at):
            return
        hours = at // HOUR
        begins = np.flatnonzero(np.diff(codes) | np.diff(hours)) + 1
        firsts = [0, *begins.tolist(), len(at)]
        by_hour = self._result.rounds_by_hour
        for first, end in pairwise(firsts):
            by_hour[Hour(tables[codes[first]], int(hours[first]) * HOUR)] += end - first
        self._result.rounds += len(at)

    def odd(self, round_: Round) -> None:
        """Count a round that does not fit the columns."""
        self._result.rounds += 1
        self._result.seats += len(round_.seats)
        self._result.void += not round_.played
        self._result.rounds_by_hour[_hour(round_)] += 1

    def count(self, findings: Sequence[Finding]) -> None:
        """Count a round by its status."""
        irregular = any(each.code == "irregular" for each in findings)
        self._result.irregular += irregular
        self._result.flagged += bool(findings) and not irregular

    def finding(self, round_: Round, finding: Finding) -> None:
        """Count a finding of a round."""
        if finding.delta and money_owner(finding.code, finding.wager) is MoneyOwner.PLAYERS:
            over, under = max(finding.delta, 0), max(-finding.delta, 0)
            self._result.over = clamp_cents(self._result.over + over)
            self._result.under = clamp_cents(self._result.under + under)
        self._result.findings_by_hour[_hour(round_)] += 1


def _hour(round_: Round) -> Hour:
    return Hour(round_.table, round_.at // HOUR * HOUR)
