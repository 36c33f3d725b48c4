"""A finding: one rule broken in one round, at a seat and wager, with its severity and authority."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Severity(StrEnum):
    """How serious a finding is."""

    MONEY = "money"
    PROCEDURE = "procedure"
    NOTICE = "notice"


class MoneyOwner(StrEnum):
    """Who was overpaid or underpaid, in words for a sentence."""

    PLAYERS = "players"
    HOUSE = "the house"
    TABLE = "all at the table together"


BALANCE: Final = "settlement.balance"
HOUSE_WAGER: Final = "house"

CONTROLS: Final = "WAC 230-15-425"
"""Games are run by the operator's internal controls: its limits, and its reasons for a void."""
RECORDS: Final = "WAC 230-15-190"
"""The form in which records of play are kept."""


def money_owner(code: str, wager: str | None) -> MoneyOwner:
    """Return whose money a finding or issue with this code and wager affects."""
    if code == BALANCE:
        return MoneyOwner.TABLE
    return MoneyOwner.HOUSE if wager == HOUSE_WAGER else MoneyOwner.PLAYERS


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with a round, at one seat and wager, and its authority.

    `delta` is logged minus expected in cents if the amount was wrong, else 0; positive means that
    the player was overpaid.
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
        """Return the sort key: seat (null first), wager, code."""
        return (self.seat or 0, self.wager or "", self.code)


def ordered(findings: list[Finding]) -> tuple[Finding, ...]:
    """Return the findings of a round in the order in which they are reported."""
    return tuple(sorted(findings, key=lambda finding: finding.order))


def cites(*ids: str) -> tuple[str, ...]:
    """Return ids of clauses, interpretations or citations, ascending, each once."""
    return tuple(sorted(set(ids)))


def wrong_amount(
    code: str, seat: int | None, wager: str | None, logged: int, expected: int, ids: tuple[str, ...]
) -> Finding:
    """Build a finding for a wrong amount: the amounts in cents and their difference."""
    return Finding(code, seat, wager, logged, expected, logged - expected, cites(*ids))
