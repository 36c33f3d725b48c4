"""Which columns a game's rounds fill: one row per round, one row per seat, every column flat.

A round is *regular* if it fits these columns without loss: the numbers of cards that the game
deals, no joker if the game has none, not void, no field of its own (`x_...`), no list of
irregularities. The texts of version 2 have columns only where a round has one, so that they cost
nothing elsewhere. Every other round keeps the text of its line instead; the rules of the game are
checked elsewhere. `program_of` returns the form of a game's lines as an array of numbers, which the
compiled parser follows key by key.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import cache

import numpy as np
from numpy.typing import NDArray

from games.log.field_types import MOST_SEATS, Choice, Code, Object, SeatNumber, SetHands
from games.log.schema import (
    HOUSE,
    RESULTS,
    ROUND,
    SEAT,
    SEATS,
    SINCE_VERSION_2,
    WAGERS,
    Field,
    cases_of,
    form_of,
)


class Part(IntEnum):
    """The objects of a line, outermost first."""

    ROUND = 0
    HOUSE = 1
    SEAT = 2
    WAGERS = 3
    RESULT = 4


_OPENS = {HOUSE: Part.HOUSE, SEATS: Part.SEAT, WAGERS: Part.WAGERS, RESULTS: Part.RESULT}

ON_CARDS = (Code.CARDS, Code.HANDS)
ON_TEXTS = (Code.IDENTIFIER, Code.TEXT)
LATER = tuple(field for field in SINCE_VERSION_2 if field.type.code in ON_TEXTS)
LATER_TEXTS = tuple(field.column for field in LATER)
"""Columns that a set of columns may lack: then none of its rounds has such a text."""


@cache
def parts_of(game: str) -> dict[Part, tuple[Field, ...]]:
    """Return the fields of each object of a game's lines."""
    form = form_of(game)
    house = (HOUSE,) if form.house else ()
    wagers = (WAGERS,) if form.wagers else ()
    return {
        Part.ROUND: (*ROUND, *form.round, *LATER, *house, SEATS),
        Part.HOUSE: form.house,
        Part.SEAT: (*SEAT, *form.seat, *wagers, RESULTS),
        Part.WAGERS: form.wagers,
        Part.RESULT: form.results,
    }


# One array of int64 contains a program: the parts, then a record for every key in the order of the
# parts, then a record for every choice. Several arrays in a tuple would cost a reference count per
# call, twenty times the parsing itself.
START, OWNER, PLAY, SEAT_NUMBER, BANKER, DEALER = 0, 6, 11, 12, 13, 14
FIXED_SIZES, SIZES, NEED, MAY, KEYS, NEEDS_VERSION_2 = 15, 16, 24, 64, 104, 105
FIRST_KEY = 106
RECORD = 12
LENGTH, CODE, COLUMN, STRIDE, LEAST, MOST, JOKERS, BLANK = 4, 5, 6, 7, 8, 9, 10, 11

CASES = 8
"""Room for the cases of a part."""


@dataclass(frozen=True, slots=True)
class Names:
    """The columns of a game, by type and level, in the order of their slots."""

    round_numbers: tuple[str, ...]
    round_cards: tuple[str, ...]
    round_texts: tuple[str, ...]
    """Without those of `LATER_TEXTS`."""
    seat_numbers: tuple[str, ...]
    seat_cards: tuple[str, ...]
    seat_texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Places:
    """Where each column begins: texts and numbers in one array of words, cards in one of bytes."""

    rounds: int
    seats: int
    """How many rows a column of each level has room for."""
    round: dict[str, int]
    seat: dict[str, int]


def bounds_of(field: Field) -> tuple[int, int]:
    """Return the bounds of what its columns store: of a number, a length, or the cards."""
    if isinstance(field.type, SeatNumber):
        return field.type.least, MOST_SEATS
    return getattr(field.type, "least", 0), getattr(field.type, "most", 0)


@cache
def card_columns(field: Field) -> tuple[str, ...]:
    """Return the columns of a field's cards, and of the sizes of hands that are not fixed."""
    least, most = bounds_of(field)
    if most == 1:
        return (field.column,)
    names = [f"{field.column}_{field.first + place + 1}" for place in range(most)]
    if isinstance(field.type, SetHands) and not field.type.sizes:
        names += [f"{field.column}_size_{hand + 1}" for hand in range(least)]
    return tuple(names)


