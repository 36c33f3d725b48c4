"""The cards of seats and dealers, as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from games.log.columns import Columns, Level

    Numbers = NDArray[np.int64]

CARDS: Final = 52
SEAT_CARDS: Final = {"pyramid-poker": 3, "pick-2-poker": 5, "chinese-poker": 13}
"""Cards of a seat, where the rules deal so many to every seat, whatever it decides.

In the other games a player who folds or surrenders gets fewer, so that the number depends on the
cards and has no exact distribution.
"""
FEWEST_AND_MOST: Final = {"casino-version": (7, 9), "showdown": (20, 25)}
"""The fewest and the most cards of a seat, where that depends on what it decides (CV-3, SD-5)."""
HOUSE_CARDS: Final = {"pyramid-poker": 3, "pick-2-poker": 5, "casino-version": 9}


class Hand(NamedTuple):
    """The cards of all seats, or of the dealer, and each one's round."""

    cards: NDArray[np.uint8]
    of_round: Numbers


def cards_in(level: Level, name: str, count: int) -> NDArray[np.uint8]:
    """Return a hand of so many cards of each row."""
    return np.stack([level.cards[f"{name}_{place}"] for place in range(1, count + 1)], axis=1)


def rounds_of_seats(columns: Columns) -> Numbers:
    """Return the row of each seat's round."""
    return np.repeat(np.arange(len(columns)), np.diff(columns.first_seat))


def hands_of(columns: Columns, of_round: Numbers) -> tuple[Hand | None, Hand | None]:
    """Return the cards of seats and of the dealer, where the rules fix how many they are."""
    seats = house = None
    if count := SEAT_CARDS.get(columns.game):
        seats = Hand(cards_in(columns.seats, "card", count), of_round)
    if count := HOUSE_CARDS.get(columns.game):
        house = Hand(cards_in(columns.rounds, "house", count), np.arange(len(columns)))
    return seats, house


def count_shown(rounds: int, hands: list[Hand]) -> tuple[Numbers, Numbers]:
    """Return how often each round dealt each card, and how many cards with jokers it dealt."""
    shown, dealt = np.zeros((rounds, CARDS), np.int64), np.zeros(rounds, np.int64)
    for cards, of_round in hands:
        natural = cards < CARDS
        rows = np.broadcast_to(of_round[:, None], cards.shape)
        np.add.at(shown, (rows[natural], cards[natural]), 1)
        dealt += np.bincount(of_round, minlength=rounds) * cards.shape[1]
    return shown, dealt
