"""Gather results of wagers: of tables, dealers and shifts by round; of players and seats in order.

What a player or a seat wagered before says what is usual, so that wagers raised after the cards are
known can be told from large ones. A name may stand for many players; a seat has one at a time.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from audits.watch.statistics import PAIR, PLAYER, Measure, Subject, Wager, name_seat
from games.statistics.chances import LEVELS
from games.statistics.results import (
    AMOUNT,
    LEARNED,
    PLAIN,
    RAISED,
    Weighted,
    learned_weights,
    weights_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from audits.watch.statistics import Statistics

    Numbers = NDArray[np.int64]


@dataclass(slots=True)
class Placed:
    """Wagers of one kind, in the order of the log. Names are numbers, -1 if there is none."""

    table: Numbers
    seat: Numbers
    player: Numbers
    dealer: Numbers
    at: Numbers
    decks: Numbers
    amount: Numbers
    outcome: Numbers


COLUMNS = tuple(Placed.__slots__)


class Names(NamedTuple):
    """The names of tables, players and dealers, by number."""

    tables: Sequence[str]
    players: Sequence[str]
    dealers: Sequence[str]


class WagerGathering:
    """The wagers of players and seats of one segment, in progress."""

    def __init__(self) -> None:
        self._placed: defaultdict[str, list[Placed]] = defaultdict(list)

    def add(self, wager: str, placed: Placed) -> None:
        """Add wagers of one kind."""
        if len(placed.amount):
            self._placed[wager].append(placed)

    def finish(self, found: Statistics, names: Names) -> None:
        """Add the results of players, of seats, and of players with dealers."""
        for wager, parts in self._placed.items():
            every = Placed(
                *(np.concatenate([getattr(each, name) for each in parts]) for name in COLUMNS)
            )
            of_player = _one_a_round(every, every.player, every.player >= 0)
            of_seat = _one_a_round(every, _seats(every), np.ones(len(every.at), np.bool_))
            weights = _weights(every, of_seat)
            for code, rows in _split(every.player, of_player):
                _count(found, Subject(PLAYER, names.players[code]), wager, every, rows, weights)
            for _, rows in _split(_seats(every), of_seat):
                seat = name_seat(names.tables[every.table[rows[0]]], int(every.seat[rows[0]]))
                _count(found, seat, wager, every, rows, weights)
            _count_pairs(found, wager, every, of_player[every.dealer[of_player] >= 0], names)


def _seats(placed: Placed) -> Numbers:
    most = int(placed.seat.max(initial=0)) + 1
    return placed.table * most + placed.seat


def _one_a_round(placed: Placed, of: Numbers, chosen: NDArray[np.bool_]) -> Numbers:
    """Return one wager of each at a time, in order."""
    rows = np.flatnonzero(chosen)
    order = rows[np.lexsort((rows, placed.at[rows], of[rows]))]
    first = np.ones(len(order), np.bool_)
    first[1:] = (of[order][1:] != of[order][:-1]) | (placed.at[order][1:] != placed.at[order][:-1])
    return order[first]


def _split(of: Numbers, rows: Numbers) -> Iterator[tuple[int, Numbers]]:
    ends = np.flatnonzero(np.diff(of[rows])) + 1
    for part in np.split(rows, ends):
        if len(part):
            yield int(of[part[0]]), part


def _weights(placed: Placed, of_seat: Numbers) -> dict[str, Numbers]:
    """Return each wager's weights, beside what was usual at its seat."""
    scale = int(np.abs(placed.outcome).max(initial=1)) or 1
    weights = {
        PLAIN: np.full(len(placed.at), LEVELS),
        AMOUNT: np.full(len(placed.at), LEVELS),
        RAISED: np.zeros(len(placed.at), np.int64),
        LEARNED: np.zeros(len(placed.at), np.int64),
    }
    for _, rows in _split(_seats(placed), of_seat):
        amounts = placed.amount[rows].tolist()
        weights[AMOUNT][rows], weights[RAISED][rows] = weights_of(amounts)
        weights[LEARNED][rows] = learned_weights(amounts, placed.outcome[rows].tolist(), scale)
    return weights


def _count(
    found: Statistics,
    subject: Subject,
    wager: str,
    placed: Placed,
    rows: Numbers,
    weights: dict[str, Numbers],
) -> None:
    for statistic, weight in weights.items():
        for (decks, level, outcome), often in tally(
            placed.decks[rows], weight[rows], placed.outcome[rows]
        ):
            key = Measure(Wager(subject, wager, decks), statistic)
            found.players[key].wagers[Weighted(level, outcome)] += often


def _count_pairs(
    found: Statistics, wager: str, placed: Placed, rows: Numbers, names: Names
) -> None:
    """Count the wagers of each player with each dealer."""
    if not len(rows):
        return
    columns = (placed.dealer[rows], placed.player[rows], placed.decks[rows], placed.outcome[rows])
    for (dealer, player, decks, outcome), often in tally(*columns):
        pair = Subject(PAIR, f"{names.dealers[dealer]}, {names.players[player]}")
        key = Measure(Wager(pair, wager, decks), PLAIN)
        found.players[key].wagers[Weighted(LEVELS, outcome)] += often


def count_rounds(
    found: Statistics, wager: str, decks: Numbers, seats: Numbers, scopes: Any
) -> None:
    """Count rounds by how many seats had each outcome, for each subject of each scope."""
    some = np.flatnonzero(seats.any(axis=1))
    for subjects, codes in scopes:
        for (code, of, *row), often in tally(codes[some], decks[some], *seats[some].T):
            if code >= 0:
                found.results[Wager(subjects[code], wager, of)].rounds[tuple(row)] += often


def tally(*columns: Any) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield each different row of some columns, and how often it occurs."""
    rows, often = np.unique(np.stack(columns, axis=1), axis=0, return_counts=True)
    for row, count in zip(rows.tolist(), often.tolist(), strict=True):
        yield tuple(row), count
