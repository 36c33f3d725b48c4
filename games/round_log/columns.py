"""Rounds as columns: one row per round and one per seat, every column flat and contiguous.

Columns hold the regular rounds of one game (`columns_layout.py`) without loss. A round that does
not fit is kept beside them as the line that it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from games.round_log.columns_layout import LAYOUTS, Field, Kind, Part
from games.round_log.columns_program import card_columns
from games.round_log.columns_scan import NO_CARD
from games.round_log.round import House, Round, Seat

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from games.round_log.columns_texts import Texts

ABSENT = -(2**63)
"""A time that is not given; an absent number is 0, an absent card NO_CARD."""

_ATTRIBUTE = {"from": "since"}


@dataclass(frozen=True, slots=True)
class Level:
    """The columns of rounds, or of seats: numbers are int64 (money in cents), cards uint8."""

    numbers: Mapping[str, NDArray[np.int64]]
    cards: Mapping[str, NDArray[np.uint8]]
    texts: Mapping[str, Texts]


@dataclass(frozen=True, slots=True)
class Columns:
    """Regular rounds of one game. Seats of round `i` are rows `first_seat[i]` to `[i + 1]`."""

    game: str
    rounds: Level
    seats: Level
    first_seat: NDArray[np.int64]
    lines: NDArray[np.int64]
    """The line of each round in its file, from 1; 0 where it came from no file."""

    def __len__(self) -> int:
        return len(self.first_seat) - 1

    def round(self, row: int) -> Round:
        """One round, as the scalar reader would have read it."""
        seats = range(int(self.first_seat[row]), int(self.first_seat[row + 1]))
        return round_of(self.game, self.rounds, row, self.seats, seats)

    def to_rounds(self) -> list[Round]:
        """All rounds, in order."""
        return [self.round(row) for row in range(len(self))]


def round_of(game: str, rounds: Level, row: int, seats: Level, seat_rows: range) -> Round:
    """The round of a row and its seats' rows."""
    parts = LAYOUTS[game].parts
    variant = "banked" if "banker" in rounds.numbers and rounds.numbers["banker"][row] else ""
    values = _values(parts[Part.ROUND], rounds, row, variant)
    if Part.HOUSE in parts:
        values["house"] = House(**_values(parts[Part.HOUSE], rounds, row, variant))
    played = tuple(_seat(game, seats, seat) for seat in seat_rows)
    return Round(game=game, seats=played, **values)


def _seat(game: str, seats: Level, row: int) -> Seat:
    parts = LAYOUTS[game].parts
    variant = play_of(game, int(seats.numbers["play"][row]) if "play" in seats.numbers else 0)
    values = _values(parts[Part.SEAT], seats, row, variant)
    if "front" in values:
        values["hands"] = tuple(values.pop(hand) for hand in ("front", "middle", "back"))
    wagers = _values(parts.get(Part.WAGERS, ()), seats, row, "")
    return Seat(**values, wagers=wagers, result=_values(parts[Part.RESULT], seats, row, ""))


def play_of(game: str, code: int) -> str:
    """The choice of `play` that a code stands for; `set` where there is none."""
    field = LAYOUTS[game].field(Part.SEAT, "play")
    return field.choices[code - 1] if field and code else "set"


def _values(fields: Sequence[Field], level: Level, row: int, variant: str) -> dict[str, Any]:
    """The values of the keys that stand in this variant."""
    return {
        _ATTRIBUTE.get(field.key, field.key): _value(field, level, row)
        for field in fields
        if field.column and field.only in ("", variant)
    }


def _value(field: Field, level: Level, row: int) -> object:
    if field.kind in (Kind.IDENTIFIER, Kind.TEXT):
        return level.texts[field.column][row]
    if field.kind is Kind.CARDS:
        held = _cards(level, card_columns(field), row)
        return None if field.optional and not held else held
    if field.kind is Kind.HANDS:
        return _hands(field, level, row)
    number = int(level.numbers[field.column][row])
    if field.kind is Kind.TRUTH:
        return bool(number)
    if field.kind is Kind.CHOICE:
        return field.choices[number - 1] if number else None
    if field.kind is Kind.TIME:
        return None if number == ABSENT else number
    return None if field.optional and not number else number


def _cards(level: Level, columns: Sequence[str], row: int) -> bytes:
    return bytes(
        int(level.cards[name][row]) for name in columns if level.cards[name][row] != NO_CARD
    )


def _hands(field: Field, level: Level, row: int) -> tuple[bytes, ...]:
    names = card_columns(field)
    cards = _cards(level, names[: field.most], row)
    sizes = field.sizes or [int(level.cards[name][row]) for name in names[field.most :]]
    hands, first = [], 0
    for size in sizes:
        hands.append(cards[first : first + size])
        first += size
    return tuple(hands)
