"""How many hands of a shoe come to each outcome, for shoes of any number of decks at once."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from games.odds.hand_classes import HandClasses, ways_to_hold

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Census:
    """Hands by outcome and by how often their cards occur: (outcome, repeats) -> hands alike."""

    size: int
    hands: dict[tuple[int, int], int]

    def counts(self, decks: int) -> dict[int, int]:
        """How many hands of physical cards, out of so many decks, come to each outcome."""
        totals: dict[int, int] = {}
        for (outcome, repeats), alike in self.hands.items():
            ways = alike * ways_to_hold(repeats, self.size, decks)
            totals[outcome] = totals.get(outcome, 0) + ways
        return totals

    def probabilities(self, decks: int) -> dict[int, Fraction]:
        """How likely each outcome is out of so many decks; what cannot happen is left out."""
        counts = self.counts(decks)
        total = sum(counts.values())
        return {outcome: Fraction(count, total) for outcome, count in counts.items() if count}


def census(hands: HandClasses, outcomes: NDArray[np.int64]) -> Census:
    """Count the hands, given the outcome (a small number of the caller's) of each class."""
    kinds, row_of = np.unique(
        np.column_stack([outcomes, hands.repeats]), axis=0, return_inverse=True
    )
    alike = np.zeros(len(kinds), np.int64)
    np.add.at(alike, row_of.reshape(-1), hands.alike)
    return Census(
        hands.size,
        {
            (int(outcome), int(repeats)): int(number)
            for (outcome, repeats), number in zip(kinds, alike, strict=True)
        },
    )
