"""Whose hand is strong: any hand of a round is as likely to be dealt to one place as to another.

That holds given all rounds before and given which hands they are, so it is exact for every shoe,
dealt through or not, and whatever players decide. A player who swaps cards, or is dealt chosen
ones, has strong hands too often, and the seat that gave them away has weak ones.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from games.statistics.cards import Figures
from games.statistics.decisions import rate_hands
from games.statistics.evidence import TILTS, evidence_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from games.statistics.evidence import Floats

    Numbers = NDArray[np.int64]

STATISTIC: Final = "strength beside the other hands of the round"


class Place(NamedTuple):
    """How many hands a round has, and how many of them are weaker than this one."""

    hands: int
    weaker: int


@dataclass(slots=True)
class HandRanks:
    """The hands of a seat or player by their place in the round, one for each round."""

    rounds: Counter[Place] = field(default_factory=Counter)

    def figures(self) -> list[Figures]:
        """Return the stream: hands that are too strong or too weak are evidence."""
        seen = variance = 0.0
        normal = np.zeros(len(TILTS))
        for (hands, weaker), often in self.rounds.items():
            values, log_mgf = _chances(hands)
            seen += often * float(values[weaker])
            variance += often * float((values**2).mean())
            normal += often * log_mgf
        strength = float(evidence_of(seen * TILTS - normal))
        return [Figures(STATISTIC, seen, 0.0, variance**0.5, strength)]


@cache
def _chances(hands: int) -> tuple[Floats, Floats]:
    """Return the values of the places in a round, and the log mean of e^(tilt x)."""
    values = np.linspace(-1, 1, hands)
    return values, np.log(np.exp(np.outer(TILTS, values)).mean(axis=1))


def rank_in_rounds(
    cards: NDArray[np.uint8], of_round: Numbers, chance: np.random.Generator
) -> tuple[Numbers, Numbers]:
    """Return for each hand how many its round has, and how many of them are weaker.

    Hands of a round are in a row. Of equal hands, chance says which is the weaker one.
    """
    order = np.lexsort((chance.random(len(cards)), rate_hands(cards), of_round))
    _, first, hands = np.unique(of_round[order], return_index=True, return_counts=True)
    weaker = np.empty(len(cards), np.int64)
    weaker[order] = np.arange(len(cards)) - np.repeat(first, hands)
    number = np.empty(len(cards), np.int64)
    number[order] = np.repeat(hands, hands)
    return number, weaker
