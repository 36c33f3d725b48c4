"""Cards dealt without replacement from a shuffled shoe, against the hypergeometric distribution.

The sufficient statistic is tiny: how often each card was dealt, and how many rounds dealt so many
cards from such a shoe. If a shoe is dealt through without saying so, the draws of its rounds are
negatively associated, and the evidence is only weaker than it might be.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from math import comb
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from games.cards import CARD, TEN
from games.statistics.evidence import TILTS, UPWARD, evidence_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from games.statistics.evidence import Floats

RANK_NAMES: Final = (
    *("deuces", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens"),
    *("jacks", "queens", "kings", "aces"),
)
CARDS: Final = len(CARD)
SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")
HIGH: Final = "tens to aces"
PREVIOUS: Final = "cards of the previous round"


class Shoe(NamedTuple):
    """One kind of draw: copies of each card, cards in the shoe, and cards drawn.

    Where players who give up are dealt fewer, `drawn` is the least and `most` the most they may be.
    """

    copies: int
    size: int
    drawn: int
    most: int = 0


class Draw(NamedTuple):
    """Cards of one kind among those drawn from a shoe."""

    size: int
    of_kind: int
    drawn: int
    most: int = 0


def _classes() -> tuple[tuple[str, ...], Floats]:
    cards = np.arange(CARDS)
    rows = [
        *((name, cards == card) for name, card in CARD.items()),
        *((name, cards // 4 == rank) for rank, name in enumerate(RANK_NAMES)),
        *((name, cards % 4 == suit) for suit, name in enumerate(SUIT_NAMES)),
        (HIGH, cards // 4 >= TEN),
    ]
    return tuple(name for name, _ in rows), np.array([row for _, row in rows], np.float64)


CLASSES, MEMBERS = _classes()
"""What is counted, by name: every card, rank and suit, and the high cards; and their cards."""
SIZES: Final = MEMBERS.sum(axis=1).astype(int)


@dataclass(frozen=True, slots=True)
class Figures:
    """What was seen of a stream, what a fair game leads one to expect, and the evidence."""

    statistic: str
    observed: float
    expected: float
    deviation: float
    """Standard deviation of the observed value in a fair game."""
    evidence: float
    """log10 of the e-value."""


@dataclass(slots=True)
class Dealt:
    """How often each card was dealt, over rounds that drew from shuffled shoes."""

    counts: NDArray[np.int64] = field(default_factory=lambda: np.zeros(CARDS, np.int64))
    shoes: Counter[Shoe] = field(default_factory=Counter)
    """Rounds by shoe and cards drawn."""

    def add(self, other: Dealt) -> None:
        """Add other rounds."""
        self.counts = self.counts + other.counts
        self.shoes.update(other.shoes)

    def figures(self, *, single_cards: bool = True) -> list[Figures]:
        """Return one stream for each of `CLASSES`, with or without the single cards."""
        first = 0 if single_cards else CARDS
        observed, sizes = MEMBERS[first:] @ self.counts, SIZES[first:].tolist()
        moments = {size: _moments(size, self.shoes) for size in set(sizes)}
        rows = [moments[size] for size in sizes]
        normal = np.array([row.normal for row in rows])
        evidence = evidence_of(observed[:, None] * TILTS - normal)
        more = self._more()
        return [
            Figures(name, float(seen), more * row.mean, row.variance**0.5, float(strength))
            for name, seen, row, strength in zip(
                CLASSES[first:], observed, rows, evidence, strict=True
            )
        ]

    @property
    def is_bounded(self) -> bool:
        """Return whether how many cards are drawn depends on players."""
        return any(shoe.most for shoe in self.shoes)

    def _more(self) -> float:
        """Return how many times the least cards were drawn; 1 if their number is fixed."""
        if not self.is_bounded:
            return 1.0
        least = sum(n * each.drawn * CARDS * each.copies / each.size
                    for each, n in self.shoes.items())  # fmt: skip
        return float(self.counts.sum() / least)


@dataclass(slots=True)
class Again:
    """Cards of a round that were in the previous round of the same deck: unshuffled cards repeat.

    Given the previous round, each draw is hypergeometric, so rounds multiply. Only too many is
    evidence: a shoe that is dealt through without shuffling repeats fewer.
    """

    seen: int = 0
    draws: Counter[Draw] = field(default_factory=Counter)

    def add(self, other: Again) -> None:
        """Add other rounds."""
        self.seen += other.seen
        self.draws.update(other.draws)

    def figures(self, statistic: str = PREVIOUS) -> list[Figures]:
        """Return the stream."""
        sums = _sums((draw, rounds) for draw, rounds in self.draws.items())
        logs = (self.seen * TILTS - sums.normal)[UPWARD]
        return [
            Figures(
                statistic,
                float(self.seen),
                sums.mean,
                sums.variance**0.5,
                float(evidence_of(logs)),
            )
        ]


class _Sums(NamedTuple):
    mean: float
    variance: float
    normal: Floats
    """By tilt, the sum of the logarithms that make the likelihood ratios fair."""


def _moments(cards: int, shoes: Mapping[Shoe, int]) -> _Sums:
    return _sums(
        (Draw(shoe.size, cards * shoe.copies, shoe.drawn, shoe.most), rounds)
        for shoe, rounds in shoes.items()
    )


def _sums(draws: Iterator[tuple[Draw, int]]) -> _Sums:
    mean = variance = 0.0
    normal = np.zeros(len(TILTS))
    for draw, rounds in draws:
        part = draw.of_kind / draw.size
        rest = (draw.size - draw.drawn) / max(draw.size - 1, 1)
        mean += rounds * draw.drawn * part
        variance += rounds * draw.drawn * part * (1 - part) * rest
        normal += rounds * log_mgf(draw)
    return _Sums(mean, variance, normal)


@cache
def log_mgf(draw: Draw) -> Floats:
    """Return the logarithm of the mean of e^(tilt x), x being how many of the kind are drawn.

    If more may be drawn, it is a bound: more cards are never fewer of a kind, so that tilts upward
    assume the most, and tilts downward the least.
    """
    if draw.most:
        most = log_mgf(Draw(draw.size, draw.of_kind, draw.most))
        return np.where(UPWARD, most, log_mgf(draw._replace(most=0)))
    values, chances = distribution(draw)
    powers = np.outer(TILTS, values) + np.log(chances)
    largest = powers.max(axis=1)
    result: Floats = largest + np.log(np.exp(powers - largest[:, None]).sum(axis=1))
    return result


def distribution(draw: Draw) -> tuple[Floats, Floats]:
    """Return how many of the kind may be drawn, and how likely each number is."""
    least = max(0, draw.drawn - (draw.size - draw.of_kind))
    values = range(least, min(draw.of_kind, draw.drawn) + 1)
    total = comb(draw.size, draw.drawn)
    chances = [
        comb(draw.of_kind, x) * comb(draw.size - draw.of_kind, draw.drawn - x) / total
        for x in values
    ]
    return np.array(values, np.float64), np.array(chances)
