"""Hands that come in the order of earlier ones: a shuffle that is none, or a prepared shoe.

After a hand that was dealt before, the bet is that the next hand has the cards of the one that came
next then. Given the cards of the round so far, how many of them it has is hypergeometric. Hands are
compared as sets, so that the order in which a log writes their cards makes no difference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from games.statistics.cards import CARDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

STATISTIC: Final = "cards of the hand that came next the last time"
_ODD: Final = np.uint64(0x9E3779B97F4A7C15)


def find_followers(
    cards: NDArray[np.uint8], of_round: Numbers, table: Numbers
) -> tuple[Numbers, Numbers]:
    """Return the rows of hands that follow a hand dealt before, and what came next the last time.

    Hands are in the order dealt, those of a round in a row.
    """
    digest = _digest(np.sort(cards, axis=1))
    before = np.flatnonzero(of_round[1:] == of_round[:-1])
    key = digest[before] ^ (table[before].astype(np.uint64) * _ODD)
    order = np.argsort(key, kind="stable")
    again = np.flatnonzero(key[order][1:] == key[order][:-1]) + 1
    return before[order[again]] + 1, before[order[again - 1]] + 1


def count_alike(
    cards: NDArray[np.uint8], rows: Numbers, earlier: Numbers
) -> tuple[Numbers, Numbers]:
    """Return how many cards of each row are of the kinds of an earlier one, and those kinds.

    Jokers are of no kind.
    """
    alike = (cards[rows][:, :, None] == cards[earlier][:, None, :]).any(axis=2)
    alike &= cards[rows] < CARDS
    kinds = np.sort(np.where(cards[earlier] < CARDS, cards[earlier], CARDS), axis=1)
    new = kinds < CARDS
    new[:, 1:] &= kinds[:, 1:] != kinds[:, :-1]
    return alike.sum(axis=1), new.sum(axis=1)


def _digest(cards: NDArray[np.uint8]) -> NDArray[np.uint64]:
    found = np.zeros(len(cards), np.uint64)
    for column in cards.T:
        found = (found ^ column.astype(np.uint64)) * _ODD
        found ^= found >> np.uint64(29)
    return found