def _slots(fields: Iterable[Field]) -> tuple[list[str], list[str], list[str]]:
    numbers: list[str] = []
    cards: list[str] = []
    texts: list[str] = []
    for field in fields:
        if field.type.code in ON_CARDS:
            cards += [name for name in card_columns(field) if name not in cards]
        elif field.type.code in ON_TEXTS:
            texts.append(field.column)
        elif field.is_stored:
            numbers.append(field.column)
    return numbers, cards, texts


@cache
def names_of(game: str) -> Names:
    """Return the names of a game's columns."""
    parts = parts_of(game)
    outer = [f for f in parts[Part.ROUND] if f not in LATER] + list(parts[Part.HOUSE])
    inner = parts[Part.SEAT] + parts[Part.WAGERS] + parts[Part.RESULT]
    return Names(*map(tuple, (*_slots(outer), *_slots(inner))))


def _bits(game: str, part: Part) -> tuple[list[int], list[int]]:
    """Return which keys a part needs and may have in each case; no case else is ever complete."""
    need, may = [1 << 62] * CASES, [0] * CASES
    parts = parts_of(game)
    for code, case in enumerate(("", *cases_of(parts[Part.ROUND if part is Part.HOUSE else part]))):
        need[code] = 0
        for place, field in enumerate(parts[part]):
            if field.case in (None, case):
                may[code] |= 1 << place
                need[code] |= 0 if field.optional else 1 << place
    return need, may


def _blank(fields: Iterable[Field], field: Field) -> bool:
    """Return whether its columns must be filled if it is missing, and no other field fills them.

    They must be where a round may lack it. The same goes for what decides a case, because it is
    read from there before it is known what the part lacks.
    """
    others = [
        other
        for other in fields
        if other is not field and other.type.code is Code.CARDS and other.column == field.column
    ]
    lacks = field.optional or field.case is not None or field.decides
    return field.is_stored and lacks and not others


def program_of(game: str, places: Places) -> NDArray[np.int64]:
    """Return the program of a game's form, for columns at these places."""
    parts = parts_of(game)
    fields = [(part, field) for part in Part for field in parts[part]]
    program = [0] * FIRST_KEY
    program[KEYS] = len(fields)
    program[NEEDS_VERSION_2] = sum(
        1 << place for place, field in enumerate(parts[Part.ROUND]) if field in LATER
    )
    program[OWNER : OWNER + len(Part)] = [-1] * len(Part)
    for part in Part:
        program[START + part + 1] = program[START + part] + len(parts[part])
        need, may = _bits(game, part)
        program[NEED + part * CASES : NEED + (part + 1) * CASES] = need
        program[MAY + part * CASES : MAY + (part + 1) * CASES] = may
    for place, column in ((PLAY, "play"), (SEAT_NUMBER, "seat")):
        program[place] = places.seat.get(column, -1)
    for place, column in ((BANKER, "banker"), (DEALER, "dealer")):
        program[place] = places.round.get(column, -1)
    choices: list[int] = []
    for place, (part, field) in enumerate(fields):
        least, most = bounds_of(field)
        if isinstance(field.type, Object):
            least = _OPENS[field]
            program[OWNER + least] = place
        elif isinstance(field.type, Choice):
            words = (game,) if field.type.code is Code.GAME else field.type.words
            least = FIRST_KEY + RECORD * len(fields) + len(choices)
            most = least + RECORD * len(words)
            choices += [number for word in words for number in _record(word)]
        elif isinstance(field.type, SetHands):
            program[FIXED_SIZES] = len(field.type.sizes)
            program[SIZES : SIZES + len(field.type.sizes)] = field.type.sizes
        columns, stride = places.seat, places.seats
        if part <= Part.HOUSE:
            columns, stride = places.round, places.rounds
        flags = int(getattr(field.type, "jokers", False)), int(_blank(parts[part], field))
        begins = _begin(field, columns)
        program += _record(field.key, field.type.code, begins, stride, least, most, *flags)
    return np.array(program + choices, np.int64)


def _begin(field: Field, columns: dict[str, int]) -> int:
    if not field.is_stored:
        return -1
    return columns[card_columns(field)[0] if field.type.code in ON_CARDS else field.column]


def _record(text: str, *values: int) -> list[int]:
    """Return a word with its closing quote as two words with masks, its length, and values."""
    raw = (text + '"').encode()
    mask = b"\xff" * len(raw)
    words = [
        int.from_bytes(part.ljust(16, b"\0")[half : half + 8], "little", signed=True)
        for half in (0, 8)
        for part in (raw, mask)
    ]
    record = [*words, len(raw), *values]
    return record + [0] * (RECORD - len(record))
