"""One round of the family as logged, after the form of its line was checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from games.cards import show
from games.log.round import LONGEST_HAND, Round, Seat

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.cards import Cards


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """A wager that runs over several rounds."""

    since: str
    """The round in which it was placed."""
    choice: str
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BaccaratSeat(Seat):
    """A seat with wagers."""

    carried: Mapping[str, Carried] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hands:
    """The two common hands."""

    player: Cards = b""
    banker: Cards = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class BaccaratRound(Round):
    """One round dealt at one table; nobody need wager in it."""

    seats: tuple[BaccaratSeat, ...]
    hands: Hands = Hands()

    @property
    def common_hands(self) -> tuple[str, str]:
        """Return the cards of the two hands."""
        return show(self.hands.player)[:LONGEST_HAND], show(self.hands.banker)[:LONGEST_HAND]
