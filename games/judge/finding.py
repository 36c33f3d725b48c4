"""Findings: their codes, their weights, their order."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Weight(StrEnum):
    """How much a finding weighs."""

    MONEY = "money"
    PROCEDURE = "procedure"
    NOTICE = "notice"


SETTLEMENTS: Final = (
    "main", "three_card", "six_card",
    "ante", "bonus_3_5", "bonus_5", "play",
    "points", "buy_in",
    "showdown", "surrender", "pot",
    "total",
)  # fmt: skip
"""Every wager or result key of the five games, each with a `settlement.<key>` of its own."""

CODES: Final = frozenset(
    {
        *(f"settlement.{key}" for key in (*SETTLEMENTS, "aggregate", "balance")),
        *(f"setting.{what}" for what in ("dealer", "banker", "cards", "natural")),
        *(f"deal.{what}" for what in ("count", "duplicate", "shoe", "alternation")),
        *(f"wager.{what}" for what in ("missing", "relation")),
        "limit.table_min", "limit.table_max", "limit.wac", "limit.compact", "limit.unverified",
        "limit.unit", "limit.players",
        *(f"bank.{what}" for what in ("cover", "turn", "house_wager", "wager")),
        *(f"void.{what}" for what in ("reason", "result")),
        *(f"approval.{what}" for what in ("game", "controls", "licence", "hours")),
        "log.sequence",
        *(f"night.{what}" for what in ("no_log", "late_log", "gap", "table_silent")),
        *(f"document.{what}" for what in ("pay_table", "limit", "citation")),
        "irregular",
    }
)  # fmt: skip

_WEIGHTS: Final = {
    "settlement": Weight.MONEY,
    "limit": Weight.MONEY,
    "bank": Weight.MONEY,
    "deal": Weight.PROCEDURE,
    "setting": Weight.PROCEDURE,
    "wager": Weight.PROCEDURE,
    "void": Weight.PROCEDURE,
    "approval": Weight.PROCEDURE,
}


def weight(code: str) -> Weight:
    """The weight of a code."""
    if code == "limit.unverified":
        return Weight.NOTICE
    return _WEIGHTS.get(code.partition(".")[0], Weight.NOTICE)


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with a round, at one seat and wager, and what it rests on.

    `delta` is logged minus expected in cents where money moved wrongly, else 0; positive, the
    player received too much.
    """

    code: str
    seat: int | None = None
    wager: str | None = None
    logged: int | str | None = None
    expected: int | str | None = None
    delta: int = 0
    cites: tuple[str, ...] = ()

    @property
    def order(self) -> tuple[int, str, str]:
        """Findings stand by seat (null first), wager, code."""
        return (self.seat or 0, self.wager or "", self.code)


def ordered(findings: list[Finding]) -> tuple[Finding, ...]:
    """The findings of a round as they are reported."""
    return tuple(sorted(findings, key=lambda finding: finding.order))


def cites(*ids: str) -> tuple[str, ...]:
    """Ids of clauses, interpretations or citations, ascending, each once."""
    return tuple(sorted(set(ids)))


def misread(code: str, seat: int | None, wager: str | None, logged: int, expected: int,
            ids: tuple[str, ...]) -> Finding:  # fmt: skip
    """Money that went wrong: the amounts in cents and their difference."""
    return Finding(code, seat, wager, logged, expected, logged - expected, cites(*ids))
