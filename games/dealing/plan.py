"""What is to be dealt: where, when, under which terms, and what is to go wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from games.setup import Setup

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

ALL: Final = "all"
"""Stands for every irregularity that the game knows, one after the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultPlan:
    """Irregularities to be planted: which, how often, and perhaps at one table for a span."""

    name: str = ALL
    rate: Fraction = Fraction(0)
    """Of how many rounds of the tables and span; of 1, every round in which it can happen."""
    table: str | None = None
    begin: datetime | None = None
    end: datetime | None = None
    """The span is half-open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One game's tables of an operator, for some hours or so many rounds."""

    game: str
    tables: tuple[str, ...]
    opening: datetime
    closing: datetime | None = None
    """No round ends later; None, play never ends, and the caller stops asking."""
    setup: Setup = field(default_factory=Setup)
    later: tuple[tuple[datetime, Setup], ...] = ()
    """Set-ups that hold from an instant on, in order of time."""
    seed: str = "0"
    pace: int = 45
    """Seconds between two rounds of a table, on average."""
    seats: int | None = None
    """Places at a table; None, as many as the game is commonly played with."""
    compact: bool = False
    """Whether the cap is a tribal compact's, not the WAC's."""
    ids: str = ""
    """What every round's id begins with, before the table's name."""
    faults: tuple[FaultPlan, ...] = ()

    def terms(self) -> tuple[tuple[datetime | None, Setup], ...]:
        """Every set-up with the instant from which it holds."""
        return ((None, self.setup), *self.later)


@dataclass(frozen=True, slots=True)
class Planted:
    """One finding that a planted irregularity must lead to."""

    round: str
    code: str
    seat: int | None
    wager: str | None
    delta: int
    """What was paid too much (or, below 0, too little) in cents; 0 where no money moved."""
    name: str
    what: str

    def as_row(self) -> Mapping[str, object]:
        """As it is written down beside the log."""
        return {
            "round": self.round,
            "code": self.code,
            "seat": self.seat,
            "wager": self.wager,
            "delta": self.delta,
            "fault": self.name,
            "what": self.what,
        }


@dataclass(frozen=True, slots=True)
class Dealt:
    """A round as a line of the log, without a line end, and what was planted in it."""

    line: bytes
    planted: tuple[Planted, ...] = ()
