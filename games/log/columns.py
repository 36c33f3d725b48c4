"""Rounds as columns: one row per round and one per seat, every column flat and contiguous.

Columns contain the regular rounds of one game (`layout.py`) without loss. A round that doesn't fit
is kept as its original line instead. Short texts are bytes in one block, with the offsets where
each begins and ends. Rounds can be picked from several column sets and put in a new order.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from games.kernel import jit
from games.log.field_types import SetHands
from games.log.layout import LATER_TEXTS, ON_CARDS, ON_TEXTS, Part, card_columns, parts_of
from games.log.round import House, Round, Seat
from games.log.scan import NO_CARD

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from games.log.schema import Field


@jit
def copy_texts(data, start, stop, offsets, packed):  # type: ignore[no-untyped-def]
    """Pack the texts one after another, in Arrow's format."""
    behind = 0
    for row in range(start.size):
        offsets[row] = behind
        for at in range(start[row], stop[row]):
            packed[behind] = data[at]
            behind += 1
    offsets[start.size] = behind


@dataclass(frozen=True, slots=True)
class Texts:
    """One text per row; a row without one begins and ends at -1."""

    data: NDArray[np.uint8]
    start: NDArray[np.int64]
    stop: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.start)

    def __getitem__(self, row: int) -> str | None:
        first = int(self.start[row])
        return None if first < 0 else self.data[first : int(self.stop[row])].tobytes().decode()

    def encoded(self, row: int) -> bytes:
        """Return a row's text as stored; no bytes if it has none."""
        return self.data[self.start[row] : self.stop[row]].tobytes()

    def arrow(self) -> pa.StringArray:
        """Return the same texts in Arrow's format."""
        offsets = np.empty(len(self) + 1, np.int32)
        packed = np.empty(int((self.stop - self.start).sum()), np.uint8)
        copy_texts(self.data, self.start, self.stop, offsets, packed)
        absent = self.start < 0
        present = None
        if absent.any():
            present = pa.py_buffer(np.packbits(~absent, bitorder="little"))
        return pa.StringArray.from_buffers(
            len(self), pa.py_buffer(offsets), pa.py_buffer(packed), present
        )

    @staticmethod
    def of_arrow(array: pa.Array) -> Texts:
        """Return Arrow's texts in place; a dictionary's words aren't copied out."""
        if isinstance(array, pa.DictionaryArray):
            return _of_dictionary(array)
        _, places, data = array.buffers()
        offsets = np.frombuffer(places, np.int32)[array.offset : array.offset + len(array) + 1]
        raw = np.frombuffer(data, np.uint8) if data is not None else np.empty(0, np.uint8)
        if array.null_count == len(array):
            nowhere = np.full(len(array), -1, np.int64)
            return Texts(raw, nowhere, nowhere)
        wide = offsets.astype(np.int64)
        start, stop = wide[:-1], wide[1:]
        if array.null_count:
            absent = absent_in(array)
            start, stop = np.where(absent, -1, start), np.where(absent, -1, stop)
        return Texts(raw, start, stop)

    @staticmethod
    def of(texts: Sequence[str | None]) -> Texts:
        """Build texts from Python strings."""
        return Texts.of_arrow(pa.array(texts, pa.string()))


def _of_dictionary(array: pa.DictionaryArray) -> Texts:
    words = Texts.of_arrow(array.dictionary)
    if not len(words):
        absent = np.full(len(array), -1, np.int64)
        return Texts(words.data, absent, absent)
    codes = np.frombuffer(array.buffers()[1], np.int32)[array.offset : array.offset + len(array)]
    if not array.null_count:
        return Texts(words.data, words.start[codes], words.stop[codes])
    nowhere = absent_in(array)
    given = np.where(nowhere, 0, codes)  # where there is no text, any code will do
    start, stop = words.start[given], words.stop[given]
    start[nowhere] = stop[nowhere] = -1
    return Texts(words.data, start, stop)


def absent_in(array: pa.Array) -> NDArray[np.bool_]:
    """Return where an array is null.

    Arrow's own `is_null` loads its functions first, which takes a tenth of a second: long enough to
    find a requested round.
    """
    present = array.buffers()[0]
    if present is None:
        return np.zeros(len(array), np.bool_)
    bits = np.unpackbits(np.frombuffer(present, np.uint8), bitorder="little")
    absent: NDArray[np.bool_] = bits[array.offset : array.offset + len(array)] == 0
    return absent


@dataclass(frozen=True, slots=True)
class Level:
    """The columns of rounds, or of seats: numbers are int64 (money in cents), cards uint8."""

    numbers: Mapping[str, NDArray[np.int64]]
    cards: Mapping[str, NDArray[np.uint8]]
    texts: Mapping[str, Texts]
    """Of `LATER_TEXTS`, only those that some row has."""

    def text(self, name: str) -> Texts:
        """Return a column of texts, empty ones if no row has any."""
        if name in self.texts:
            return self.texts[name]
        nowhere = np.full(len(next(iter(self.numbers.values()))), -1, np.int64)
        return Texts(np.empty(0, np.uint8), nowhere, nowhere)


