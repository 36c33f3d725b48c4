"""The two hands of a round: how they were drawn, and what the wagers on them come to."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from games.cards import rank, suit
from games.families.baccarat.program import passes
from games.families.baccarat.settle import (
    NO_PAIR,
    PAIR,
    STOOD,
    SUITED_PAIR,
    banker_draws,
    player_draws,
    value_of_rank,
    winner_of,
)
from games.families.stud.hand import DealtHand
from games.families.stud.program import FIT
from games.families.stud.settle import NO_FIT

if TYPE_CHECKING:
    from games.cards import Cards
    from games.families.baccarat.program import BaccaratProgram, Facts

FEWEST, MOST = 2, 3
"""Cards of a hand."""


def value_of(card: int) -> int:
    """Return what a card counts."""
    return value_of_rank(rank(card))


def total_of(cards: Cards) -> int:
    """Return a hand's total."""
    return sum(map(value_of, cards)) % 10


class CommonHands(DealtHand):
    """The player hand and the banker hand, on which all wagers are."""

    program: BaccaratProgram

    def __init__(self, program: BaccaratProgram, player: Cards, banker: Cards) -> None:
        self.program = program
        self.choices = {}
        self.table = player + banker
        self.strengths = []
        self.player: Final = player
        self.banker: Final = banker
        self.facts = [0, *(int(passes(test, self.dealt)) for test in program.tests)]

    @cached_property
    def dealt(self) -> Facts:
        """Return the facts that tests ask about: see `settle.WINNER` and the following."""
        player, banker = total_of(self.player), total_of(self.banker)
        return (
            winner_of(player, banker),
            player,
            banker,
            len(self.player),
            len(self.banker),
            abs(player - banker),
            _pair(self.player),
            _pair(self.banker),
        )

    @property
    def draws(self) -> tuple[bool, bool]:
        """Return whether the rules have each hand take a third card, given the cards dealt."""
        player, banker = total_of(self.player[:FEWEST]), total_of(self.banker[:FEWEST])
        third = value_of(self.player[FEWEST]) if len(self.player) > FEWEST else STOOD
        draw = self.program.draw
        return (
            bool(player_draws(draw, player, banker)),
            bool(banker_draws(draw, player, banker, third)),
        )

    @property
    def drew(self) -> tuple[bool, bool]:
        """Return whether each hand took a third card."""
        return len(self.player) > FEWEST, len(self.banker) > FEWEST

    def passes(self, test: str) -> bool:
        """Return whether the round passes a test of the definition."""
        return bool(self.facts[1 + list(self.program.own.tests).index(test)])

    def _line(self, row: int, first: int, end: int) -> int:
        """Return the first line of a pay table whose test passes, or NO_FIT."""
        del row
        lines = self.program.lines
        return next((at for at in range(first, end) if self.facts[lines[at][FIT]]), NO_FIT)


def _pair(cards: Cards) -> int:
    first, second = cards[:FEWEST]
    if rank(first) != rank(second):
        return NO_PAIR
    return SUITED_PAIR if suit(first) == suit(second) else PAIR
