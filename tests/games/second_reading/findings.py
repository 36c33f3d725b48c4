"""Findings of a round."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection

Round = dict[str, Any]
Seat = dict[str, Any]
Expected = dict[str, int]


@dataclass(frozen=True)
class Finding:
    code: str
    seat: int | None = None
    wager: str | None = None
    logged: int | None = None
    expected: int | None = None
    delta: int = 0
    cites: tuple[str, ...] = ()

    def place(self) -> tuple[int, str, str]:
        """Return the order: seat (null first; seats count from 1), wager (null first), code."""
        return self.seat or 0, self.wager or "", self.code

    def as_dict(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "seat": self.seat,
            "wager": self.wager,
            "logged": self.logged,
            "expected": self.expected,
            "delta": self.delta,
            "cites": sorted(self.cites),
        }


@dataclass
class Judgment:
    """A round's audit: what each seat should have won (None: no settlement), and what is wrong."""

    expected: dict[int, Expected | None] = field(default_factory=dict)
    house: int | None = None
    findings: list[Finding] = field(default_factory=list)
    irregular: bool = False

    def add(
        self, code: str, seat: int | None = None, wager: str | None = None, *cites: str
    ) -> None:
        self.findings.append(Finding(code, seat, wager, cites=cites))

    def cannot_settle(self, *cites: str) -> None:
        self.irregular = True
        self.add("irregular", None, None, *cites)

    def compare(
        self, code: str, seat: int | None, wager: str, logged: int, expected: int, *cites: str
    ) -> None:
        if logged != expected:
            self.findings.append(
                Finding(code, seat, wager, logged, expected, logged - expected, cites)
            )


def compare_results(round_: Round, judged: Judgment, cut: Collection[tuple[int, str]] = ()) -> None:
    """Compare each key of each settled seat with the log, except what a maximum may cut."""
    for seat in round_["seats"]:
        for wager, amount in (judged.expected[seat["seat"]] or {}).items():
            if (seat["seat"], wager) not in cut:
                judged.compare(
                    f"settlement.{wager}", seat["seat"], wager, seat["result"][wager], amount
                )


def compare_balance(judged: Judgment, wager: str, results: list[int], *cites: str) -> None:
    """Check that players (and the house) win from each other exactly what they lose."""
    judged.compare("settlement.balance", None, wager, sum(results), 0, *cites)
