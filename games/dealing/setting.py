"""How sensible players find hands among many cards: by kinds, suits and runs."""

from __future__ import annotations

from typing import Any

import numpy as np

from games.kernel import compiled, jit
from games.ranking.five_card import five_card

NONE = -1

_five_card: Any = compiled(five_card)


@jit
def heaviest_first(cards, size):  # type: ignore[no-untyped-def]
    """Sorts cards in place: those that occur more often first, then higher ranks."""
    counts = np.zeros(13, np.int64)
    for place in range(size):
        counts[(cards[place] & 63) >> 2] += 1
    for place in range(1, size):
        card = cards[place]
        rank = np.int64(card & 63) >> 2
        weight = (counts[rank] << 8) | (rank << 2) | (card & 3)
        other = place - 1
        while other >= 0:
            rank = np.int64(cards[other] & 63) >> 2
            if (counts[rank] << 8) | (rank << 2) | (cards[other] & 3) >= weight:
                break
            cards[other + 1] = cards[other]
            other -= 1
        cards[other + 1] = card


@jit
def take_to_front(cards, first, card):  # type: ignore[no-untyped-def]
    """Moves one copy of a card to a place, the others behind it in their order."""
    at = first
    while cards[at] != card:
        at += 1
    while at > first:
        cards[at] = cards[at - 1]
        at -= 1
    cards[first] = card


@jit
def strength_at(cards, first):  # type: ignore[no-untyped-def]
    """Strength of the five cards from a place on."""
    return _five_card(
        np.int64(cards[first]), np.int64(cards[first + 1]), np.int64(cards[first + 2]),
        np.int64(cards[first + 3]), np.int64(cards[first + 4]),
    )  # fmt: skip


@jit
def find_kinds(cards, first, size, found):  # type: ignore[no-untyped-def]
    """Five cards by kinds alone, the heaviest group first, out of cards from a place on."""
    left = np.zeros(13, np.int64)
    for place in range(first, first + size):
        left[(cards[place] & 63) >> 2] += 1
    taken = 0
    while taken < 5:
        best, most = 0, 0
        for rank in range(12, -1, -1):
            fits = min(left[rank], 5 - taken)
            if fits > most:
                best, most = rank, fits
        for place in range(first, first + size):
            if taken < 5 and most > 0 and (cards[place] & 63) >> 2 == best:
                found[taken] = cards[place]
                taken += 1
                most -= 1
        left[best] = 0


@jit
def find_run(cards, first, size, suit, found):  # type: ignore[no-untyped-def]
    """The highest straight, of one suit unless it is below 0; whether there is one."""
    holder = np.full(14, NONE, np.int64)
    for place in range(first, first + size):
        card = cards[place] & 63
        if suit < 0 or card & 3 == suit:
            holder[(card >> 2) + 1] = place
            if card >> 2 == 12:
                holder[0] = place
    for top in range(13, 3, -1):
        run = True
        for step in range(5):
            run &= holder[top - step] >= 0
        if run:
            for step in range(5):
                found[step] = cards[holder[top - step]]
            return True
    return False


@jit
def find_flush(cards, first, size, suit, found):  # type: ignore[no-untyped-def]
    """The five highest cards of a suit; whether there are five."""
    taken = 0
    for rank in range(12, -1, -1):
        for place in range(first, first + size):
            if taken < 5 and cards[place] & 63 == (rank << 2) | suit:
                found[taken] = cards[place]
                taken += 1
    return taken == 5


@jit
def best_five_first(cards, first, size):  # type: ignore[no-untyped-def]
    """Moves the best five of the cards from a place on to that place; their strength."""
    found, best = np.empty(5, np.uint8), np.empty(5, np.uint8)
    find_kinds(cards, first, size, best)
    strength = strength_at(best, 0)
    suits = np.zeros(4, np.int64)
    for place in range(first, first + size):
        suits[cards[place] & 3] += 1
    for suit in range(-1, 4):
        if suit >= 0 and suits[suit] < 5:
            continue
        if find_run(cards, first, size, suit, found) and strength_at(found, 0) > strength:
            strength = strength_at(found, 0)
            best[:] = found
        if (
            suit >= 0
            and find_flush(cards, first, size, suit, found)
            and strength_at(found, 0) > strength
        ):
            strength = strength_at(found, 0)
            best[:] = found
    for place in range(4, -1, -1):
        take_to_front(cards, first, best[place])
    return strength


@jit
def name_jokers(cards, size):  # type: ignore[no-untyped-def]
    """Names every joker as one more card of the rank that is held most often, the highest first."""
    counts = np.zeros(13, np.int64)
    for place in range(size):
        if cards[place] < 52:
            counts[cards[place] >> 2] += 1
    best = 0
    for rank in range(13):
        if counts[rank] >= counts[best]:
            best = rank
    for place in range(size):
        if cards[place] == 52:
            cards[place] = 64 + (best << 2) + 3
