"""Random cards, and how sensible players set them.

Random numbers are the same on every machine: SplitMix64, integers only, compiled. The state is an
array of one unsigned number. Nothing here depends on the version of NumPy or on a machine's
floating point.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from games.cards import SPELLING, dealt
from games.kernel import compiled, jit
from games.ranking.five_card import five_card

if TYPE_CHECKING:
    from collections.abc import Iterable


_SPELLED = [SPELLING.get(card, "") for card in range(256)]


def spelled(cards: Iterable[int]) -> str:
    """Return cards with a space between them."""
    return " ".join([_SPELLED[card] for card in cards])


Chance = NDArray[np.uint64]


def chance_of(*words: object) -> Chance:
    """Return the initial state derived from these words."""
    digest = hashlib.sha256("\0".join(map(str, words)).encode()).digest()
    return np.frombuffer(digest[:8], np.dtype("<u8")).astype(np.uint64)


@jit
def below(chance, bound):  # type: ignore[no-untyped-def]
    """Return a whole number from 0 to below a bound."""
    chance[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = chance[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return np.int64((mixed >> np.uint64(32)) * np.uint64(bound) >> np.uint64(32))


@jit
def draw(shoe, place, chance):  # type: ignore[no-untyped-def]
    """Draw the card at a place of the shoe from those from there on."""
    other = place + below(chance, shoe.size - place)
    card = shoe[other]
    shoe[other] = shoe[place]
    shoe[place] = card
    return card


@jit
def deal_hand(shoe, place, chance, hand, size):  # type: ignore[no-untyped-def]
    """Deal a hand from a place of the shoe; return the place of the next card."""
    for card in range(size):
        hand[card] = draw(shoe, place + card, chance)
    return place + size


def shoe_of(decks: int, jokers: int = 0, *, lacking: str = "") -> NDArray[np.uint8]:
    """Return decks of 52 cards and jokers, in order: they are shuffled as they are drawn.

    The cards that it is `lacking` are left out, one copy for each time that they are named.
    """
    cards = np.tile(np.arange(52, dtype=np.uint8), decks)
    for card in dealt(lacking) if lacking else b"":
        cards = np.delete(cards, np.flatnonzero(cards == card)[0])
    return np.concatenate([cards, np.full(jokers, 52, np.uint8)])


NONE = -1

_five_card: Any = compiled(five_card)


@jit
def heaviest_first(cards, size):  # type: ignore[no-untyped-def]
    """Sort cards in place: those that occur more often first, then higher ranks."""
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
    """Move one copy of a card to a place, keeping the order of the others."""
    at = first
    while cards[at] != card:
        at += 1
    while at > first:
        cards[at] = cards[at - 1]
        at -= 1
    cards[first] = card


@jit
def strength_at(cards, first):  # type: ignore[no-untyped-def]
    """Return the strength of the five cards from a place on."""
    return _five_card(
        np.int64(cards[first]), np.int64(cards[first + 1]), np.int64(cards[first + 2]),
        np.int64(cards[first + 3]), np.int64(cards[first + 4]),
    )  # fmt: skip


@jit
def find_kinds(cards, first, size, found):  # type: ignore[no-untyped-def]
    """Find five cards by kinds alone, the heaviest group first, among cards from a place on."""
    left = np.zeros(13, np.int64)
    for place in range(first, first + size):
        left[(cards[place] & 63) >> 2] += 1
    count = 0
    while count < 5:
        best, most = 0, 0
        for rank in range(12, -1, -1):
            fits = min(left[rank], 5 - count)
            if fits > most:
                best, most = rank, fits
        for place in range(first, first + size):
            if count < 5 and most > 0 and (cards[place] & 63) >> 2 == best:
                found[count] = cards[place]
                count += 1
                most -= 1
        left[best] = 0


@jit
def find_run(cards, first, size, suit, found):  # type: ignore[no-untyped-def]
    """Find the highest straight, of one suit unless it is negative; return whether there is one."""
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
    """Find the five highest cards of a suit; return whether there are five."""
    count = 0
    for rank in range(12, -1, -1):
        for place in range(first, first + size):
            if count < 5 and cards[place] & 63 == (rank << 2) | suit:
                found[count] = cards[place]
                count += 1
    return count == 5


@jit
def best_five_first(cards, first, size):  # type: ignore[no-untyped-def]
    """Move the best five of the cards from a place on to that place; return their strength."""
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
    """Name every joker as one more card of the most frequent rank, the highest first."""
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
