"""Chance that falls the same on every machine: SplitMix64, integers only, compiled.

The state is an array of one unsigned number. Nothing here hangs on the version of NumPy or on a
machine's floating point.
"""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from games.kernel import jit

Chance = NDArray[np.uint64]


def chance_of(*words: object) -> Chance:
    """The state that begins from these words."""
    digest = hashlib.sha256("\0".join(map(str, words)).encode()).digest()
    return np.frombuffer(digest[:8], np.dtype("<u8")).astype(np.uint64)


@jit
def below(chance, bound):  # type: ignore[no-untyped-def]
    """A whole number from 0 to below a bound."""
    chance[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = chance[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return np.int64((mixed >> np.uint64(32)) * np.uint64(bound) >> np.uint64(32))


@jit
def draw(shoe, place, chance):  # type: ignore[no-untyped-def]
    """The card at a place of the shoe, drawn out of those that lie from there on."""
    other = place + below(chance, shoe.size - place)
    card = shoe[other]
    shoe[other] = shoe[place]
    shoe[place] = card
    return card


@jit
def deal_hand(shoe, place, chance, hand, size):  # type: ignore[no-untyped-def]
    """Deals a hand from a place of the shoe on; where the next card lies."""
    for card in range(size):
        hand[card] = draw(shoe, place + card, chance)
    return place + size


def shoe_of(decks: int, jokers: int = 0) -> NDArray[np.uint8]:
    """Decks of 52 cards and jokers, in order: they are shuffled as they are drawn."""
    cards = np.tile(np.arange(52, dtype=np.uint8), decks)
    return np.concatenate([cards, np.full(jokers, 52, np.uint8)])
