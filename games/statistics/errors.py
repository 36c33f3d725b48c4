"""Errors by direction: honest mistakes favor the player as often as the house.

That is an assumption, not a rule: a pay table that is learned wrong errs in one direction every
time. So errors of one wager and line count only a few times per segment.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lgamma, log
from typing import Final

from games.statistics.cards import Figures

MOST_ALIKE: Final = 3
"""How many errors of one wager and line count in one segment, first come, first counted."""


@dataclass(slots=True)
class Errors:
    """Rounds settled wrong, by whom they favored."""

    over: int = 0
    """In the player's favor."""
    under: int = 0

    def add(self, other: Errors) -> None:
        """Add other errors."""
        self.over += other.over
        self.under += other.under

    def figures(self) -> list[Figures]:
        """Return the stream: a fair coin against one of any other weight."""
        total = self.over + self.under
        return [
            Figures(
                "errors in the player's favor",
                float(self.over),
                total / 2,
                total**0.5 / 2,
                sign_evidence(self.over, self.under),
            )
        ]


def sign_evidence(over: int, under: int) -> float:
    """Return log10 of the e-value that a coin is not fair, mixed evenly over all its weights."""
    total = over + under
    mixed = lgamma(over + 1) + lgamma(under + 1) - lgamma(total + 2)
    return (total * log(2) + mixed) / log(10)
