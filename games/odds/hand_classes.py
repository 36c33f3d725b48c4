"""All hands of a shoe, one of each kind: hands that differ by the names of suits are one class.

A hand out of a shoe is a multiset of cards. How many hands of a shoe of n decks look alike depends
on n only through how often each card occurs in the hand, so one census serves every shoe.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement, groupby
from math import comb, factorial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterator

Cards = NDArray[np.uint8]
Numbers = NDArray[np.int64]

SUITS = 4


@dataclass(frozen=True, slots=True)
class HandClasses:
    """Hands of one size, one row of ascending cards per class of hands that differ by suits' names.

    `alike` is the number of hands (as multisets) in the class. `repeats` tells how often the cards
    occur: digit m - 1, to the base `size + 1`, counts the cards that are held m times.
    """

    size: int
    cards: Cards
    alike: Numbers
    repeats: Numbers


@dataclass(frozen=True, slots=True)
class _Part:
    """What one suit, or several suits with equally many cards, may hold."""

    ranks: Cards
    orders: Numbers
    repeats: Numbers


def hand_classes(size: int, ranks: int = 13) -> HandClasses:
    """Every class of hands of `size` cards over `ranks` ranks (the lowest ones) and four suits."""
    shapes = [_classes_of_shape(shape, ranks, size) for shape in _suit_shapes(size, SUITS, size)]
    return HandClasses(
        size,
        np.concatenate([hands.cards for hands in shapes]),
        np.concatenate([hands.alike for hands in shapes]),
        np.concatenate([hands.repeats for hands in shapes]),
    )


def ways_to_hold(repeats: int, size: int, copies: int) -> int:
    """In how many ways physical cards make one hand with these repeats, each card in `copies`."""
    ways = 1
    for times in range(1, size + 1):
        repeats, cards = divmod(repeats, size + 1)
        ways *= comb(copies, times) ** cards
    return ways


def _suit_shapes(cards: int, suits: int, most: int) -> Iterator[tuple[int, ...]]:
    """How many cards each suit holds, most first."""
    if suits == 0:
        if cards == 0:
            yield ()
        return
    for first in range(min(cards, most), -1, -1):
        for others in _suit_shapes(cards - first, suits - 1, first):
            yield (first, *others)


def _classes_of_shape(shape: tuple[int, ...], ranks: int, size: int) -> HandClasses:
    parts = [
        _equal_suits(held, len(list(suits)), ranks, size + 1) for held, suits in groupby(shape)
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


def _equal_suits(held: int, suits: int, ranks: int, base: int) -> _Part:
    """Suits that hold equally many cards, in ascending order of what they hold.

    `orders` counts the renamings among these suits that change nothing.
    """
    holdings = list(combinations_with_replacement(range(ranks), held))
    worth = [sum(base ** (holding.count(r) - 1) for r in set(holding)) for holding in holdings]
    together = list(combinations_with_replacement(range(len(holdings)), suits))
    orders = [
        int(np.prod([factorial(len(list(same))) for _, same in groupby(row)])) for row in together
    ]
    return _Part(
        np.array([sum((holdings[i] for i in row), ()) for row in together], np.uint8).reshape(
            len(together), held * suits
        ),
        np.array(orders, np.int64),
        np.array([sum(worth[i] for i in row) for row in together], np.int64),
    )
