"""One round of the family as logged, after the form of its line was checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.log.round import House, Round, Seat

if TYPE_CHECKING:
    from games.cards import Cards


@dataclass(frozen=True, slots=True, kw_only=True)
class SetSeat(Seat):
    """A seat with a hand."""

    parts: tuple[Cards, ...] = ()
    """As set, lowest part first; jokers are unnamed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetHouse(House):
    """The dealer's hand and, in a player-banked round, the house's own wager."""

    parts: tuple[Cards, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SetRound(Round):
    """One round dealt at one table."""

    seats: tuple[SetSeat, ...]
    house: SetHouse = SetHouse()
