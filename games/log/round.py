"""One round as logged: a line of a round log after its form was checked.

Everything here is as the card room wrote it; the settlement decides whether it is legal, complete
and correctly settled. What is absent is empty (`b""`, `()`), or None where empty would mean
something; the form of a played round was checked, so nothing that its game needs is absent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.cards import Cards


LONGEST_HAND: Final = 8
"""Characters of three cards; a hand of more has no settlement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """One hand in play. Fields that its game doesn't have stay absent."""

    seat: int
    player: str | None = None
    cards: Cards = b""
    """As dealt, jokers unnamed. Chinese Poker: only on a surrender, otherwise see `hands`."""
    play: str | None = None
    low: Cards = b""
    """Pyramid Poker: the hand as set; one card if it is set as the rules require."""
    three: Cards = b""
    """Pick 2: the three set in play."""
    hands: tuple[Cards, ...] = ()
    """Sets, jokers named: Chinese front, middle, back; Showdown 1 to 6; Casino Version 1 to 3."""
    natural: str | None = None
    wagers: Mapping[str, int]
    result: Mapping[str, int]
    tokes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """The dealer's cards and, in a player-banked round, the house's own wager against the bank."""

    cards: Cards = b""
    low: Cards = b""
    three: Cards | None = None
    """Pick 2: the three shown as best; showing them is optional."""
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
    """`from`: when its first wager was accepted; legal caps depend on it, or on `at` without it."""
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
    dealer_id: str | None = None
    supervisor_id: str | None = None
    """Who dealt and who supervised: the operator's pseudonyms."""
    shift: str | None = None
    shoe: str | None = None
    """One loading of cards; its rounds share the name."""
    video: str | None = None
    irregularities: tuple[str, ...] = ()
    """What happened, whether or not the round is void."""
    meters: Mapping[str, int] | None = None
    """Progressive and jackpot amounts before the round, in cents."""

    @property
    def played(self) -> bool:
        """Return whether the round counts; any text of `void`, even an empty one, voids it."""
        return self.void is None

    @property
    def common_hands(self) -> tuple[str, str] | None:
        """Return the cards of two hands that are all seats', as text, if the game has such."""
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledRound(Round):
    """A round of a filed game: what every game's line has, and the line as its definition reads it.

    The definition that applies may depend on the table and the instant, so it is read only then.
    """

    line: Mapping[str, Any]
    """The whole line, without the operator's own fields; times are in UTC."""

    @property
    def common_hands(self) -> tuple[str, str] | None:
        """Return the cards of the player hand and the banker hand, if the line has them."""
        hands = self.line.get("hands")
        if not isinstance(hands, dict):
            return None
        player, banker = (str(hands.get(key, ""))[:LONGEST_HAND] for key in ("player", "banker"))
        return player, banker
