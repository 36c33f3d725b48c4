"""Who sits where: players under pseudonyms come, stay for a while at their stakes, and go."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random


@dataclass(slots=True)
class Sitting:
    """A player at a seat: what they stake, by the game's own measure, and for how many rounds."""

    seat: int
    player: str
    stakes: tuple[int, ...]
    left: int


@dataclass(slots=True)
class Sittings:
    """The seats of one table."""

    chance: Random
    seats: int
    fewest: int
    pool: int
    """Where the numbers of the players who come to this table begin."""
    stakes: Callable[[Random], tuple[int, ...]]
    two_hands: bool = False
    """Whether a player may hold two seats (PP-19)."""
    _taken: dict[int, Sitting] = field(default_factory=dict)
    _round: int = 0

    def next_round(self) -> list[Sitting]:
        """Who is dealt in, by seat."""
        for seat in [seat for seat, sitting in self._taken.items() if sitting.left <= 0]:
            del self._taken[seat]
        self._round += 1
        while len(self._taken) < self.fewest or (
            len(self._taken) < self.seats and self.chance.random() < 0.08
        ):
            self._sit_down()
        for sitting in self._taken.values():
            sitting.left -= 1
        return [self._taken[seat] for seat in sorted(self._taken)]

    def restake(self) -> None:
        """New limits hold: everyone stakes anew."""
        for sitting in self._taken.values():
            sitting.stakes = self.stakes(self.chance)

    def _sit_down(self) -> None:
        seat = self.chance.choice([n for n in range(1, self.seats + 1) if n not in self._taken])
        at_table = sorted({sitting.player for sitting in self._taken.values()})
        if self.two_hands and at_table and self.chance.random() < 0.06:
            player = self.chance.choice(at_table)
        else:
            player = self._new_player(at_table)
        stay = self.chance.randint(8, 120)
        self._taken[seat] = Sitting(seat, player, self.stakes(self.chance), stay)

    def _new_player(self, at_table: list[str]) -> str:
        while True:
            player = f"p-{self.pool + self.chance.randrange(400)}"
            if player not in at_table:
                return player
