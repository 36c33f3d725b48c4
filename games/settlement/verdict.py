"""The verdict on a round, and on whole logs line by line: what was owed, and what is wrong."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, cast

from games.checks import (
    CHECKS,
    approval_controls,
    deal_alternation,
    deal_shoe,
    void_missing,
)
from games.checks.deal_alternation import ALTERNATING
from games.findings import Finding, cites, ordered, wrong_amount
from games.settlement.outcomes import CUT, capped, game
from games.settlement.sequence import Tables
from games.terms import Terms

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from games.log.form import Rejection
    from games.log.round import Round, Seat
    from games.settlement.outcomes import Capped, Game, Outcome, Settlement
    from games.setup import Setup
    from games.terms import Before, Decks


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of settling one round."""

    status: str
    """`ok`, `flagged` or `irregular`."""
    findings: tuple[Finding, ...]
    seats: tuple[tuple[int, Mapping[str, int] | None], ...] = ()
    """By seat, in dealing order: expected cents per result key; None if it can't be settled."""
    house: Mapping[str, int] | None = None
    """Player-banked rounds: the house's own main wager against the bank."""
    if_two_decks: Finding | None = None
    """A finding that applies only if the log turns out to use two decks here (P2-I8)."""
    settled: Settlement | None = None
    """The settlement that the log was compared with, including reasons; None for a void round."""

    def with_two_decks(self) -> Verdict:
        """Return the verdict for the case that two decks did turn out to be in use."""
        if self.if_two_decks is None:
            return self
        status = "flagged" if self.status == "ok" else self.status
        findings = ordered([*self.findings, self.if_two_decks])
        return replace(self, status=status, findings=findings, if_two_decks=None)


def settle_round(round_: Round, setup: Setup, before: Before, *, is_repeat: bool = False,
                 decks: Decks | None = None) -> Verdict:  # fmt: skip
    """Settle one round under an operator's set-up; `is_repeat` means that its id is a repeat.

    `decks` is what is known about its whole log, if that was read before.
    """
    filed = setup.filed.get(round_.game)
    if filed is not None:
        return cast("Verdict", filed.settle(round_, setup, before, is_repeat=is_repeat))
    terms = Terms(setup, setup.rules(round_.game), before, is_repeat, decks)
    findings = [each for check in CHECKS for each in check.find(round_, terms)]
    audited = _played if round_.played else _void
    missing = next((each for each in findings if each.code == void_missing.CODE), None)
    verdict = (
        audited(round_, terms, findings)
        if missing is None
        else _to_be_void(round_, terms, findings, missing)
    )
    if_two_decks = deal_alternation.if_two_decks(round_, terms)
    return verdict if if_two_decks is None else replace(verdict, if_two_decks=if_two_decks)


def _to_be_void(round_: Round, terms: Terms, findings: list[Finding], missing: Finding) -> Verdict:
    """Return the verdict on a round that was played but had to be void (P2-15): all is owed back.

    What a void round isn't audited for is no finding here either, except wrong numbers of cards.
    """
    audited = [each for each in findings if not _only_if_played(each.code)]
    settled = game(round_.game).settle(round_, terms.setup)
    audited += [each for each in settled.findings if each.code == "deal.count"]
    logged = [
        ("settlement.main", None, "house", round_.house.result),
        *(
            (f"settlement.{key}", seat.seat, key, seat.result[key])
            for seat in round_.seats
            for key in terms.rules.results
        ),
    ]
    audited += [
        wrong_amount(code, seat, key, amount, 0, missing.cites)
        for code, seat, key, amount in logged
        if amount
    ]
    return _void(round_, terms, audited)


def _only_if_played(code: str) -> bool:
    return code == deal_shoe.CODE or code.startswith("bank.")


def _void(round_: Round, terms: Terms, findings: list[Finding]) -> Verdict:
    nothing = dict.fromkeys(terms.rules.results, 0)
    return Verdict(
        status="flagged" if findings else "ok",
        findings=ordered(findings),
        seats=tuple((seat.seat, nothing) for seat in round_.seats),
        house={"main": 0} if round_.banker is not None else None,
    )


def _played(round_: Round, terms: Terms, findings: list[Finding]) -> Verdict:
    played = game(round_.game)
    settled = played.settle(round_, terms.setup)
    findings = _one_approval([*findings, *settled.findings])
    if settled.irregular is not None:
        findings.append(
            Finding("irregular", logged=settled.irregular, cites=cites(*settled.irregular_cites))
        )
        return Verdict("irregular", ordered(findings), settled=settled)
    after = capped(round_, settled.seats, terms.setup)
    findings += after.findings
    findings += _settlements(round_, after, played)
    findings += _houses(round_, settled, played)
    return Verdict(
        status="flagged" if findings else "ok",
        findings=ordered(findings),
        seats=tuple(
            (seat.seat, None if outcome is None else outcome.amounts)
            for seat, outcome in zip(round_.seats, after.outcomes, strict=True)
        ),
        house=None if settled.house is None else settled.house.amounts,
        settled=settled,
    )


