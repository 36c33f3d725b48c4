"""One round as logged: a line of a round log after its form was checked.

Everything here is as the card room wrote it; whether it is legal, complete or rightly settled is
the judge's to say. What is absent is empty (`b""`, `()`), or None where empty would mean something;
of a played round the form was checked, so nothing that its game needs is absent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.cards import Cards


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """One hand in play. What its game does not know stays absent."""

    seat: int
    player: str | None = None
    cards: Cards = b""
    """As dealt, jokers unnamed. Chinese Poker: only on a surrender, else see `hands`."""
    play: str | None = None
    low: Cards = b""
    """Pyramid Poker: the hand as set; one card when it is set as the rules say."""
    three: Cards = b""
    """Pick 2: the three set in play."""
    hands: tuple[Cards, ...] = ()
    """Sets, jokers named: Chinese front, middle, back; Showdown 1 to 6; Casino Version 1 to 3."""
    natural: str | None = None
    wagers: Mapping[str, int]
    result: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """The dealer's cards and, in a player-banked round, the house's own wager against the bank."""

    cards: Cards = b""
    low: Cards = b""
    three: Cards | None = None
    """Pick 2: the three shown as best; none need be shown."""
    hands: tuple[Cards, ...] = ()
    wager: int = 0
    result: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round dealt at one table."""

    round: str
    game: str
    table: str
    at: int
    """When it ended: microseconds since 1970-01-01 UTC."""
    since: int | None = None
    """`from`: when its first wager was taken; legal caps are judged on it, else on `at`."""
    deck: str | None = None
    decks: int | None = None
    """As logged; None is the game's own number."""
    shuffler: bool = False
    void: str | None = None
    house: House = House()
    seats: tuple[Seat, ...]
    banker: int | None = None
    bank: int = 0
    unit: int = 0
    scoring: str | None = None
    chip: int = 0
    dealer: int | None = None

    @property
    def played(self) -> bool:
        """Whether the round counts; any text of `void`, the empty one too, voids it."""
        return self.void is None
