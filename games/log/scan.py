"""Values in the text of a log, parsed byte by byte: compiled, strict, without copying.

Each function takes the bytes and a position and returns the value with the position after it; a
position of -1 means *not the plain spelling*: the line then goes to `form.py`, and only that module
rejects lines. Buffers are padded with `PADDING` zero bytes, so that a word may be read at any byte
of a line.
"""

from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic

from games.kernel import jit

PADDING = 32
NO_CARD = 255
JOKER = 52
NAMED = 64
"""A joker that its holder named is `NAMED + card`."""

QUOTE, COMMA, COLON, SPACE, MINUS, PLUS, TAB = 34, 44, 58, 32, 45, 43, 9
POINT, LETTER_T, LETTER_Z = 46, 84, 90
OPEN, CLOSE, OPEN_LIST, CLOSE_LIST = 123, 125, 91, 93

ID_BYTES = np.zeros(256, np.uint8)
ID_BYTES[[ord(c) for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.:"]] = 1
RANKS = np.full(256, 255, np.uint8)
RANKS[[ord(c) for c in "23456789TJQKA"]] = np.arange(13)
SUITS = np.full(256, 255, np.uint8)
SUITS[[ord(c) for c in "cdhs"]] = np.arange(4)
DAYS_BEFORE = np.array([0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365])


def _memory_of(typing_context: Any, array: Any) -> Any:
    """Return the array's memory as a bare pointer: an array costs a reference count per call."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, arguments[0]).data

    return types.CPointer(array.dtype)(array), generate  # type: ignore[no-untyped-call]


memory_of: Any = intrinsic(_memory_of)


def _load(bits: int) -> Any:
    """Return a load of one little-endian word at any byte, without a bounds check."""

    @intrinsic
    def load(typing_context: Any, text: Any, at: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            place = builder.gep(arguments[0], [arguments[1]])
            place = builder.bitcast(place, ir.IntType(bits).as_pointer())
            value = builder.load(place, align=1)
            return value if bits == 64 else builder.zext(value, ir.IntType(64))

        return types.int64(text, types.int64), generate

    return load


word_at = _load(64)
half_at = _load(16)
byte_at = _load(8)


@jit
def skip_space(text, at):  # type: ignore[no-untyped-def]
    """Return the first position from `at` that is neither space nor tab."""
    byte = byte_at(text, at)
    while byte in (SPACE, TAB):
        at += 1
        byte = byte_at(text, at)
    return at


@jit
def read_integer(text, at):  # type: ignore[no-untyped-def]
    """Parse an integer literal of at most 16 digits."""
    negative = byte_at(text, at) == MINUS
    if negative:
        at += 1
    first = at
    value = 0
    digit = byte_at(text, at) - 48
    while 0 <= digit <= 9:
        value = value * 10 + digit
        at += 1
        if at - first > 16:
            return 0, -1
        digit = byte_at(text, at) - 48
    if at == first or (at - first > 1 and byte_at(text, first) == 48):
        return 0, -1
    if negative:
        if value == 0:
            return 0, -1
        value = -value
    return value, at


@jit
def read_id(text, at, longest):  # type: ignore[no-untyped-def]
    """Return the closing quote of an identifier whose opening quote is at `at`."""
    if byte_at(text, at) != QUOTE:
        return -1
    at += 1
    first = at
    while ID_BYTES[byte_at(text, at)]:
        at += 1
    if byte_at(text, at) != QUOTE or at == first or at - first > longest:
        return -1
    return at


@jit
def read_text(text, at):  # type: ignore[no-untyped-def]
    """Return the end of a printable ASCII string without escapes that opens at `at`."""
    if byte_at(text, at) != QUOTE:
        return -1
    at += 1
    byte = byte_at(text, at)
    while byte != QUOTE:
        if byte < 32 or byte > 126 or byte == 92:
            return -1
        at += 1
        byte = byte_at(text, at)
    return at


@jit
def two_digits(text, at):  # type: ignore[no-untyped-def]
    """Parse two decimal digits; anything else returns a number far below zero."""
    tens = byte_at(text, at) - 48
    units = byte_at(text, at + 1) - 48
    if tens < 0 or tens > 9 or units < 0 or units > 9:
        return -1000000
    return tens * 10 + units


@jit
def days_since_1970(year, month, day):  # type: ignore[no-untyped-def]
    """Return days since 1970-01-01, or -1 for a day not in the calendar (years 1970 to 9998)."""
    if year < 1970 or year > 9998 or month < 1 or month > 12 or day < 1:
        return -1
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    length = DAYS_BEFORE[month] - DAYS_BEFORE[month - 1]
    if leap and month == 2:
        length += 1
    if day > length:
        return -1
    past = year - 1
    days = past * 365 + past // 4 - past // 100 + past // 400 - 719162
    days += DAYS_BEFORE[month - 1] + day - 1
    if leap and month > 2:
        days += 1
    return days


@jit
def read_fraction(text, at):  # type: ignore[no-untyped-def]
    """Parse microseconds after a point, one to six digits; 0 if there is no point."""
    if byte_at(text, at) != POINT:
        return 0, at
    at += 1
    micros, scale = 0, 100000
    digit = byte_at(text, at) - 48
    if digit < 0 or digit > 9:
        return 0, -1
    while 0 <= digit <= 9:
        if scale == 0:
            return 0, -1
        micros += digit * scale
        scale //= 10
        at += 1
        digit = byte_at(text, at) - 48
    return micros, at


@jit
def read_time(text, at):  # type: ignore[no-untyped-def]
    """Return microseconds since 1970 in UTC, and the position after the closing quote.

    The format is `2026-11-17T20:15:03-08:00`, with up to six digits of a second, or `Z`.
    """
    year = two_digits(text, at + 1) * 100 + two_digits(text, at + 3)
    days = days_since_1970(year, two_digits(text, at + 6), two_digits(text, at + 9))
    hour, minute = two_digits(text, at + 12), two_digits(text, at + 15)
    second = two_digits(text, at + 18)
    if days < 0 or hour < 0 or minute < 0 or second < 0:
        return 0, -1
    if hour > 23 or minute > 59 or second > 59 or byte_at(text, at) != QUOTE:
        return 0, -1
    if byte_at(text, at + 5) != MINUS or byte_at(text, at + 8) != MINUS:
        return 0, -1
    if byte_at(text, at + 11) != LETTER_T:
        return 0, -1
    if byte_at(text, at + 14) != COLON or byte_at(text, at + 17) != COLON:
        return 0, -1
    micros, at = read_fraction(text, at + 20)
    if at < 0:
        return 0, -1
    offset, at = read_offset(text, at)
    if at < 0 or byte_at(text, at) != QUOTE:
        return 0, -1
    seconds = days * 86400 + hour * 3600 + (minute - offset) * 60 + second
    return seconds * 1000000 + micros, at + 1


@jit
def read_offset(text, at):  # type: ignore[no-untyped-def]
    """Parse minutes east of UTC, `Z` or `+hh:mm`."""
    sign = byte_at(text, at)
    if sign == LETTER_Z:
        return 0, at + 1
    if sign != PLUS and sign != MINUS:
        return 0, -1
    hours, minutes = two_digits(text, at + 1), two_digits(text, at + 4)
    if byte_at(text, at + 3) != COLON or hours < 0 or hours > 23 or minutes < 0 or minutes > 59:
        return 0, -1
    offset = hours * 60 + minutes
    if sign == MINUS:
        if offset == 0:
            return 0, -1
        offset = -offset
    return offset, at + 6


@jit
def read_card(text, at):  # type: ignore[no-untyped-def]
    """Parse a card of two bytes, or return NO_CARD."""
    rank = RANKS[byte_at(text, at)]
    suit = SUITS[byte_at(text, at + 1)]
    if (rank | suit) < 16:
        return rank * 4 + suit
    if byte_at(text, at) == 74 and byte_at(text, at + 1) == 111:
        return JOKER
    return NO_CARD
