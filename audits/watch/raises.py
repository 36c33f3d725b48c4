"""Gather how the wagers of players and seats went with what named shoes had left."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from audits.intake.days.hands import CARDS
from games.cards import TEN
from games.statistics.raises import later_raises, weigh_rounds

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from audits.intake.days.hands import Hand, Numbers
    from audits.watch.statistics import Statistics, Subject
    from games.log.columns import Columns

FIRST_HIGH = 4 * TEN
HIGH_CARDS = CARDS - FIRST_HIGH


class _Hands(NamedTuple):
    """Cards dealt: how many, and how many high ones."""

    dealt: int
    high: int


class _Round(NamedTuple):
    """A round of a named shoe."""

    line: int
    shoe: tuple[str, str]
    copies: int
    jokers: int
    house: _Hands
    every: _Hands
    own: dict[Subject, tuple[_Hands, int]]
    """Each subject's cards, and what it wagered."""


class RaiseGathering:
    """The wagers in the named shoes of one segment, in progress."""

    def __init__(self, jokers: int) -> None:
        self._jokers = jokers
        self._rounds: list[_Round] = []

    def add(
        self,
        columns: Columns,
        decks: Numbers,
        seats: Hand,
        house: Hand | None,
        names: Sequence[tuple[Numbers, Sequence[Subject]]],
    ) -> None:
        """Add rounds; `names` are by seat the number of its player, or of itself, and the names."""
        shoes, tables = columns.rounds.text("shoe"), columns.rounds.texts["table"]
        high = ((seats.cards >= FIRST_HIGH) & (seats.cards < CARDS)).sum(axis=1)
        of_house = np.zeros((len(columns), 2), np.int64)
        if house is not None:
            natural = (house.cards >= FIRST_HIGH) & (house.cards < CARDS)
            of_house = np.stack([np.full(len(columns), house.cards.shape[1]), natural.sum(axis=1)],
                                axis=1)  # fmt: skip
        wagered = sum(
            column for name, column in columns.seats.numbers.items() if name.startswith("wager_")
        )
        width = seats.cards.shape[1]
        for row in np.flatnonzero(shoes.start >= 0).tolist():
            own: dict[Subject, tuple[_Hands, int]] = {}
            first, end = columns.first_seat[row : row + 2].tolist()
            for seat in range(first, end):
                for codes, subjects in names:
                    if codes[seat] >= 0:
                        subject = subjects[codes[seat]]
                        (dealt, seen), amount = own.get(subject, (_Hands(0, 0), 0))
                        hands = _Hands(dealt + width, seen + int(high[seat]))
                        own[subject] = hands, amount + int(wagered[seat])  # type: ignore[index]
            dealer = _Hands(*of_house[row].tolist())
            every = _Hands(
                dealer.dealt + width * (end - first), dealer.high + int(high[first:end].sum())
            )
            shoe = str(tables[row]), str(shoes[row])
            line = int(columns.lines[row])
            self._rounds.append(
                _Round(line, shoe, int(decks[row]), self._jokers, dealer, every, own)
            )

    def finish(self, found: Statistics) -> None:
        """Add how the wagers of each player and seat went with the shoe."""
        self._rounds.sort(key=lambda each: each.line)
        rows: defaultdict[Subject, list[tuple[int, ...]]] = defaultdict(list)
        for number, shoe in enumerate(_by_shoe(self._rounds)):
            dealt = high = 0
            for each in shoe:
                size, kinds = each.copies * CARDS + each.jokers, each.copies * HIGH_CARDS
                for subject, (own, amount) in each.own.items():
                    left = size - dealt - each.house.dealt - own.dealt
                    of_kind = kinds - high - each.house.high - own.high
                    others = each.every.dealt - each.house.dealt - own.dealt
                    seen = each.every.high - each.house.high - own.high
                    rows[subject].append((number, amount, seen, left, of_kind, others))
                dealt, high = dealt + each.every.dealt, high + each.every.high
        for subject, of in rows.items():
            table = np.array([row for row in of if row[1] > 0], np.int64).reshape(-1, 6)
            fits = (table[:, 4] >= table[:, 2]) & (table[:, 3] >= table[:, 5])
            table = table[fits & (table[:, 3] - table[:, 4] >= table[:, 5] - table[:, 2])]
            if len(table):
                weights = later_raises(table[:, 1].tolist(), table[:, 0].tolist())
                raises = weigh_rounds(weights, table[:, 2], table[:, 3:])
                if raises.sums.any():
                    found.raises[subject].add(raises)


def _by_shoe(rounds: Iterable[_Round]) -> list[list[_Round]]:
    shoes: dict[tuple[str, str], list[_Round]] = {}
    for each in rounds:
        shoes.setdefault(each.shoe, []).append(each)
    return list(shoes.values())
