"""Decisions against cards that the player can't know: better than the best play is knowledge.

A player who folds more often when the dealer's hidden hand is strong, and stays when it is weak,
knows something. Given the cards of all players, the dealer's hand is as likely as any other hand of
the rest of the shoe. So its rank among hands drawn from that rest is uniform, whatever the players
decide for whatever reason that lies in their own cards. That is exact for every strategy without
knowledge of the dealer's hand, even one that sees the cards of all other players, and for any way
to compare hands.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from games.log.scan import NO_CARD
from games.statistics.cards import CARDS, Figures
from games.statistics.evidence import TILTS, UPWARD, evidence_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

STATISTIC: Final = "strength of the dealer's hidden hand where folded, less where stayed"
STRENGTH: Final = "strength beside hands drawn from the cards that no player was dealt"
DRAWN: Final = 7
"""Hands drawn from the rest of the shoe, with which the dealer's hand is compared."""
VALUES: Final = np.linspace(-1, 1, DRAWN + 1)
"""A rank among them, from the weakest of all to the strongest."""
LOG_MGF: Final = np.log(np.exp(np.outer(TILTS, VALUES)).mean(axis=1))
AT_ONCE: Final = 2_048
"""Rounds whose hands are drawn at once."""


class Decision(NamedTuple):
    """A fold (1) or a stay (-1), and the rank of the dealer's hand, from 0."""

    sign: int
    rank: int


@dataclass(slots=True)
class Decisions:
    """A player's decisions, one seat for each round."""

    made: Counter[Decision] = field(default_factory=Counter)

    def add(self, other: Decisions) -> None:
        """Add other decisions."""
        self.made.update(other.made)

    def figures(self) -> list[Figures]:
        """Return the stream; only decisions that fit the dealer's hand too well are evidence."""
        total = self.made.total()
        seen = sum(often * sign * VALUES[rank] for (sign, rank), often in self.made.items())
        strength = float(evidence_of((seen * TILTS - total * LOG_MGF)[UPWARD]))
        deviation = sqrt(total * float((VALUES**2).mean()))
        return [Figures(STATISTIC, float(seen), 0.0, deviation, strength)]


@dataclass(slots=True)
class DealersHands:
    """The dealer's hand of each round, by its rank among hands drawn from the same cards."""

    rounds: Counter[int] = field(default_factory=Counter)

    def figures(self) -> list[Figures]:
        """Return the stream: hands that are too strong or too weak are evidence."""
        total = self.rounds.total()
        seen = sum(often * VALUES[rank] for rank, often in self.rounds.items())
        strength = float(evidence_of(seen * TILTS - total * LOG_MGF))
        deviation = sqrt(total * float((VALUES**2).mean()))
        return [Figures(STRENGTH, float(seen), 0.0, deviation, strength)]


def rank_dealers(
    house: NDArray[np.uint8], left: NDArray[np.int64], chance: np.random.Generator
) -> NDArray[np.int64]:
    """Return the rank of each dealer's hand, or -1 of one that isn't of the cards left.

    `left` has how many of each card, and in the last place of jokers, no player was dealt.
    """
    own = left.copy()
    rows = np.broadcast_to(np.arange(len(house))[:, None], house.shape)
    np.subtract.at(own, (rows, np.minimum(house, CARDS)), 1)
    fits = (own >= 0).all(axis=1) & (house != NO_CARD).all(axis=1)
    ranks = np.full(len(house), -1)
    ranks[fits] = rank_hands(house[fits], left[fits], chance)
    return ranks


def rank_hands(
    house: NDArray[np.uint8], left: NDArray[np.int64], chance: np.random.Generator
) -> NDArray[np.int64]:
    """Return each dealer's rank among hands drawn from the same cards.

    `left` has how many of each card, and in the last place of jokers, no player was dealt.
    """
    ranks = np.empty(len(house), np.int64)
    for first in range(0, len(house), AT_ONCE):
        part = slice(first, first + AT_ONCE)
        ranks[part] = _rank(house[part], left[part], chance)
    return ranks


def _rank(
    house: NDArray[np.uint8], left: NDArray[np.int64], chance: np.random.Generator
) -> NDArray[np.int64]:
    most = int(left.max(initial=0))
    cards = np.repeat(np.arange(CARDS + 1), most)
    missing = np.arange(most)[None, None, :] >= left[:, :, None]
    own = rate_hands(house) + chance.random(len(house))
    ranks = np.zeros(len(house), np.int64)
    for _ in range(DRAWN):
        order = chance.random((len(house), len(cards)))
        order[missing.reshape(len(house), -1)] = 2.0
        drawn = cards[np.argpartition(order, house.shape[1], axis=1)[:, : house.shape[1]]]
        ranks += own > rate_hands(drawn) + chance.random(len(house))
    return ranks


def rate_hands(hands: NDArray[np.uint8] | NDArray[np.int64]) -> NDArray[np.int64]:
    """Return what roughly orders hands: cards alike first, then high ones; jokers are aces."""
    ranks = np.minimum(np.asarray(hands, np.int64), CARDS - 1) // 4
    alike = (ranks[:, :, None] == np.arange(13)).sum(axis=1)
    strength: NDArray[np.int64] = 10_000 * (alike**2).sum(axis=1) + (ranks**2).sum(axis=1)
    return strength
