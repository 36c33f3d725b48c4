"""What the wagers of games with published odds may come to: baccarat, blackjack, games of sets.

Their odds are counted once for each definition (`python -m games odds`), so nothing is counted
here. A side wager hits with its exact chance. A game that is played well or badly is bounded by its
best mean: whatever the play, the mean of e^(tilt x) is at most that of the two-point distribution
with this mean and variance and the same largest value (Bennett, 1962).

A shoe that is dealt through moves chances from round to round. So chances are assumed to be within
a few hundredths of a standard deviation of those of the full shoe, which is more than counting
cards finds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from games.families.stud.bounds import LEVELS, Net
from games.statistics.chances import Chance
from games.statistics.evidence import TILTS, UPWARD

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.definition.model import Definition
    from games.statistics.evidence import Floats

MOVED: Final = 0.03
"""By how many standard deviations the cards left in a shoe may move a chance."""
AFTER_CARDS: Final = {"insurance": 0.1}
"""Wagers placed after cards are seen, and by how much those may move their chance."""
ERRORS: Final = 3
"""Standard errors of a figure that was played out, not counted."""


@dataclass(frozen=True)
class Family:
    """How the net result of a family's main wager is bounded."""

    stakes: int
    """Results count up to so many times the wager."""
    better: float
    """By how much of the wager a player may do better than the odds say."""
    wider: float
    """How many times as large the variance may be."""
    is_dealt_through: bool


BACCARAT: Final = "baccarat"
FAMILIES: Final = {
    # Cards left in a shoe give counters of cards one or two percent at most (Griffin, 1999), and
    # bolder play than the best one varies more.
    "blackjack": Family(stakes=4, better=0.02, wider=1.25, is_dealt_through=True),
    # Odds are of the house way; no way to set wins half a percent more of the wager.
    "set": Family(stakes=1, better=0.005, wider=1.1, is_dealt_through=False),
}


def net_of_family(definition: Definition) -> Net | None:
    """Return how the net result of a main wager is read; None if it hits or misses."""
    family = FAMILIES.get(definition.family)
    return None if family is None else Net(definition.base, family.stakes, (definition.base,))


def chances_by_odds(
    definition: Definition, counted: Sequence[Mapping[str, Any]]
) -> dict[str, Chance]:
    """Return the chances of wagers under any of the pay tables and readings that were counted.

    A wager that was not counted exactly under each of them is left out.
    """
    found: dict[str, Chance] = {}
    for number, each in enumerate(counted):
        of_this = dict(_chances(definition, each["odds"]))
        found = {
            key: chance.joined(found[key]) if number else chance
            for key, chance in of_this.items()
            if key in found or not number
        }
    return found


def _chances(definition: Definition, odds: Sequence[Mapping[str, Any]]) -> list[tuple[str, Chance]]:
    family = FAMILIES.get(definition.family)
    through = family is None or family.is_dealt_through
    found = []
    for each in odds:
        wager = each["wager"]
        if wager == definition.base and family is not None:
            found.append((wager, _bounded(family, each)))
        elif each["exact"] is not None:
            found.append((wager, _hit_or_miss(wager, each["hit"], through=through)))
    return found


def _hit_or_miss(wager: str, hit: float, *, through: bool) -> Chance:
    deviation = (hit * (1 - hit)) ** 0.5
    moved = AFTER_CARDS.get(wager, MOVED * deviation if through else 0.0)
    rates = (max(0.0, hit - moved), min(1.0, hit + moved)) if moved else (hit,)
    games = [np.array([[[0.0, 1 - rate, rate]]]) for rate in rates]
    chance = Chance.of(games, is_exact=not moved, by_table=True)
    return chance._replace(mean=hit, variance=hit * (1 - hit))


def _bounded(family: Family, odds: Mapping[str, Any]) -> Chance:
    most = family.stakes
    edge, hit = float(odds["edge"]), float(odds["hit"])
    rounded = hit / (2 * LEVELS) if most == 1 else 0.0  # wins of 19 to 20 count as whole ones
    mean = (-edge + family.better + ERRORS * float(odds["error"]) + rounded) / most
    variance = family.wider * float(odds["variance"]) / most**2
    chance = Chance.bounded(two_point_bound(mean, variance), LEVELS)
    return chance._replace(mean=-edge / most, variance=float(odds["variance"]) / most**2)


def two_point_bound(mean: float, variance: float) -> Floats:
    """Return by tilt the most that the log mean of e^(tilt x) can be, for x from -1 to 1.

    Downward nothing is known: a player may play as badly as the player likes.
    """
    reach = 1 - mean
    top = variance / (variance + reach**2)
    low = mean - variance / reach
    powers = np.log(top * np.exp(TILTS) + (1 - top) * np.exp(TILTS * low))
    bound: Floats = np.where(UPWARD, powers, -TILTS)
    return bound
