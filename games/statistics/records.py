"""Records that people keep or make up: hints where to look, which never alarm.

No game has an exact distribution of times, paces or amounts. So these compare with what is usual,
and say what that is.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from math import log10, sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

FEWEST: Final = 200
"""Rounds from which times and paces of a table are compared with what is usual."""
FEWEST_AMOUNTS: Final = 500
MAGNITUDES: Final = 4
"""Powers of ten that amounts must span for Benford's law to apply (Nigrini, 2012).

Limits and chips of a table keep its wagers within three.
"""
FAR_FROM_BENFORD: Final = 0.015
"""The mean absolute deviation of first digits that Nigrini calls nonconformity."""
UNEVEN: Final = 60.0
"""A chi-square of ten last digits, with nine degrees of freedom; even seconds show 60 once in 10^9.
"""
SAME_STEP: Final = 0.25
FASTEST: Final = 120
"""Rounds an hour at a table; dealers of these games deal 30 to 60."""
SAMPLED: Final = 64
"""Of the deals of other days, one in so many is compared."""
BREAK: Final = 900
"""Seconds without a round that are no play."""


class Amount(NamedTuple):
    """An amount's power of ten in cents and its first digit."""

    magnitude: int
    digit: int


class Hint(NamedTuple):
    """Something unusual, and what may explain it innocently."""

    what: str
    says: str
    innocent: str


@dataclass(slots=True)
class Records:
    """What the log of a table says about time, money and deals."""

    rounds: int = 0
    seconds: int = 0
    """Of play, without breaks."""
    wagered: int = 0
    won: int = 0
    """By the house, in cents."""
    squares: int = 0
    """Of what the house won in each round, in whole dollars."""
    repeated: int = 0
    """Rounds with the cards of an earlier round of that day, seat by seat."""
    unfit: int = 0
    """Rounds with more copies of a card than their shoe has."""
    ends: Counter[int] = field(default_factory=Counter)
    """Rounds by the last digit of the second in which they ended."""
    steps: Counter[int] = field(default_factory=Counter)
    """Rounds by the seconds since the one before, up to a break."""
    amounts: Counter[Amount] = field(default_factory=Counter)
    """Rounds by what was wagered in them."""
    deals: Counter[int] = field(default_factory=Counter)
    """A sample of all deals, by their digest."""

    def add(self, other: Records, sign: int = 1) -> None:
        """Add other rounds, or take them away again."""
        for each in fields(self):
            mine, theirs = getattr(self, each.name), getattr(other, each.name)
            if isinstance(mine, Counter):
                for key, count in theirs.items():
                    mine[key] += sign * count
                    if not mine[key]:
                        del mine[key]
            else:
                setattr(self, each.name, mine + sign * theirs)

    @property
    def pace(self) -> float:
        """Return rounds per hour of play; 0 if too few show it."""
        return 3_600 * self.rounds / self.seconds if self.seconds else 0.0

    @property
    def hold(self) -> float | None:
        """Return the house's share of what was wagered."""
        return self.won / self.wagered if self.wagered else None

    @property
    def spread(self) -> float:
        """Return the usual deviation of what the house won, in cents, from that of its rounds."""
        mean = self.won / 100 / self.rounds if self.rounds else 0.0
        return 100 * sqrt(max(self.squares - self.rounds * mean**2, 0.0))

    def hints(self) -> Iterator[Hint]:
        """Yield what is unusual."""
        yield from self._deals()
        if self.rounds >= FEWEST:
            yield from self._times()
        yield from self._digits()

    def _deals(self) -> Iterator[Hint]:
        again = sum(count - 1 for count in self.deals.values())
        if self.repeated or again:
            says = f"{self.repeated:,} rounds have the cards of an earlier round of their day"
            if again > self.repeated:
                says += f", and of one in {SAMPLED} rounds, {again:,} those of any other round"
            yield Hint(
                "Repeated deals",
                f"{says}, seat by seat. Shuffled cards do not do this.",
                "A round was logged twice under two ids.",
            )
        if self.unfit:
            yield Hint(
                "Rounds that fit no shoe",
                f"{self.unfit:,} rounds have more copies of a card than their shoe.",
                "A card was misread or misspelled.",
            )

    def _times(self) -> Iterator[Hint]:
        usual = self.rounds / 10
        uneven = sum((self.ends[digit] - usual) ** 2 / usual for digit in range(10))
        if uneven > UNEVEN:
            digit, often = self.ends.most_common(1)[0]
            yield Hint(
                "Round times",
                f"{often / self.rounds:.0%} of rounds end in a second with the last digit {digit}; "
                "10% is usual.",
                "Times are rounded, to the minute for example.",
            )
        steps = self.steps.total()
        if steps:
            step, often = self.steps.most_common(1)[0]
            if often > SAME_STEP * steps:
                yield Hint(
                    "Equal times between rounds",
                    f"{often / steps:.0%} of rounds end {step:,} seconds after the one before.",
                    "Times are rounded, or the system logs at fixed times.",
                )
        if self.pace > FASTEST:
            yield Hint(
                "Rounds per hour",
                f"{self.pace:,.0f} rounds an hour of play; dealers deal 30 to 60.",
                "One table's name stands for several tables.",
            )

    def _digits(self) -> Iterator[Hint]:
        away = self.from_benford()
        if away is not None and away > FAR_FROM_BENFORD:
            yield Hint(
                "First digits of amounts",
                f"What is wagered in a round deviates by {away:.1%} from Benford's law "
                f"on average; over {FAR_FROM_BENFORD:.1%} is unusual.",
                "Chips and limits of the table favor some amounts.",
            )

    def from_benford(self) -> float | None:
        """Return the mean deviation of first digits from Benford's law, None if it can't apply.

        It applies to amounts of many sizes: enough of them, over several powers of ten.
        """
        total = self.amounts.total()
        sizes: Counter[int] = Counter()
        for amount, often in self.amounts.items():
            sizes[amount.magnitude] += often
        if total < FEWEST_AMOUNTS or sum(n >= total / 50 for n in sizes.values()) < MAGNITUDES:
            return None
        first: Counter[int] = Counter()
        for amount, often in self.amounts.items():
            first[amount.digit] += often
        return sum(abs(first[d] / total - log10(1 + 1 / d)) for d in range(1, 10)) / 9
