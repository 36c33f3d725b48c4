"""Gather what a segment's log says about time, money and deals, by table."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from games.screens.words import Words
from games.statistics.records import BREAK, SAMPLED, Amount, Records

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from games.log.columns import Columns, Level

    Numbers = NDArray[np.int64]

CARDS: Final = 52
SECOND: Final = 1_000_000
FEWEST_CARDS: Final = 9
"""With fewer cards, two rounds of a year may be dealt the same by chance."""
LARGEST: Final = 100_000
"""Dollars that one round counts at most in the spread of results."""
_ODD: Final = np.uint64(0x9E3779B97F4A7C15)


class RecordGathering:
    """The records of one segment, in progress."""

    def __init__(self) -> None:
        self._tables = Words()
        self._parts: list[tuple[Numbers, ...]] = []

    def add(self, columns: Columns, decks: Numbers) -> None:
        """Add rounds, none of which is void."""
        size = len(columns)
        of_round = np.repeat(np.arange(size), np.diff(columns.first_seat))
        numbers = columns.seats.numbers
        wagered, won = np.zeros(size, np.int64), np.zeros(size, np.int64)
        for name, column in numbers.items():
            if name.startswith("wager_"):
                np.add.at(wagered, of_round, column)
            elif name.startswith("result_"):
                np.subtract.at(won, of_round, column)
        won += columns.rounds.numbers.get("house_result", 0)
        deal, dealt = _deals(columns, of_round)
        self._parts.append(
            (
                self._tables.codes(columns.rounds.texts["table"]),
                np.asarray(columns.lines, np.int64),
                columns.rounds.numbers["at"] // SECOND,
                wagered,
                won,
                deal,
                dealt,
                _unfit(columns, of_round, decks),
            )
        )

    def finish(self) -> dict[str, Records]:
        """Return the records of each table."""
        if not self._parts:
            return {}
        table, line, at, wagered, won, deal, dealt, unfit = map(
            np.concatenate, zip(*self._parts, strict=True)
        )
        order = np.lexsort((line, table))
        again = np.ones(len(order), np.bool_)
        again[np.unique(deal, return_index=True)[1]] = False
        again &= dealt >= FEWEST_CARDS
        found = {}
        for code, name in enumerate(self._tables.words()):
            rows = order[table[order] == code]
            steps = np.diff(at[rows])
            steps = steps[(steps >= 0) & (steps < BREAK)]
            dollars = np.clip(won[rows] // 100, -LARGEST, LARGEST)
            sampled = rows[(deal[rows] % SAMPLED == 0) & (dealt[rows] >= FEWEST_CARDS)]
            found[name] = Records(
                rounds=len(rows),
                seconds=int(steps.sum()),
                wagered=int(wagered[rows].sum()),
                won=int(won[rows].sum()),
                squares=int((dollars**2).sum()),
                repeated=int(again[rows].sum()),
                unfit=int(unfit[rows].sum()),
                ends=Counter((at[rows] % 10).tolist()),
                steps=Counter(steps.tolist()),
                amounts=Counter(map(_amount, wagered[rows][wagered[rows] > 0].tolist())),
                deals=Counter(deal[sampled].tolist()),
            )
        return found


def _amount(cents: int) -> Amount:
    text = str(cents)
    return Amount(len(text) - 1, int(text[0]))


def _deals(columns: Columns, of_round: Numbers) -> tuple[Numbers, Numbers]:
    """Return a digest of each round's cards, seat by seat, and how many they are."""
    size = len(columns)
    house = _cards(columns.rounds, "house_")
    seats = _cards(columns.seats, "card_")
    seat = columns.seats.numbers["seat"].astype(np.uint64)
    total = _mixed(house, np.zeros(size, np.uint64))
    np.add.at(total, of_round, _mixed(seats, seat + np.uint64(1)))
    count = (house < CARDS).sum(axis=1)
    count += np.bincount(of_round, (seats < CARDS).sum(axis=1), size).astype(np.int64)
    return (_spread(total) >> np.uint64(1)).astype(np.int64), count


def _cards(level: Level, begins: str) -> NDArray[np.uint8]:
    """Return the cards as dealt, or as set where only those are logged."""
    names = [name for name in level.cards if name.startswith(begins)
             and name.removeprefix(begins).isdigit()]  # fmt: skip
    if not names:
        size = len(next(iter(level.numbers.values())))
        return np.full((size, 1), 255, np.uint8)
    return np.stack([level.cards[name] for name in names], axis=1)


def _mixed(cards: NDArray[np.uint8], begin: NDArray[np.uint64]) -> NDArray[np.uint64]:
    found = _spread(begin)
    for column in cards.T:
        found = _spread(found ^ column.astype(np.uint64))
    return found


def _spread(value: NDArray[np.uint64]) -> NDArray[np.uint64]:
    value = (value ^ (value >> np.uint64(29))) * _ODD
    return value ^ (value >> np.uint64(32))


def _unfit(columns: Columns, of_round: Numbers, decks: Numbers) -> Numbers:
    """Return which rounds have more copies of a card than their shoe has."""
    size = len(columns)
    shown = np.zeros((size, CARDS), np.int64)
    for rows, cards in (
        (of_round, _cards(columns.seats, "card_")),
        (np.arange(size), _cards(columns.rounds, "house_")),
    ):
        natural = cards < CARDS
        np.add.at(shown, (np.broadcast_to(rows[:, None], cards.shape)[natural], cards[natural]), 1)
    return np.asarray(np.any(shown > decks[:, None], axis=1), np.int64)