def _one_approval(findings: list[Finding]) -> list[Finding]:
    """Merge what the controls don't cover into one finding: a round has one of that code."""
    same = [each for each in findings if each.code == approval_controls.CODE]
    if len(same) < 2:
        return findings
    says = ", ".join(str(each.logged) for each in same)
    ids = cites(*(id_ for each in same for id_ in each.cites))
    others = [each for each in findings if each not in same]
    return [*others, replace(same[0], logged=says, cites=ids)]


def _settlements(round_: Round, after: Capped, played: Game) -> Iterator[Finding]:
    """Yield `settlement.<key>` if the logged result isn't what the rules give."""
    for seat, outcome in zip(round_.seats, after.outcomes, strict=True):
        if outcome is None:
            continue
        for key, expected in outcome.amounts.items():
            if seat.result[key] != expected and (seat.seat, key) not in after.decided:
                yield _wrong(seat, key, expected, outcome, played)


def _wrong(seat: Seat, key: str, expected: int, outcome: Outcome, played: Game) -> Finding:
    ids = _ids(outcome, key, played)
    return wrong_amount(f"settlement.{key}", seat.seat, key, seat.result[key], expected, ids)


def _ids(outcome: Outcome, key: str, played: Game) -> tuple[str, ...]:
    return tuple(
        id_
        for code in outcome.reasons.get(key, ())
        if code != CUT
        for id_ in played.REASONS[code].cites
    )


def _houses(round_: Round, settled: Settlement, played: Game) -> Iterator[Finding]:
    """Yield a wrong `house.result` as `settlement.main`, without a seat."""
    if settled.house is None:
        return
    expected = settled.house.amounts["main"]
    if round_.house.result != expected:
        ids = ("PP-23", *_ids(settled.house, "main", played))
        yield wrong_amount("settlement.main", None, "house", round_.house.result, expected, ids)


IDS_IN_MEMORY: Final = 500_000
"""The number of ids to keep in memory, some 60 MB."""


class UsedIds:
    """A set that only grows; an empty SQLite path is a temporary file, deleted on close."""

    def __init__(self, most: int = IDS_IN_MEMORY) -> None:
        self._held: set[str] = set()
        self._most = most
        self._disk: sqlite3.Connection | None = None

    def take(self, id_: str) -> bool:
        """Record an id; return False if it was recorded before."""
        if id_ in self._held:
            return False
        if self._disk is None:
            self._held.add(id_)
            if len(self._held) > self._most:
                self._spill()
            return True
        return self._disk.execute("INSERT OR IGNORE INTO taken VALUES (?)", (id_,)).rowcount == 1

    def close(self) -> None:
        """Delete the temporary file."""
        if self._disk is not None:
            self._disk.close()

    def _spill(self) -> None:
        disk = sqlite3.connect("", isolation_level=None)
        disk.execute("PRAGMA journal_mode = OFF")
        disk.execute("PRAGMA synchronous = OFF")
        disk.execute("PRAGMA cache_size = -65536")
        disk.execute("CREATE TABLE taken (id TEXT PRIMARY KEY) WITHOUT ROWID")
        disk.execute("BEGIN")
        disk.executemany("INSERT INTO taken VALUES (?)", ((id_,) for id_ in sorted(self._held)))
        self._held.clear()
        self._disk = disk


class Run:
    """One call over one or more logs. Earlier rounds and ids are those of the whole call."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._tables = Tables()
        self._ids = UsedIds()

    def new_log(self) -> None:
        """Start another log."""
        self._tables.new_log()

    def reject(self, line: Rejection) -> None:
        """Record that the next line is rejected, so its table's state is unknown."""
        self._tables.note_rejection(line.table)

    def verdict(self, line: Round) -> Verdict:
        """Settle the next line."""
        is_repeat = not self._ids.take(line.round)
        verdict = self._settle(line, self._tables.before(line), is_repeat=is_repeat)
        self._tables.note(line)
        return verdict

    def _settle(self, line: Round, before: Before, *, is_repeat: bool) -> Verdict:
        return settle_round(line, self._setup, before, is_repeat=is_repeat)

    def two_decks(self, line: Round) -> bool:
        """Return whether a round's table is known, by now, to use two decks in this log (P2-I8)."""
        return line.game == ALTERNATING and len(self._tables.before(line).decks) > 1

    def close(self) -> None:
        """Release what is on disk."""
        self._ids.close()
        self._tables.close()
