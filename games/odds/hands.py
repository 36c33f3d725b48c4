"""Counts the hands of a shoe that come to each outcome, for shoes of any number of decks at once.

Hands that differ only in the names of suits are one class. A hand from a shoe is a multiset of
cards. The number of equivalent hands from a shoe of n decks depends on n only through how often
each card occurs in the hand, so one census works for every shoe. A wager on one hand of cards is
settled by the game's own kernel, over every class.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, groupby
from math import comb, factorial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from games.kernel import compiled
from games.odds.wagers import Outcome
from games.rounding import in_short

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


Cards = NDArray[np.uint8]
Numbers = NDArray[np.int64]

SUITS = 4


@dataclass(frozen=True, slots=True)
class HandClasses:
    """Hands of one size, one row of ascending cards per class of hands that differ only in suits.

    `alike` is the number of hands (as multisets) in the class. `repeats` encodes how often the
    cards occur: digit m - 1, to the base `size + 1`, counts the cards that occur m times.
    """

    size: int
    cards: Cards
    alike: Numbers
    repeats: Numbers


@dataclass(frozen=True, slots=True)
class _Part:
    """What one suit, or several suits with equally many cards, may contain."""

    ranks: Cards
    orders: Numbers
    repeats: Numbers


def hand_classes(size: int, ranks: int = 13) -> HandClasses:
    """Return every class of hands of `size` cards over the lowest `ranks` ranks and four suits."""
    shapes = [_classes_of_shape(shape, ranks, size) for shape in _suit_shapes(size, SUITS, size)]
    return HandClasses(
        size,
        np.concatenate([hands.cards for hands in shapes]),
        np.concatenate([hands.alike for hands in shapes]),
        np.concatenate([hands.repeats for hands in shapes]),
    )


def ways_to_hold(repeats: int, size: int, copies: int) -> int:
    """Return how many ways physical cards make a hand with these repeats, `copies` of each."""
    ways = 1
    for times in range(1, size + 1):
        repeats, cards = divmod(repeats, size + 1)
        ways *= comb(copies, times) ** cards
    return ways


def _suit_shapes(cards: int, suits: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield how many cards each suit has, most first."""
    if suits == 0:
        if cards == 0:
            yield ()
        return
    for first in range(min(cards, most), -1, -1):
        for others in _suit_shapes(cards - first, suits - 1, first):
            yield (first, *others)


def _classes_of_shape(shape: tuple[int, ...], ranks: int, size: int) -> HandClasses:
    parts = [
        _equal_suits(dealt, len(list(suits)), ranks, size + 1) for dealt, suits in groupby(shape)
    ]
    rows = np.indices([len(part.orders) for part in parts]).reshape(len(parts), -1)
    chosen = list(zip(parts, rows, strict=True))
    alike = np.full(rows[0].shape, factorial(SUITS), np.int64)
    repeats = np.zeros_like(alike)
    for part, row in chosen:
        alike //= part.orders[row]
        repeats += part.repeats[row]
    suits = np.repeat(np.arange(SUITS), shape)
    cards = np.concatenate([part.ranks[row] for part, row in chosen], axis=1) * SUITS + suits
    return HandClasses(size, np.sort(cards, axis=1).astype(np.uint8), alike, repeats)


def _equal_suits(dealt: int, suits: int, ranks: int, base: int) -> _Part:
    """Return suits with equally many cards, in ascending order of their cards.

    `orders` counts the renamings among these suits that change nothing.
    """
    holdings = list(combinations_with_replacement(range(ranks), dealt))
    worth = [sum(base ** (holding.count(r) - 1) for r in set(holding)) for holding in holdings]
    together = list(combinations_with_replacement(range(len(holdings)), suits))
    orders = [
        int(np.prod([factorial(len(list(same))) for _, same in groupby(row)])) for row in together
    ]
    return _Part(
        np.array([sum((holdings[i] for i in row), ()) for row in together], np.uint8).reshape(
            len(together), dealt * suits
        ),
        np.array(orders, np.int64),
        np.array([sum(worth[i] for i in row) for row in together], np.int64),
    )


@dataclass(frozen=True, slots=True)
class Census:
    """Hands by outcome and by how often their cards occur: (outcome, repeats) -> hands alike."""

    size: int
    hands: dict[tuple[int, int], int]

    def counts(self, decks: int) -> dict[int, int]:
        """Return how many hands of physical cards, from `decks` decks, come to each outcome."""
        totals: dict[int, int] = {}
        for (outcome, repeats), alike in self.hands.items():
            ways = alike * ways_to_hold(repeats, self.size, decks)
            totals[outcome] = totals.get(outcome, 0) + ways
        return totals

    def probabilities(self, decks: int) -> dict[int, Fraction]:
        """Return how likely each outcome is from `decks` decks, omitting impossible ones."""
        counts = self.counts(decks)
        total = sum(counts.values())
        return {outcome: Fraction(count, total) for outcome, count in counts.items() if count}


def census(hands: HandClasses, outcomes: NDArray[np.int64]) -> Census:
    """Count the hands, given the outcome (a small number of the caller's) of each class."""
    kinds, row_of = np.unique(
        np.column_stack([outcomes, hands.repeats]), axis=0, return_inverse=True
    )
    alike = np.zeros(len(kinds), np.int64)
    np.add.at(alike, row_of.reshape(-1), hands.alike)
    return Census(
        hands.size,
        {
            (int(outcome), int(repeats)): int(number)
            for (outcome, repeats), number in zip(kinds, alike, strict=True)
        },
    )


every_hand = cache(hand_classes)


def settled_hands(
    settle: Callable[..., None],
    size: int,
    decks: int,
    called: Callable[[int], str],
    stake: int,
    *terms: object,
) -> tuple[Outcome, ...]:
    """Return what a stake wagered on hands of this size comes to, from `decks` decks.

    `settle` is a kernel `(hands, to, why, stake, *terms)` that fills in each hand's result and
    reason; `called` returns a reason's name.
    """
    hands = every_hand(size)
    to, why = settle_rows(settle, hands.cards, stake, *terms)
    known = dict(zip(why.tolist(), to.tolist(), strict=True))
    return tuple(
        Outcome(called(reason), in_short(Fraction(known[reason], stake)), probability)
        for reason, probability in sorted(census(hands, why).probabilities(decks).items())
    )


def settle_rows(
    settle: Callable[..., None], hands: Cards, *terms: object
) -> tuple[Numbers, Numbers]:
    """Return each hand's result and reason, using the compiled kernel."""
    to, why = np.zeros(len(hands), np.int64), np.zeros(len(hands), np.int64)
    compiled(settle)(hands, to, why, *terms)
    return to, why
