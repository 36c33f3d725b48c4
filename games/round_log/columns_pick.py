"""Rounds picked out of several columns, and put into one in another order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from games.kernel import jit
from games.round_log.columns import Columns, Level
from games.round_log.columns_texts import Texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Pick:
    """Some rounds of some columns, and the places that they get."""

    columns: Columns
    rows: NDArray[np.int64]
    places: NDArray[np.int64]


@jit
def spread(begin, count, place, old_seats, new_seats):  # type: ignore[no-untyped-def]
    """The rows of the rounds' seats, and the places that these get."""
    row = 0
    for pick in range(begin.size):
        for seat in range(count[pick]):
            old_seats[row], new_seats[row] = begin[pick] + seat, place[pick] + seat
            row += 1


@jit
def copy_to(data, start, stop, place, packed):  # type: ignore[no-untyped-def]
    """Copies texts to where their places begin; an absent one has no bytes."""
    for pick in range(start.size):
        at = place[pick]
        for byte in range(start[pick], stop[pick]):
            packed[at] = data[byte]
            at += 1


def picked(picks: Sequence[Pick]) -> Columns:
    """One set of columns out of several; the places are those from 0 on, each once."""
    total = sum(len(pick.rows) for pick in picks)
    first_seat = np.zeros(total + 1, np.int64)
    lines = np.empty(total, np.int64)
    for pick in picks:
        first = pick.columns.first_seat
        first_seat[1:][pick.places] = first[pick.rows + 1] - first[pick.rows]
        lines[pick.places] = pick.columns.lines[pick.rows]
    np.cumsum(first_seat, out=first_seat)
    seats = [_straight(*_seats(pick, first_seat)) for pick in picks]
    rounds = [_straight(pick.rows, pick.places) for pick in picks]
    return Columns(
        picks[0].columns.game,
        _level([pick.columns.rounds for pick in picks], rounds, total),
        _level([pick.columns.seats for pick in picks], seats, int(first_seat[-1])),
        first_seat,
        lines,
    )


_Moves = tuple["NDArray[np.int64] | slice", "NDArray[np.int64] | slice"]


def _straight(rows: NDArray[np.int64], places: NDArray[np.int64]) -> _Moves:
    """The same rows and places, as stretches where they are one: these are copied in one go."""
    return _stretch(rows), _stretch(places)


def _stretch(rows: NDArray[np.int64]) -> NDArray[np.int64] | slice:
    if not len(rows) or rows[-1] - rows[0] != len(rows) - 1 or (np.diff(rows) != 1).any():
        return rows
    return slice(int(rows[0]), int(rows[-1]) + 1)


def _seats(
    pick: Pick, first_seat: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    begin = pick.columns.first_seat[pick.rows].astype(np.int64)
    count = pick.columns.first_seat[pick.rows + 1] - begin
    total = int(count.sum())
    old, new = np.empty(total, np.int64), np.empty(total, np.int64)
    spread(begin, count, first_seat[pick.places], old, new)
    return old, new


def _level(levels: Sequence[Level], moves: Sequence[_Moves], total: int) -> Level:
    def columns(of: Callable[[Level], Any], name: str, kind: type) -> Any:
        column: Any = np.empty(total, kind)
        for level, (rows, places) in zip(levels, moves, strict=True):
            column[places] = of(level)[name][rows]
        return column

    names = levels[0]
    return Level(
        {name: columns(lambda level: level.numbers, name, np.int64) for name in names.numbers},
        {name: columns(lambda level: level.cards, name, np.uint8) for name in names.cards},
        {
            name: picked_texts([level.texts[name] for level in levels], moves, total)
            for name in names.texts
        },
    )


def picked_texts(columns: Sequence[Texts], moves: Sequence[_Moves], total: int) -> Texts:
    """One column of texts out of several, packed in their new order."""
    lengths = np.zeros(total, np.int64)
    absent = np.zeros(total, np.bool_)
    bounds = []
    for texts, (rows, places) in zip(columns, moves, strict=True):
        start, stop = texts.start[rows].astype(np.int64), texts.stop[rows].astype(np.int64)
        bounds.append((start, stop))
        lengths[places] = stop - start
        absent[places] = start < 0
    new_stop = np.cumsum(lengths)
    new_start = new_stop - lengths
    data = np.empty(int(lengths.sum()), np.uint8)
    for texts, (start, stop), (_, places) in zip(columns, bounds, moves, strict=True):
        if isinstance(places, slice) and len(start) and _packed(start, stop):
            first = int(new_start[places.start])
            length = int(stop[-1] - start[0])
            data[first : first + length] = texts.data[start[0] : stop[-1]]
        else:
            copy_to(texts.data, start, stop, new_start[places], data)
    new_start[absent] = new_stop[absent] = -1
    return Texts(data, new_start, new_stop)


def _packed(start: NDArray[np.int64], stop: NDArray[np.int64]) -> bool:
    """Whether texts lie one behind the other, so that they can be copied in one go."""
    return bool(start[0] >= 0 and (start[1:] == stop[:-1]).all())
