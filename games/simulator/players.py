"""Who sits where, at which stakes: players under pseudonyms come, stay for a while, and go."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from games.setup import Setup


@dataclass(slots=True)
class Sitting:
    """A player at a seat: their stakes, in the game's own measure, and for how many rounds."""

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
    """Where the numbers of this table's players begin."""
    stakes: Callable[[Random], tuple[int, ...]]
    two_hands: bool = False
    """Whether a player may have two seats (PP-19)."""
    _seated: dict[int, Sitting] = field(default_factory=dict)
    _round: int = 0

    def next_round(self) -> list[Sitting]:
        """Return who is dealt in, by seat."""
        for seat in [seat for seat, sitting in self._seated.items() if sitting.left <= 0]:
            del self._seated[seat]
        self._round += 1
        while len(self._seated) < self.fewest or (
            len(self._seated) < self.seats and self.chance.random() < 0.08
        ):
            self._sit_down()
        for sitting in self._seated.values():
            sitting.left -= 1
        return [self._seated[seat] for seat in sorted(self._seated)]

    def restake(self) -> None:
        """Choose everyone's stakes again, because new limits are in effect."""
        for sitting in self._seated.values():
            sitting.stakes = self.stakes(self.chance)

    def _sit_down(self) -> None:
        seat = self.chance.choice([n for n in range(1, self.seats + 1) if n not in self._seated])
        at_table = sorted({sitting.player for sitting in self._seated.values()})
        if self.two_hands and at_table and self.chance.random() < 0.06:
            player = self.chance.choice(at_table)
        else:
            player = self._new_player(at_table)
        stay = self.chance.randint(8, 120)
        self._seated[seat] = Sitting(seat, player, self.stakes(self.chance), stay)

    def _new_player(self, at_table: list[str]) -> str:
        while True:
            player = f"p-{self.pool + self.chance.randrange(400)}"
            if player not in at_table:
                return player


STEPS: Final = (1, 1, 1, 1, 2, 2, 3, 4, 5, 5, 8, 10, 20)
"""Multiples of the smallest stake, with common ones repeated."""

COMMON: Final = {
    "main": (500, 20_000), "three_card": (100, 10_000), "six_card": (100, 10_000),
    "ante": (500, 10_000), "bonus_3_5": (500, 10_000), "bonus_5": (500, 10_000),
    "play": (500, 20_000), "buy_in": (500, 10_000),
}  # fmt: skip
"""Limits if the set-up has none, in cents."""


@dataclass(frozen=True, slots=True)
class Ladder:
    """The amounts that a wager may have at a table."""

    amounts: tuple[int, ...]

    @property
    def least(self) -> int:
        """Return the smallest stake."""
        return self.amounts[0]


def bounds(setup: Setup, table: str, key: str) -> tuple[int, int]:
    """Return the minimum and maximum of a wager at a table, within the legal cap."""
    least, most = setup.limits.get(table, {}).get(key, COMMON[key])
    return max(least, 1), most if setup.cap is None else min(most, setup.cap)


def ladder(least: int, most: int) -> Ladder:
    """Return multiples of the minimum up to the maximum."""
    return Ladder(tuple(least * step for step in STEPS if step == 1 or least * step <= most))
