"""A layout as arrays of numbers, which the compiled reader follows key by key."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from games.round_log.columns_layout import LAYOUTS, Field, Kind, Layout, Part

# One array of int64 holds a program: the parts, then a record for every key in the order of the
# parts, then a record for every choice. Several arrays in a tuple cost a reference count at each
# call, twenty times the reading itself.
START, OWNER, PLAY, SEAT_NUMBER, BANKER, DEALER = 0, 6, 11, 12, 13, 14
FIXED_SIZES, SIZES, NEED, MAY, KEYS = 15, 16, 24, 64, 104
FIRST_KEY = 105
RECORD = 12
LENGTH, KIND, COLUMN, STRIDE, LEAST, MOST, JOKERS, BLANK = 4, 5, 6, 7, 8, 9, 10, 11


@dataclass(frozen=True, slots=True)
class Names:
    """The columns of a game, by type and level, in the order of their slots."""

    round_numbers: tuple[str, ...]
    round_cards: tuple[str, ...]
    round_texts: tuple[str, ...]
    seat_numbers: tuple[str, ...]
    seat_cards: tuple[str, ...]
    seat_texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Places:
    """Where each column begins: texts and numbers in one store of words, cards in one of bytes."""

    rounds: int
    seats: int
    """How many rows a column of each level has room for."""
    round: dict[str, int]
    seat: dict[str, int]


VARIANTS = 8
"""Variant 0 has neither `play` nor a banker; `play`'s choices count from 1, a banker is 1."""


def card_columns(field: Field) -> list[str]:
    """The columns of a field's cards, and of the sizes of hands that are not fixed."""
    count = field.most
    names = [f"{field.column}_{field.first + place + 1}" for place in range(count)]
    if count == 1:
        names = [field.column]
    if field.kind is Kind.HANDS and not field.sizes:
        names += [f"{field.column}_size_{hand + 1}" for hand in range(field.least)]
    return names


def _slots(fields: Iterable[Field]) -> tuple[list[str], list[str], list[str]]:
    numbers: list[str] = []
    cards: list[str] = []
    texts: list[str] = []
    for field in fields:
        if field.kind in (Kind.CARDS, Kind.HANDS):
            cards += [name for name in card_columns(field) if name not in cards]
        elif field.kind in (Kind.IDENTIFIER, Kind.TEXT):
            texts.append(field.column)
        elif field.column:
            numbers.append(field.column)
    return numbers, cards, texts


@cache
def names_of(game: str) -> Names:
    """The names of a game's columns."""
    parts = LAYOUTS[game].parts
    outer = [*parts[Part.ROUND], *parts.get(Part.HOUSE, ())]
    inner = [*parts[Part.SEAT], *parts.get(Part.WAGERS, ()), *parts[Part.RESULT]]
    return Names(*map(tuple, (*_slots(outer), *_slots(inner))))


def _variants(layout: Layout, part: Part) -> list[str]:
    """The names of a part's variants, in the order of their codes."""
    if part in (Part.ROUND, Part.HOUSE):
        return ["", "banked"]
    play = layout.field(Part.SEAT, "play")
    return ["set", *(play.choices if play else ())]


def _bits(layout: Layout, part: Part) -> tuple[list[int], list[int]]:
    need, may = [0] * VARIANTS, [0] * VARIANTS
    for variant, name in enumerate(_variants(layout, part)):
        for place, field in enumerate(layout.parts.get(part, ())):
            if field.only in ("", name):
                may[variant] |= 1 << place
                if not field.optional:
                    need[variant] |= 1 << place
    for variant in range(len(_variants(layout, part)), VARIANTS):
        need[variant] = 1 << 62
    return need, may


def _blank(layout: Layout, part: Part, field: Field) -> bool:
    """Whether its columns are to be filled where it is missing, and no other field fills them.

    So it is where a round may lack it; and of `play`, since a seat's variant is read there before
    anybody knows what the seat lacks.
    """
    others = [
        other
        for other in layout.parts[part]
        if other is not field and other.kind is Kind.CARDS and other.column == field.column
    ]
    read = field.optional or bool(field.only) or field.key == "play"
    return bool(field.column) and read and not others


def _owner(fields: list[tuple[Part, Field]], part: Part) -> int:
    """The key whose value a part is."""
    for place, (_, field) in enumerate(fields):
        if field.kind is Kind.OBJECT and field.least == part:
            return place
        if field.kind is Kind.SEATS and part is Part.SEAT:
            return place
    return -1


def program_of(game: str, places: Places) -> NDArray[np.int64]:
    """The program of a game's layout, for columns that lie at these places."""
    layout = LAYOUTS[game]
    fields = [(part, field) for part in Part for field in layout.parts.get(part, ())]
    program = [0] * FIRST_KEY
    program[KEYS] = len(fields)
    for bound in range(len(Part) + 1):
        program[START + bound] = sum(1 for part, _ in fields if part < bound)
    for part in Part:
        program[OWNER + part] = _owner(fields, part)
        need, may = _bits(layout, part)
        program[NEED + part * VARIANTS : NEED + (part + 1) * VARIANTS] = need
        program[MAY + part * VARIANTS : MAY + (part + 1) * VARIANTS] = may
    for place, column in ((PLAY, "play"), (SEAT_NUMBER, "seat")):
        program[place] = places.seat.get(column, -1)
    for place, column in ((BANKER, "banker"), (DEALER, "dealer")):
        program[place] = places.round.get(column, -1)
    sizes = next((field.sizes for _, field in fields if field.sizes), ())
    program[FIXED_SIZES] = len(sizes)
    program[SIZES : SIZES + len(sizes)] = sizes
    choices: list[int] = []
    for part, field in fields:
        least, most = field.least, field.most
        if field.kind in (Kind.CHOICE, Kind.GAME):
            least = FIRST_KEY + RECORD * len(fields) + len(choices)
            for text in field.choices or (game,):
                choices += _record(text, ())
            most = least + RECORD * len(field.choices or (game,))
        outer = part <= Part.HOUSE
        begins = _column(field, places.round if outer else places.seat)
        stride = places.rounds if outer else places.seats
        flags = (int(field.jokers), int(_blank(layout, part, field)))
        program += _record(field.key, (field.kind, begins, stride, least, most, *flags))
    return np.array(program + choices, np.int64)


def _column(field: Field, places: dict[str, int]) -> int:
    if not field.column:
        return -1
    if field.kind in (Kind.CARDS, Kind.HANDS):
        return places[card_columns(field)[0]]
    return places[field.column]


def _record(text: str, values: tuple[int, ...]) -> list[int]:
    """A word with its closing quote as two words with their masks, its length, and values."""
    raw = (text + '"').encode()
    mask = b"\xff" * len(raw)
    words = [
        int.from_bytes(part.ljust(16, b"\0")[half : half + 8], "little", signed=True)
        for half in (0, 8)
        for part in (raw, mask)
    ]
    record = [*words, len(raw), *values]
    return record + [0] * (RECORD - len(record))
