"""Results of wagers against their chances.

Seats of one round part its shoe, so their likelihood ratios may not be multiplied: a table's round
counts by their mean, which is fair whatever the dependence. A player counts with one seat a round.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import exp, log
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from games.statistics.cards import Figures
from games.statistics.chances import LEVELS, OUTCOMES
from games.statistics.evidence import TILTS, evidence_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.statistics.chances import Chance
    from games.statistics.evidence import Floats

PLAIN: Final = "results"
AMOUNT: Final = "results weighted by amount"
RAISED: Final = "results weighted by how far the wager is above the player's average"


class Seats(NamedTuple):
    """How the seats of one round came out."""

    lost: int
    pushed: int
    won: int


@dataclass(slots=True)
class TableResults:
    """A wager at a table: rounds by how their seats came out."""

    rounds: Counter[Seats] = field(default_factory=Counter)

    def add(self, other: TableResults) -> None:
        """Add other rounds."""
        self.rounds.update(other.rounds)

    def logs(self, chance: Chance) -> Floats:
        """Return the log likelihood ratios by tilt."""
        ratios = np.exp(np.multiply.outer(OUTCOMES, TILTS) - chance.log_mgf[-1])
        seats = np.array(list(self.rounds), np.float64).reshape(-1, len(OUTCOMES))
        often = np.array(list(self.rounds.values()), np.float64)
        means = (seats @ ratios) / seats.sum(axis=1, keepdims=True)
        result: Floats = often @ np.log(means)
        return result

    def figures(self, chance: Chance) -> Figures:
        """Return the stream; the deviation leaves out that seats of a round share a shoe."""
        seats = sum(rounds * sum(each) for each, rounds in self.rounds.items())
        return Figures(
            "hits" if chance.by_table else "wagers won less wagers lost",
            float(sum(rounds * (each.won - each.lost) for each, rounds in self.rounds.items())),
            seats * chance.mean,
            (seats * chance.variance) ** 0.5,
            float(evidence_of(self.logs(chance))),
        )


class Weighted(NamedTuple):
    """A player's wager: its weight in eighths, and its outcome (-1, 0, 1)."""

    weight: int
    outcome: int


@dataclass(slots=True)
class PlayerResults:
    """A player's wagers by weight and outcome; the weight is known before the cards are."""

    wagers: Counter[Weighted] = field(default_factory=Counter)

    def add(self, other: PlayerResults) -> None:
        """Add other wagers."""
        self.wagers.update(other.wagers)

    def logs(self, chance: Chance) -> Floats:
        """Return the log likelihood ratios by tilt."""
        logs = np.zeros(len(TILTS))
        for (weight, outcome), often in self.wagers.items():
            logs += often * (TILTS * weight * outcome / LEVELS - chance.log_mgf[weight + LEVELS])
        return logs

    def outcomes(self, *, by_table: bool) -> tuple[int, ...]:
        """Return how many wagers lost, pushed and won; if a table pays, how many missed and hit."""
        lost, pushed, won = (
            sum(often for each, often in self.wagers.items() if each.outcome == outcome)
            for outcome in (-1, 0, 1)
        )
        return (lost + pushed, won) if by_table else (lost, pushed, won)

    def figures(self, statistic: str, chance: Chance) -> Figures:
        """Return the stream."""
        rows = [
            (weight / LEVELS, outcome, often) for (weight, outcome), often in self.wagers.items()
        ]
        return Figures(
            statistic,
            sum(often * weight * outcome for weight, outcome, often in rows),
            sum(often * weight for weight, _, often in rows) * chance.mean,
            (sum(often * weight**2 for weight, _, often in rows) * chance.variance) ** 0.5,
            float(evidence_of(self.logs(chance))),
        )


def weights_of(amounts: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return two weights in eighths for each of a player's wagers, in order of play.

    They are the amount, and how far it is above what was usual so far: eight eighths from twice and
    from three times of it on. Usual is the geometric mean, so that a single huge wager doesn't make
    all others small. Both depend only on what was wagered up to then, never on the cards.
    """
    by_amount, by_raise = [], []
    logs = 0.0
    for number, amount in enumerate(amounts):
        ratio = amount / exp(logs / number) if number else 1.0
        by_amount.append(max(1, min(LEVELS, round(LEVELS * ratio / 2))))
        by_raise.append(max(-LEVELS, min(LEVELS, round(LEVELS * (ratio - 1) / 2))))
        logs += log(amount)
    return by_amount, by_raise
