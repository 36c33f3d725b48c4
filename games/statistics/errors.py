"""Errors by direction and by beneficiary.

Which direction errors take is a hint: mistakes of all kinds favor the player as often as the house,
but a pay table that is learned wrong errs in one direction every time. So errors of one wager and
line count only a few times per segment.

An error also meets one seat of a round as often as another that is alike in all that the rules ask
for. So a dealer who errs for one player is seen by errors of any one kind, all of which count.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import lgamma, log
from typing import Final

from games.statistics.cards import Again, Figures

FAVORED: Final = "errors in this player's favor, compared with similar seats in the round"
MOST_ALIKE: Final = 3
"""How many errors of one wager and line count in one segment, first come, first counted."""


@dataclass(slots=True)
class Errors:
    """Rounds settled wrong, by whom they favored."""

    over: int = 0
    """In the player's favor."""
    under: int = 0
    favors: Again = field(default_factory=Again)
    """Seats that errors favored: those of this player, drawn from the seats alike."""

    def add(self, other: Errors) -> None:
        """Add other errors."""
        self.over += other.over
        self.under += other.under
        self.favors.add(other.favors)

    def figures(self) -> list[Figures]:
        """Return the streams: a fair coin against one of any other weight, and who was favored."""
        total = self.over + self.under
        found = self.favors.figures(FAVORED) if self.favors.draws else []
        return [
            *found,
            Figures(
                "errors in the player's favor",
                float(self.over),
                total / 2,
                total**0.5 / 2,
                sign_evidence(self.over, self.under),
            ),
        ]


def sign_evidence(over: int, under: int) -> float:
    """Return log10 of the e-value that a coin is not fair, mixed evenly over all its weights."""
    total = over + under
    mixed = lgamma(over + 1) + lgamma(under + 1) - lgamma(total + 2)
    return (total * log(2) + mixed) / log(10)
