"""What to simulate: where, when, under which terms, and with which faults."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from games.setup import Setup

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


ALL: Final = "all"
"""Represents every fault that the game has, one after another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultPlan:
    """Faults to plant: which, how often, and optionally at one table for a span of time."""

    name: str = ALL
    rate: Fraction = Fraction(0)
    """The fraction of rounds of the tables and span; with 1, every round in which it can happen."""
    table: str | None = None
    begin: datetime | None = None
    end: datetime | None = None
    """The span is half-open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One game's tables of an operator, for some hours or some number of rounds."""

    game: str
    tables: tuple[str, ...]
    opening: datetime
    closing: datetime | None = None
    """No round ends later; None, play never ends, and the caller stops asking."""
    setup: Setup = field(default_factory=Setup)
    later: tuple[tuple[datetime, Setup], ...] = ()
    """Set-ups that take effect at an instant, in order of time."""
    seed: str = "0"
    pace: int = 45
    """Average seconds between two rounds of a table."""
    seats: int | None = None
    """Places at a table; None, as many as the game is commonly played with."""
    compact: bool = False
    """Whether the cap is a tribal compact's, not the WAC's."""
    ids: str = ""
    """What every round's id begins with, before the table's name."""
    faults: tuple[FaultPlan, ...] = ()
    lacking: Mapping[str, str] = field(default_factory=dict)
    """Cards that the shoe of a Pyramid Poker table lacks, by table; no round breaks a rule by it.
    """

    def terms(self) -> tuple[tuple[datetime | None, Setup], ...]:
        """Return every set-up with the instant at which it takes effect."""
        return ((None, self.setup), *self.later)


@dataclass(frozen=True, slots=True)
class Planted:
    """One finding that a planted fault must cause."""

    round: str
    code: str
    seat: int | None
    wager: str | None
    delta: int
    """Cents overpaid (or, if negative, underpaid); 0 if no amount was wrong."""
    name: str
    what: str

    def as_row(self) -> Mapping[str, object]:
        """Return the row recorded next to the log."""
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
    """A round as a line of the log, without a line ending, and what was planted in it."""

    line: bytes
    planted: tuple[Planted, ...] = ()
