"""The findings of a round under its terms, and the findings file."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import orjson
import zstandard

from audits.replay.auditing.terms import canonical, is_compact
from games.cents import clamp_cents
from games.checks import severity
from games.checks.log_sequence import EARLIER
from games.diagnosis.lines import line_reached
from games.findings import CONTROLS, RECORDS, Finding, cites, ordered

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from audits.replay.auditing.terms import TermsInEffect
    from games.log.round import Round
    from games.settlement.outcomes import Outcome
    from games.settlement.verdict import Verdict


LEVEL: Final = 3
READ: Final = 1 << 20
WRITTEN_AT_ONCE: Final = 1 << 18


class FindingsWriter:
    """Context manager that writes lines in the given order and completes the file on exit."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")
        self._out = zstandard.ZstdCompressor(level=LEVEL).stream_writer(self._file)
        self._digest = hashlib.sha256()
        self._waiting: list[bytes] = []
        self._size = 0
        self.count = 0

    def __enter__(self) -> FindingsWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self._flush()
        self._out.flush(zstandard.FLUSH_FRAME)
        self._file.close()

    def write(self, line: bytes) -> None:
        """Add a line, given without its line ending."""
        self._waiting += (line, b"\n")
        self._size += len(line)
        self.count += 1
        if self._size > WRITTEN_AT_ONCE:
            self._flush()

    @property
    def digest(self) -> str:
        """Return the hex SHA-256 of the lines so far."""
        self._flush()
        return self._digest.hexdigest()

    def _flush(self) -> None:
        text = b"".join(self._waiting)
        self._waiting, self._size = [], 0
        self._digest.update(text)
        self._out.write(text)


def read_lines(path: Path) -> Iterator[bytes]:
    """Yield a findings file's lines without line endings, using memory for little more than one."""
    with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as plain:
        begun: list[bytes] = []
        while piece := plain.read(READ):
            first, *rest = piece.split(b"\n")
            begun.append(first)
            if rest:
                yield b"".join(begun)
                yield from rest[:-1]
                begun = rest[-1:]


