"""Odds that are estimated by dealing at random, with their standard error."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

from games.cents import in_decimals

if TYPE_CHECKING:
    from games.odds.hands import Numbers


@dataclass(frozen=True, slots=True)
class EstimatedOdds:
    """The odds of what one player wagers, under a stated strategy."""

    wager: str
    per: str
    strategy: str
    terms: tuple[str, ...]
    """How hands are played, in sentences."""
    edge: float
    error: float
    variance: float
    hit: float

    def as_json(self) -> dict[str, Any]:
        """Return the figure as other programs read it."""
        return {
            "wager": self.wager,
            "strategy": self.strategy,
            "edge": in_decimals(self.edge),
            "exact": None,
            "error": in_decimals(self.error),
            "variance": round(self.variance, 8),
            "hit": round(self.hit, 8),
            "per": self.per,
            "terms": list(self.terms),
        }


def estimated(
    wager: str, per: str, strategy: str, terms: tuple[str, ...], hands: int, sums: Numbers
) -> EstimatedOdds:
    """Return the odds from the sums of results, of their squares, and of hands that won."""
    won, squares, hits = map(int, sums)
    mean = won / hands
    variance = squares / hands - mean * mean
    error = sqrt(variance / hands)
    return EstimatedOdds(wager, per, strategy, terms, -mean, error, variance, hits / hands)
