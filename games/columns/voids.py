"""Void rounds in which certainly nothing is to be found, whatever came before them.

They fit no columns, and a night has thousands: the judge is asked of the others alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.cards import JOKER
from games.catalogue import game
from games.judge.deal import hands_dealt
from games.judge.wagers import may_be_zero

if TYPE_CHECKING:
    from games.round_log.round import Round, Seat
    from games.setup import Setup

NO_MOST: Final = 2**62
_ANY: Final = (0, NO_MOST)


class Voids:
    """The void rounds of one game under one set-up."""

    def __init__(self, slug: str, setup: Setup) -> None:
        rules = setup.rules(slug)
        self._setup = setup
        self._rules = rules
        self._decks = rules.decks.number
        self._game = game(slug)
        self._cap = setup.cap if rules.house_banked and setup.cap is not None else NO_MOST

    def certain(self, void: Round) -> bool:
        """Whether nothing is wrong with the reason, the deal, the players, wagers and results."""
        return (
            void.void in self._setup.void_reasons
            and not void.house.result
            and all(self._seat_is_certain(void, seat) for seat in void.seats)
            and self._shoe_holds(void)
            and not any(True for _ in self._game.limits(void, self._setup))
        )

    def _seat_is_certain(self, void: Round, seat: Seat) -> bool:
        limits = self._setup.limits.get(void.table, {})
        for key in self._rules.wagers:
            amount = seat.wagers[key]
            least, most = limits.get(key, _ANY)
            if amount > min(most, self._cap):
                return False
            if amount < least if amount else not may_be_zero(void, seat, key, self._rules):
                return False
        return not any(seat.result.values()) and not any(
            True for _ in self._game.relations(void, seat, self._setup)
        )

    def _shoe_holds(self, void: Round) -> bool:
        """Whether no card was dealt more often than the shoe has it; of jokers the judge knows."""
        cards = b"".join(hands_dealt(void))
        holds = void.decks or self._decks
        if not cards or max(cards) >= JOKER:
            return not cards
        return all(cards.count(card) <= holds for card in set(cards))
