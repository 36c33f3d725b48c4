"""The odds of one wager: what can become of it, how likely, and what the house keeps of it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a wager may come to: `to` is won for each unit staked, 0 pushes, -1 loses."""

    name: str
    to: int
    probability: Fraction


@dataclass(frozen=True, slots=True)
class WagerOdds:
    """All outcomes of one wager, and what they were counted under.

    `terms` are sentences: which pay table, which readings, how the hand is played.
    """

    wager: str
    terms: tuple[str, ...]
    outcomes: tuple[Outcome, ...]

    def __post_init__(self) -> None:
        total = sum((outcome.probability for outcome in self.outcomes), Fraction())
        if total != 1:
            message = f"The outcomes of {self.wager} are {total} of all deals, not all of them."
            raise ValueError(message)

    @property
    def house_edge(self) -> Fraction:
        """The part of the wager that the house keeps in the long run; below 0 the player gains."""
        return -sum((outcome.to * outcome.probability for outcome in self.outcomes), Fraction())
