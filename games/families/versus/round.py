"""One round of the family as logged, after the form of its line was checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from games.log.round import Round, Seat

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.cards import Cards

ACTS = ("post", "ante", "check", "call", "bet", "raise", "fold", "show", "muck")
WITHOUT_MONEY = frozenset(("check", "fold", "show", "muck"))


@dataclass(frozen=True, slots=True)
class Action:
    """What a player did."""

    seat: int
    street: str
    act: str
    to: int
    """The player's total on the street after it; 0 may stand for what doesn't change it."""


@dataclass(frozen=True, slots=True)
class LoggedPot:
    """A pot as logged."""

    amount: int
    """What was in it, before fees."""
    seats: tuple[int, ...]
    won: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Fees:
    """What the house took from the pots."""

    rake: int = 0
    jackpot: int = 0

    @property
    def total(self) -> int:
        """Return everything that was taken."""
        return self.rake + self.jackpot


@dataclass(frozen=True, slots=True, kw_only=True)
class VersusSeat(Seat):
    """A player's seat; `cards` are empty if they were never shown."""

    stack: int = 0
    """What the player could wager, before the round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VersusRound(Round):
    """One round dealt at one table."""

    seats: tuple[VersusSeat, ...]
    button: int = 0
    community: Cards = b""
    actions: tuple[Action, ...] = ()
    pots: tuple[LoggedPot, ...] = ()
    fees: Fees = field(default_factory=Fees)
