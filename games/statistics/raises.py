"""Wagers against the shoe: does a player wager more when high cards are left?

What is left in a named shoe follows from the cards before. So the bet is placed on the cards that
*other* players are dealt: given the rest, their high cards are hypergeometric, and each round
counts by how much was wagered later in its shoe, above or below what is usual. A player whose
wagers do not look at those cards can't win that bet, whatever progression the wagers follow.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from games.statistics.cards import Figures
from games.statistics.chances import LEVELS
from games.statistics.evidence import TILTS, evidence_of
from games.statistics.results import weights_of
from games.statistics.shoes import AT_ONCE, MILLIONTH, log_chances

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.statistics.evidence import Floats
    from games.statistics.shoes import Numbers

STATISTIC: Final = "wagers raised when high cards are left in the shoe"


@dataclass(slots=True)
class Raises:
    """How wagers went with the shoe, in millionths, so that the order of adding doesn't matter."""

    away: int = 0
    """High cards beyond what is expected, weighted."""
    sums: Numbers = field(default_factory=lambda: np.zeros(1 + len(TILTS), np.int64))
    """Variance, and by tilt what makes the likelihood ratios fair."""

    def add(self, other: Raises, sign: int = 1) -> None:
        """Add other rounds, or take them away again."""
        self.away += sign * other.away
        self.sums = self.sums + sign * other.sums

    def figures(self) -> list[Figures]:
        """Return the stream."""
        away, (variance, *normal) = self.away / MILLIONTH, self.sums / MILLIONTH
        strength = float(evidence_of(away * TILTS - np.array(normal)))
        return [Figures(STATISTIC, away, 0.0, float(variance) ** 0.5, strength)]


def later_raises(amounts: Sequence[int], shoes: Sequence[int]) -> Floats:
    """Return for each round how little was wagered later in its shoe, from -1 to 1.

    `shoes` numbers the shoe of each round, in order of play; what is usual goes on from shoe to
    shoe.
    """
    raised = np.array(weights_of(amounts)[1], np.float64) / LEVELS
    raised -= raised.mean()
    shoe = np.array(shoes)
    later = np.zeros(len(raised))
    for first, end in _stretches(shoe):
        part = raised[first:end]
        later[first:end] = -(part.sum() - part.cumsum()) / max(1, len(part))
    return later


def _stretches(shoe: Numbers) -> list[tuple[int, int]]:
    ends = [*(np.flatnonzero(np.diff(shoe)) + 1).tolist(), len(shoe)]
    return list(zip([0, *ends[:-1]], ends, strict=True))


def weigh_rounds(weights: Floats, seen: Numbers, draws: Numbers) -> Raises:
    """Weigh the high cards that others were dealt in each round.

    `draws` are what they were dealt from: cards left, high cards among them, cards dealt to others.
    """
    found = Raises()
    rows = np.flatnonzero((weights != 0) & (draws[:, 2] > 0) & (draws[:, 2] <= draws[:, 0]))
    for first in range(0, len(rows), AT_ONCE):
        part = rows[first : first + AT_ONCE]
        x, logs = log_chances(draws[part])
        chance, weight = np.exp(logs), weights[part]
        mean = chance @ x
        variance = weight**2 * (chance @ x**2 - mean**2)
        powers = (
            logs[:, None, :]
            + np.multiply.outer(weight, TILTS)[:, :, None] * (x - mean[:, None])[:, None, :]
        )
        most = powers.max(axis=2, keepdims=True)
        normal = most[:, :, 0] + np.log(np.exp(powers - most).sum(axis=2))
        sums = np.concatenate([variance[:, None], normal], axis=1)
        found.add(
            Raises(
                int(np.rint(MILLIONTH * weight * (seen[part] - mean)).sum()),
                np.rint(MILLIONTH * sums).astype(np.int64).sum(axis=0),
            )
        )
    return found
