"""What is found of a round under its terms, and the line that the findings file has of it."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from audits.judging.held import is_compact
from audits.judging.reached import reached
from audits.judging.terms import canonical
from games.cents import held
from games.judge.finding import Finding, cites, ordered, weight
from games.rule_set import rule_set

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from audits.judging.held import Held
    from games.judge.verdict import Verdict
    from games.round_log.round import Round

WAC_WAGER: Final = "WAC 230-15-140(1)"
WAC_PLAYERS: Final = "WAC 230-15-055(1)"
"""How the engine, which knows no dates, cites the two limits that the terms date."""
CONTROLS: Final = "WAC 230-15-425"

LONGEST_TEXT: Final = 200
NOT_KEPT: Final = str.maketrans({"\0": "\ufffd"})
"""A database keeps no NUL; a logged text may hold one."""


def found(
    round_: Round, held: Held, verdict: Verdict | None, *, fell_back: bool = False
) -> tuple[Finding, ...]:
    """All that is wrong with a round, in the contract's order.

    Without a verdict the rules of play find nothing, and only the terms are asked. `fell_back`
    says that the round before it in its log, judged with another day, ended later.
    """
    findings = [] if verdict is None else [_dated(each, round_, held) for each in verdict.findings]
    if fell_back and all(each.code != "log.sequence" for each in findings):
        findings.append(Finding("log.sequence", logged="earlier than the round before"))
    findings += _unverified(round_, held)
    if round_.played:  # findings.md: of a void round no authorisation is judged
        findings = _with_refusals(findings, _refusals(round_, held))
    return ordered(findings)


def _dated(finding: Finding, round_: Round, held: Held) -> Finding:
    """A finding on a legal limit as the law, or the compact, was numbered on that date."""
    if finding.code == "limit.wac":
        cap = held.cap(round_)
        if cap is not None:
            code = "limit.compact" if is_compact(cap) else finding.code
            return _recited(finding, code, WAC_WAGER, cap.cites)
    if finding.code == "limit.players" and WAC_PLAYERS in finding.cites:
        return _recited(finding, finding.code, WAC_PLAYERS, held.players(round_).cites)
    return finding


def _recited(finding: Finding, code: str, undated: str, dated: tuple[str, ...]) -> Finding:
    ids = _ids(finding.cites, undated, dated)
    return Finding(
        code, finding.seat, finding.wager, finding.logged, finding.expected, finding.delta, ids
    )


@cache
def _ids(ids: tuple[str, ...], undated: str, dated: tuple[str, ...]) -> tuple[str, ...]:
    return cites(*(id_ for id_ in ids if id_ != undated), *dated)


def _unverified(round_: Round, held: Held) -> Iterator[Finding]:
    """`limit.unverified`: wagers that a cap limits whose value nobody has read.

    And those that one allows on a condition of which the log says nothing.
    """
    cap = held.cap(round_)
    if cap is None or (cap.amount is not None and cap.sure is None):
        return
    least, most = cap.sure or 0, cap.amount
    wagers = rule_set(round_.game).wagers
    for seat in round_.seats:
        for key in wagers:
            if seat.wagers[key] > least and (most is None or seat.wagers[key] <= most):
                yield Finding(
                    "limit.unverified",
                    seat.seat,
                    key,
                    str(seat.wagers[key]),  # a notice says no cents
                    cites=cites(*cap.cites),
                )


def _refusals(round_: Round, held: Held) -> Iterator[Finding]:
    """`approval.*`: why the round was not authorised, one for each code."""
    span = held.span(round_)
    for refusal in span.refused:
        yield Finding(refusal.code, logged=refusal.says[:LONGEST_TEXT], cites=cites(*refusal.cites))
    if span.tables is not None and round_.table not in span.tables:
        says = f"The controls in effect do not name table {round_.table} for this game."
        yield Finding("approval.controls", logged=says, cites=cites(CONTROLS))


def _with_refusals(findings: list[Finding], refusals: Iterator[Finding]) -> list[Finding]:
    """The findings with the refusals: what the game found under the same code joins it."""
    for refusal in refusals:
        if all(each.code != refusal.code for each in findings):
            findings.append(refusal)
            continue
        same = [each for each in findings if each.code == refusal.code and each.seat is None]
        findings = [each for each in findings if each not in same]
        says = "; ".join(str(each.logged) for each in (refusal, *same))
        ids = cites(*(id_ for each in (refusal, *same) for id_ in each.cites))
        findings.append(replace(refusal, logged=says[:LONGEST_TEXT], cites=ids))
    return findings


_weight = cache(weight)


class Writing:
    """The lines of one round's findings."""

    def __init__(self, round_: Round, digest: bytes, source: tuple[str, int], held: Held) -> None:
        self._round = round_
        self._held = held
        self._digest = digest
        log, source_line = source
        self._common: dict[str, Any] = {
            "game": round_.game,
            "table": round_.table,
            "round": round_.round,
            "at": round_.at,
            "log": log,
            "source_line": source_line,
        }
        self._players = {seat.seat: seat.player for seat in round_.seats}

    def line(self, finding: Finding, reached: str | None) -> bytes:
        """A finding's line, without its end."""
        return canonical(
            {
                **self._common,
                "id": self._id(finding),
                "code": finding.code,
                "seat": finding.seat,
                "wager": finding.wager,
                "logged": _kept(finding.logged),
                "expected": _kept(finding.expected),
                "delta": held(finding.delta),
                "cites": finding.cites,
                "player": self._players.get(finding.seat) if finding.seat is not None else None,
                "line": reached,
                "carried_since": self._carried_since(finding.code),
                "weight": _weight(finding.code),
            }
        )

    def _carried_since(self, code: str) -> str | None:
        """Of a limit that applies behind its last verification, the day of that."""
        if code in {"limit.wac", "limit.compact"}:
            cap = self._held.cap(self._round)
            return None if cap is None else cap.carried_since
        return self._held.players(self._round).carried_since if code == "limit.players" else None

    def _id(self, finding: Finding) -> str:
        """A finding is the same in every replay: by the round as logged, seat, wager, code."""
        of = f"{finding.seat}\0{finding.wager}\0{finding.code}".encode()
        return hashlib.sha256(self._digest + of).hexdigest()[:32]


def _kept(value: int | str | None) -> int | str | None:
    """A value as it is kept: a hostile log's amounts may go beyond any integer of 64 bits."""
    if isinstance(value, str):
        return value.translate(NOT_KEPT)
    return value if value is None else held(value)


def lines_reached(
    round_: Round, findings: Sequence[Finding], verdict: Verdict | None
) -> tuple[str | None, ...]:
    """For each finding the line that the expected settlement reached, where that is asked."""
    settled = None if verdict is None else verdict.settled
    if settled is None:
        return (None,) * len(findings)
    seats = (seat.seat for seat in round_.seats)
    outcomes = dict(zip(seats, settled.seats, strict=False))  # an irregular round has none
    return tuple(reached(each, round_.game, settled.house, outcomes) for each in findings)
