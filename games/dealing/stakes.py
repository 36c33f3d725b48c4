"""What players stake: chips on a ladder between the table's limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from games.setup import Setup

STEPS: Final = (1, 1, 1, 1, 2, 2, 3, 4, 5, 5, 8, 10, 20)
"""Multiples of the smallest stake, the common ones more than once."""

COMMON: Final = {
    "main": (500, 20_000), "three_card": (100, 10_000), "six_card": (100, 10_000),
    "ante": (500, 10_000), "bonus_3_5": (500, 10_000), "bonus_5": (500, 10_000),
    "play": (500, 20_000), "buy_in": (500, 10_000),
}  # fmt: skip
"""Limits where the set-up names none, in cents."""


@dataclass(frozen=True, slots=True)
class Ladder:
    """The amounts that a wager may have at a table."""

    amounts: tuple[int, ...]

    @property
    def least(self) -> int:
        """The smallest stake."""
        return self.amounts[0]


def bounds(setup: Setup, table: str, key: str) -> tuple[int, int]:
    """The least and the most of a wager at a table, within the legal cap."""
    least, most = setup.limits.get(table, {}).get(key, COMMON[key])
    return max(least, 1), most if setup.cap is None else min(most, setup.cap)


def ladder(least: int, most: int) -> Ladder:
    """Multiples of the least up to the most."""
    return Ladder(tuple(least * step for step in STEPS if step == 1 or least * step <= most))
