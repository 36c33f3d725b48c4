"""The deal over columns: no more copies of a card than the shoe holds."""

from __future__ import annotations

import numpy as np

from games.cards import JOKER
from games.kernel import jit, kernel
from games.round_log.columns_scan import NO_CARD, memory_of


@kernel
def bits_set(word: int) -> int:
    """How many of the lower 62 bits are set."""
    word -= (word >> 1) & 0x5555555555555555
    word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333)
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F
    word += word >> 8
    word += word >> 16
    word += word >> 32
    return word & 127


@jit
def counted(cards, at, size, counts, decks, jokers):  # type: ignore[no-untyped-def]
    """Counts cards from `at` on; whether the shoe holds so many copies of each. All is memory."""
    holds = True
    for place in range(at, at + size):
        card = cards[place]
        if card != NO_CARD:
            counts[card & 63] += 1
            holds &= counts[card & 63] <= (jokers if card == JOKER else decks)
    return holds


@jit
def check_copies(  # type: ignore[no-untyped-def]
    house, house_size, cards, size, first_seat, decks, own_decks, or_more, jokers, certain
):
    """Leaves certain the rounds whose number of decks is allowed and holds all cards dealt.

    `house` and `cards` are hand after hand; `decks` is 0 where the log leaves it to the game.
    """
    counts = np.zeros(64, np.int64)
    hands, dealers, count = memory_of(cards), memory_of(house), memory_of(counts)
    for row in range(certain.size):
        holds = decks[row] if decks[row] > 0 else own_decks
        if not certain[row]:
            continue
        if holds != own_decks and not (or_more and holds > own_decks):
            certain[row] = 0
            continue
        for place in range(64):
            count[place] = 0
        right = counted(dealers, house_size * row, house_size, count, holds, jokers)
        first, last = first_seat[row], first_seat[row + 1]
        right &= counted(hands, size * first, size * (last - first), count, holds, jokers)
        certain[row] = right