@dataclass(frozen=True, slots=True)
class Columns:
    """Regular rounds of one game. Seats of round `i` are rows `first_seat[i]` to `[i + 1]`."""

    game: str
    rounds: Level
    seats: Level
    first_seat: NDArray[np.int64]
    lines: NDArray[np.int64]
    """The line of each round in its file, from 1; 0 if it came from no file."""

    def __len__(self) -> int:
        return len(self.first_seat) - 1

    def round(self, row: int) -> Round:
        """Return one round, as the scalar parser would have read it."""
        seats = range(int(self.first_seat[row]), int(self.first_seat[row + 1]))
        return round_of(self.game, self.rounds, row, self.seats, seats)

    def to_rounds(self) -> list[Round]:
        """Return all rounds, in order."""
        return [self.round(row) for row in range(len(self))]


def round_of(game: str, rounds: Level, row: int, seats: Level, seat_rows: range) -> Round:
    """Build the round from a row and its seats' rows."""
    parts = parts_of(game)
    case = _case(game, Part.ROUND, rounds, row)
    values = _values(parts[Part.ROUND], rounds, row, case)
    if parts[Part.HOUSE]:
        values["house"] = House(**_values(parts[Part.HOUSE], rounds, row, case))
    played = tuple(_seat(game, seats, seat) for seat in seat_rows)
    return Round(game=game, seats=played, **values)


def _seat(game: str, seats: Level, row: int) -> Seat:
    parts = parts_of(game)
    return Seat(
        **_values(parts[Part.SEAT], seats, row, _case(game, Part.SEAT, seats, row)),
        wagers=_values(parts[Part.WAGERS], seats, row, ""),
        result=_values(parts[Part.RESULT], seats, row, ""),
    )


def _case(game: str, part: Part, level: Level, row: int) -> str:
    for field in parts_of(game)[part]:
        if field.decides:
            value = field.type.from_number(int(level.numbers[field.column][row]))
            return (value if isinstance(value, str) else field.key) if value else ""
    return ""


def _values(fields: Sequence[Field], level: Level, row: int, case: str) -> dict[str, Any]:
    """Return the values of the fields that belong to this case."""
    values: dict[str, Any] = {}
    for field in fields:
        if field.is_stored and field.case in (None, case):
            field.add_to(values, _value(field, level, row))
    return values


def _value(field: Field, level: Level, row: int) -> object:
    if field.type.code in ON_TEXTS:
        texts = level.texts.get(field.column)
        return None if texts is None else texts[row]
    if isinstance(field.type, SetHands):
        return _hands(field.type, level, card_columns(field), row)
    if field.type.code in ON_CARDS:
        cards = _cards(level, card_columns(field), row)
        return None if field.optional and not cards else cards
    return field.type.from_number(int(level.numbers[field.column][row]))


def _cards(level: Level, columns: Sequence[str], row: int) -> bytes:
    return bytes(
        int(level.cards[name][row]) for name in columns if level.cards[name][row] != NO_CARD
    )


def _hands(hands: SetHands, level: Level, columns: Sequence[str], row: int) -> tuple[bytes, ...]:
    cards = _cards(level, columns[: hands.most], row)
    sizes = hands.sizes or [int(level.cards[name][row]) for name in columns[hands.most :]]
    ends = list(accumulate(sizes))
    return tuple(cards[end - size : end] for size, end in zip(sizes, ends, strict=True))


@dataclass(frozen=True, slots=True)
class Pick:
    """Some rounds of some columns, and the places that they get."""

    columns: Columns
    rows: NDArray[np.int64]
    places: NDArray[np.int64]


@jit
def spread(begin, count, place, old_seats, new_seats):  # type: ignore[no-untyped-def]
    """Return the rows of the rounds' seats, and the places that these get."""
    row = 0
    for pick in range(begin.size):
        for seat in range(count[pick]):
            old_seats[row], new_seats[row] = begin[pick] + seat, place[pick] + seat
            row += 1


@jit
def copy_to(data, start, stop, place, packed):  # type: ignore[no-untyped-def]
    """Copy texts to where their places begin; an absent one has no bytes."""
    for pick in range(start.size):
        at = place[pick]
        for byte in range(start[pick], stop[pick]):
            packed[at] = data[byte]
            at += 1


def picked(picks: Sequence[Pick]) -> Columns:
    """Combine several column sets into one; the places run from 0 on, each used once."""
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
    """Return the same rows and places as contiguous stretches, each copied in one operation."""
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
    later = [name for name in LATER_TEXTS if any(name in level.texts for level in levels)]
    texts = [name for name in names.texts if name not in later] + later
    return Level(
        {name: columns(lambda level: level.numbers, name, np.int64) for name in names.numbers},
        {name: columns(lambda level: level.cards, name, np.uint8) for name in names.cards},
        {
            name: picked_texts([level.text(name) for level in levels], moves, total)
            for name in texts
        },
    )


def picked_texts(columns: Sequence[Texts], moves: Sequence[_Moves], total: int) -> Texts:
    """Combine one column of texts from several sets, packed in the new order."""
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
    """Return whether texts are contiguous, so that they can be copied in one operation."""
    return bool(start[0] >= 0 and (start[1:] == stop[:-1]).all())
