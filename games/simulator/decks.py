"""The decks of a table of Pick 2 Poker: two in turn from a machine, or one at a time (P2-1)."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Final

from games.days import microseconds, washington_day

if TYPE_CHECKING:
    from datetime import datetime
    from random import Random

    from games.planting import Line


IN_TURN: Final = ("red", "blue")
WORN: Final = 1 / 150
"""How often a deck that is dealt by hand is replaced by a new one."""


class Decks:
    """What a table's rounds say about their decks."""

    def __init__(self, chance: Random, *, shuffler: bool, in_turn: bool, by_hand: bool) -> None:
        self._chance = chance
        self._shuffler = shuffler
        self._in_turn = in_turn
        self._by_hand = by_hand
        self._used: list[str] = []
        self._today: list[str] = []
        """Decks dealt by hand on that day, the last one used last."""
        self._day = 0
        self._new = (f"deck {number}" for number in count(1))

    @property
    def before(self) -> str | None:
        """Return the deck of the round before, once two take turns."""
        return self._used[-1] if self._in_turn and len(set(self._used)) > 1 else None

    def replaced(self, at: datetime) -> tuple[str, ...]:
        """Return the decks that were used earlier that day and replaced since."""
        self._begin(at)
        return tuple(self._today[:-1])

    def fields(self) -> Line:
        """Return what the next round says about its deck."""
        if self._by_hand:
            worn = not self._used or self._chance.random() < WORN
            return {"deck": next(self._new) if worn else self._used[-1]}
        if not self._shuffler:
            return {}
        if not self._in_turn:
            return {"shuffler": True}
        red, blue = IN_TURN
        return {"shuffler": True, "deck": blue if self._used[-1:] == [red] else red}

    def use(self, deck: str, at: datetime) -> None:
        """Record the deck with which a round was dealt."""
        self._used = [*self._used[-1:], deck]
        if self._by_hand:
            self._begin(at)
            self._today = [*(name for name in self._today if name != deck), deck]

    def _begin(self, at: datetime) -> None:
        day = washington_day(microseconds(at))
        if day != self._day:
            self._day, self._today = day, []
