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
from games.statistics.chances import LEVELS
from games.statistics.evidence import TILTS, evidence_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.statistics.chances import Chance
    from games.statistics.evidence import Floats

PLAIN: Final = "results"
AMOUNT: Final = "results weighted by amount"
RAISED: Final = "results weighted by how far the wager is above what was usual at the seat"
LEARNED: Final = "results weighted by how wagers of this amount came out before"
RECENT: Final = 20
"""About how many of the latest wagers at a seat say what is usual there."""
UNSURE: Final = 3
"""How many wagers of an amount it takes until half of what they show is believed."""

Seats = tuple[int, ...]
"""How many seats of a round had each outcome, from the worst to the best: lost, pushed and won, or
seventeen levels of a net result."""


@dataclass(slots=True)
class TableResults:
    """A wager at a table: rounds by how their seats came out."""

    rounds: Counter[Seats] = field(default_factory=Counter)

    def add(self, other: TableResults) -> None:
        """Add other rounds."""
        self.rounds.update(other.rounds)

    def logs(self, chance: Chance) -> Floats:
        """Return the log likelihood ratios by tilt."""
        outcomes = _outcomes(chance)
        ratios = np.exp(np.multiply.outer(outcomes, TILTS) - chance.log_mgf[-1])
        seats = np.array(list(self.rounds), np.float64).reshape(-1, len(outcomes))
        often = np.array(list(self.rounds.values()), np.float64)
        means = (seats @ ratios) / seats.sum(axis=1, keepdims=True)
        result: Floats = often @ np.log(means)
        return result

    def figures(self, chance: Chance) -> Figures:
        """Return the stream; the deviation leaves out that seats of a round share a shoe."""
        seats = sum(rounds * sum(each) for each, rounds in self.rounds.items())
        outcomes = _outcomes(chance)
        return Figures(
            chance.statistic,
            float(sum(rounds * (outcomes @ each) for each, rounds in self.rounds.items())),
            seats * chance.mean,
            (seats * chance.variance) ** 0.5,
            float(evidence_of(self.logs(chance))),
        )


class Weighted(NamedTuple):
    """A wager: its weight in eighths, and its outcome (-1, 0, 1; of a net result, in eighths)."""

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
            value = weight * outcome / (LEVELS * chance.scale)
            logs += often * (TILTS * value - chance.log_mgf[weight + LEVELS])
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
            (weight / LEVELS, outcome / chance.scale, often)
            for (weight, outcome), often in self.wagers.items()
        ]
        return Figures(
            statistic,
            sum(often * weight * outcome for weight, outcome, often in rows),
            sum(often * weight for weight, _, often in rows) * chance.mean,
            (sum(often * weight**2 for weight, _, often in rows) * chance.variance) ** 0.5,
            float(evidence_of(self.logs(chance))),
        )


def weights_of(amounts: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return two weights in eighths for each of the wagers at a seat, in order of play.

    They are the amount, and how far it is above what was usual so far: eight eighths from twice and
    from three times of it on. Usual is a geometric mean, so that a single huge wager doesn't make
    all others small, and of the latest wagers, so that it follows the players who take the seat.
    Both depend only on what was wagered up to then, never on the cards.
    """
    by_amount, by_raise = [], []
    usual = 0.0
    for number, amount in enumerate(amounts):
        ratio = amount / exp(usual) if number else 1.0
        by_amount.append(max(1, min(LEVELS, round(LEVELS * ratio / 2))))
        by_raise.append(max(-LEVELS, min(LEVELS, round(LEVELS * (ratio - 1) / 2))))
        usual += (log(amount) - usual) / min(number + 1, RECENT)
    return by_amount, by_raise


def learned_weights(amounts: Sequence[int], outcomes: Sequence[int], scale: int = 1) -> list[int]:
    """Return a weight in eighths for each wager at a seat, by earlier wagers of the same amount.

    A wager that is made larger after it won, or smaller after it lost, has an amount that others
    don't have. The weight is how much better that amount did than all at the seat, and 0 if it did
    worse; it depends only on what was over before the wager.
    """
    weights = []
    of_amount: dict[int, tuple[int, int]] = {}
    total = number = 0
    for amount, outcome in zip(amounts, outcomes, strict=True):
        won, often = of_amount.get(amount, (0, 0))
        better = won / (often + UNSURE) - total / max(number, 1) * often / (often + UNSURE)
        weights.append(max(0, min(LEVELS, round(LEVELS * better / scale))))
        of_amount[amount] = won + outcome, often + 1
        total, number = total + outcome, number + 1
    return weights


def _outcomes(chance: Chance) -> Floats:
    """Return what a seat may come to, from the worst to the best."""
    outcomes: Floats = np.arange(-chance.scale, chance.scale + 1) / chance.scale
    return outcomes
