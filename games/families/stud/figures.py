"""The figures of odds, and how they are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from games.cents import in_decimals
from games.families.stud.plan import base_payouts

if TYPE_CHECKING:
    from fractions import Fraction

    from games.definition import Definition


@dataclass(frozen=True)
class WagerOdds:
    """The odds of the game (by its base wager), or of one more wager."""

    wager: str
    strategy: str
    edge: float
    exact: Fraction | None
    error: float
    variance: float
    hit: float
    per: str

    def as_json(self) -> dict[str, Any]:
        """Return the figure as other programs read it."""
        exact = None if self.exact is None else str(self.exact)
        edge = self.edge if self.exact is None else self.exact
        return {
            "wager": self.wager,
            "strategy": self.strategy,
            "edge": in_decimals(edge),
            "exact": exact,
            "error": in_decimals(self.error) if self.error else 0,
            "variance": round(self.variance, 8),
            "hit": round(self.hit, 8),
            "per": self.per,
        }


def name_of(definition: Definition, group: tuple[str, ...]) -> str:
    """Return the wager that a figure is about: the base wager stands for the game."""
    return definition.base if definition.base in group else group[0]


def per_of(definition: Definition, group: tuple[str, ...]) -> str:
    """Return what an edge is a part of: the base wager of a game, or the wager itself."""
    return "ante" if len(base_payouts(definition)) > 1 and definition.base in group else "wager"
