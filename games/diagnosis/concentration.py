"""Where wrong results come together: one dealer, player, seat, table or hour, and by what chance.

Each round counts once. If mistakes fell on results at random, how many of them fall on one dealer
follows a binomial distribution with that dealer's part of all results that were looked at.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from math import exp, lgamma, log, log1p, log10
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.diagnosis.results import Result


HOUR: Final = 3_600_000_000
ATTRIBUTES: Final = ("dealer", "player", "seat", "table", "hour")
UNLIKELY: Final = -4.0
"""Log10 of the chance from which on a concentration is worth telling."""


@dataclass(frozen=True, slots=True)
class Concentration:
    """How many of the rounds with wrong results are one dealer's, player's, seat's and so on."""

    attribute: str
    value: str
    rounds: int
    of: int
    chance: float
    """Log10 of the chance that mistakes at random come together so much at any of the values."""


def value_of(result: Result, attribute: str) -> str:
    """Return whose result it is, or at which seat, table or hour; empty if the log is silent."""
    if attribute == "hour":
        return str(result.at // HOUR * HOUR)
    if attribute == "seat":
        return "" if result.seat is None else str(result.seat)
    value: str = getattr(result, attribute)
    return value


def concentrations(wrong: Sequence[Result], ordinary: Sequence[Result]) -> list[Concentration]:
    """Return the unlikely concentrations of wrong results, the least likely first."""
    found = [each for name in ATTRIBUTES if (each := _highest(name, wrong, ordinary))]
    return sorted((each for each in found if each.chance <= UNLIKELY), key=lambda c: c.chance)


def _highest(
    attribute: str, wrong: Sequence[Result], ordinary: Sequence[Result]
) -> Concentration | None:
    base = Counter(value_of(each, attribute) for each in ordinary)
    counted = Counter(value_of(each, attribute) for each in _one_of_each_round(wrong))
    for values in (base, counted):
        values.pop("", None)
    rounds, total = len({id(each.dealt) for each in wrong}), base.total()
    best: Concentration | None = None
    for value, count in sorted(counted.items()):
        # One more of each, since a value that right results never show is not impossible.
        part = (base[value] + 1) / (total + len({*base, *counted}))
        chance = min(0.0, log_tail(count, rounds, part) + log10(len(counted)))
        if best is None or chance < best.chance:
            best = Concentration(attribute, value, count, rounds, chance)
    return best


def _one_of_each_round(wrong: Sequence[Result]) -> list[Result]:
    """Return one wrong result of each round, not always of the same seat."""
    of_round: defaultdict[str, list[Result]] = defaultdict(list)
    for each in wrong:
        of_round[each.dealt.round.round].append(each)
    return [some[sum(name.encode()) % len(some)] for name, some in of_round.items()]


def log_tail(least: int, of: int, part: float) -> float:
    """Return log10 of the chance of at least so many successes of a binomial distribution."""
    if least <= 0 or part >= 1:
        return 0.0
    terms = [
        lgamma(of + 1) - lgamma(k + 1) - lgamma(of - k + 1) + k * log(part)
        + (of - k) * log1p(-part)
        for k in range(least, of + 1)
    ]  # fmt: skip
    top = max(terms)
    return min(0.0, (top + log(sum(exp(term - top) for term in terms))) / log(10))