def read_findings(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the findings of a file, in order."""
    for line in read_lines(path):
        yield orjson.loads(line)


def digest_of(path: Path) -> str:
    """Return the hex SHA-256 of a findings file's lines."""
    digest = hashlib.sha256()
    for line in read_lines(path):
        digest.update(line + b"\n")
    return digest.hexdigest()


def outcome_of(
    finding: Finding, slug: str, house: Outcome | None, outcomes: Mapping[int, Outcome | None]
) -> str | None:
    """Return the line that a wrongly settled wager reached by the rules, or None if not one line.

    `house` is the settlement of the house's own wager; `outcomes` has those of the seats by number.
    """
    key = finding.wager
    if key is None or not finding.code.startswith("settlement."):
        return None
    if finding.seat is None:
        return line_reached(slug, house, "main") if key == "house" else None
    return line_reached(slug, outcomes.get(finding.seat), key)


WAC_WAGER: Final = "WAC 230-15-140(1)"
WAC_PLAYERS: Final = "WAC 230-15-055(1)"
"""The engine knows no dates and cites these two limits so; the terms add the dated citation."""

LONGEST_TEXT: Final = 200
NOT_KEPT: Final = str.maketrans({"\0": "\ufffd"})
"""Databases cannot store NUL, but a logged text may contain it."""


def check_round(
    round_: Round, in_effect: TermsInEffect, verdict: Verdict | None, *, fell_back: bool = False
) -> tuple[Finding, ...]:
    """Return all findings of a round, in the documented order.

    Without a verdict there are no findings by the rules of play, and only the terms are checked.
    `fell_back` says that the previous round in its log, audited with another day, ended later.
    """
    findings = (
        [] if verdict is None else [_dated(each, round_, in_effect) for each in verdict.findings]
    )
    if fell_back and all(each.code != "log.sequence" for each in findings):
        findings.append(Finding("log.sequence", logged=EARLIER, cites=(RECORDS,)))
    findings += _unverified(round_, in_effect)
    findings = _with_refusals(findings, _refusals(round_, in_effect))
    return ordered(findings)


def _dated(finding: Finding, round_: Round, in_effect: TermsInEffect) -> Finding:
    """Cite a legal limit by the number that the law, or the compact, had on that date."""
    if finding.code == "limit.wac":
        cap = in_effect.cap(round_)
        if cap is not None:
            code = "limit.compact" if is_compact(cap) else finding.code
            return _recited(finding, code, WAC_WAGER, cap.cites)
    if finding.code == "limit.players" and WAC_PLAYERS in finding.cites:
        return _recited(finding, finding.code, WAC_PLAYERS, in_effect.players(round_).cites)
    return finding


def _recited(finding: Finding, code: str, undated: str, dated: tuple[str, ...]) -> Finding:
    ids = _ids(finding.cites, undated, dated)
    return Finding(
        code, finding.seat, finding.wager, finding.logged, finding.expected, finding.delta, ids
    )


@cache
def _ids(ids: tuple[str, ...], undated: str, dated: tuple[str, ...]) -> tuple[str, ...]:
    return cites(*(id_ for id_ in ids if id_ != undated), *dated)


def _unverified(round_: Round, in_effect: TermsInEffect) -> Iterator[Finding]:
    """Yield `limit.unverified` for wagers under a cap whose value nobody has verified.

    The same goes for wagers allowed on a condition that the log says nothing about.
    """
    cap = in_effect.cap(round_)
    if cap is None or (cap.amount is not None and cap.sure is None):
        return
    least, most = cap.sure or 0, cap.amount
    for seat in round_.seats:
        for key in seat.wagers:
            if seat.wagers[key] > least and (most is None or seat.wagers[key] <= most):
                yield Finding(
                    "limit.unverified",
                    seat.seat,
                    key,
                    str(seat.wagers[key]),  # a notice says no cents
                    cites=cites(*cap.cites),
                )


def _refusals(round_: Round, in_effect: TermsInEffect) -> Iterator[Finding]:
    """Yield `approval.*`: why the round was not authorized, one finding per code."""
    span = in_effect.span(round_)
    for refusal in span.refusals(round_.table):
        yield Finding(refusal.code, logged=refusal.says[:LONGEST_TEXT], cites=cites(*refusal.cites))
    if span.tables is not None and round_.table not in span.tables:
        says = f"The controls in effect do not name table {round_.table} for this game."
        yield Finding("approval.controls", logged=says, cites=cites(CONTROLS))


def _with_refusals(findings: list[Finding], refusals: Iterator[Finding]) -> list[Finding]:
    """Add the refusals, merging them with the game's own findings of the same code."""
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


_severity = cache(severity)


class Writing:
    """The lines of one round's findings."""

    def __init__(
        self, round_: Round, digest: bytes, source: tuple[str, int], in_effect: TermsInEffect
    ) -> None:
        self._round = round_
        self._in_effect = in_effect
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
        """Return a finding's line without its line ending."""
        return canonical(
            {
                **self._common,
                "id": self.identity(finding),
                "code": finding.code,
                "seat": finding.seat,
                "wager": finding.wager,
                "logged": _kept(finding.logged),
                "expected": _kept(finding.expected),
                "delta": clamp_cents(finding.delta),
                "cites": finding.cites,
                "player": self._players.get(finding.seat) if finding.seat is not None else None,
                "line": reached,
                "carried_since": self._carried_since(finding.code),
                "weight": _severity(finding.code),
            }
        )

    def _carried_since(self, code: str) -> str | None:
        """Return the day of the last verification of a legal limit that applies beyond it."""
        if code in {"limit.wac", "limit.compact"}:
            cap = self._in_effect.cap(self._round)
            return None if cap is None else cap.carried_since
        return (
            self._in_effect.players(self._round).carried_since if code == "limit.players" else None
        )

    def identity(self, finding: Finding) -> str:
        """Identify a finding across replays: by the round as logged, seat, wager and code."""
        of = f"{finding.seat}\0{finding.wager}\0{finding.code}".encode()
        return hashlib.sha256(self._digest + of).hexdigest()[:32]


def _kept(value: int | str | None) -> int | str | None:
    """Make a value storable: amounts in a hostile log may exceed 64 bits."""
    if isinstance(value, str):
        return value.translate(NOT_KEPT)
    return value if value is None else clamp_cents(value)


def reached_lines(
    round_: Round, findings: Sequence[Finding], verdict: Verdict | None
) -> tuple[str | None, ...]:
    """Return for each finding the line that the expected settlement reached, if any."""
    settled = None if verdict is None else verdict.settled
    if settled is None:
        return (None,) * len(findings)
    seats = (seat.seat for seat in round_.seats)
    outcomes = dict(zip(seats, settled.seats, strict=False))  # an irregular round has none
    return tuple(outcome_of(each, round_.game, settled.house, outcomes) for each in findings)
