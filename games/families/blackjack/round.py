"""One round of the family as logged, after the form of its line was checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from games.log.round import Round, Seat

if TYPE_CHECKING:
    from games.cards import Cards

HIT, STAND, DOUBLE, REDOUBLE = "hit", "stand", "double", "redouble"
SPLIT, SURRENDER, RESCUE = "split", "surrender", "rescue"
ACTIONS: Final = (HIT, STAND, DOUBLE, REDOUBLE, SPLIT, SURRENDER, RESCUE)
DRAWS: Final = frozenset({HIT, DOUBLE, REDOUBLE})
"""Actions that a hand receives a card on."""


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """One hand of a seat: the first, or one that a split made."""

    cards: Cards
    wager: int
    """As it was in the end."""
    split_from: int | None
    actions: tuple[str, ...]

    @property
    def doubles(self) -> int:
        """Return how often the hand was doubled."""
        return sum(action in {DOUBLE, REDOUBLE} for action in self.actions)


@dataclass(frozen=True, slots=True, kw_only=True)
class BlackjackSeat(Seat):
    """A seat with its hands, in order of creation."""

    played: tuple[PlayedHand, ...] = field(default=())

    @property
    def opening(self) -> Cards:
        """Return the first two cards: what was split off is the first card of another hand."""
        return self.before_split(0, 0)

    def splits_of(self, place: int) -> tuple[int, ...]:
        """Return the places of the hands that were split from a hand."""
        return tuple(n for n, hand in enumerate(self.played) if hand.split_from == place)

    def before_split(self, place: int, number: int) -> Cards:
        """Return the two cards of a hand before its split of this number, counted from 0."""
        cards, splits = self.played[place].cards, self.splits_of(place)
        if number < len(splits):
            return cards[:1] + self.played[splits[number]].cards[:1]
        return cards[:2]


@dataclass(frozen=True, slots=True, kw_only=True)
class BlackjackRound(Round):
    """One round dealt at one table."""

    seats: tuple[BlackjackSeat, ...]
