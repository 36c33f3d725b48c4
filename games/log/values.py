"""The values of a plain line, each parsed into the columns of its field, and the text between them.

Every function returns the position after the value, or -1 if the spelling isn't the plain one or
the value doesn't fit; a record is the field's place in the program.

Lines are written by a program, so the next one usually has the same keys in the same order. A
*shape* contains, for every value, the bytes before it (up to 32) and its field; a line that matches
the shape of a complete part is complete. Anything that differs is parsed key by key (`parse.py`).
"""

from games.kernel import jit
from games.log.field_types import Code
from games.log.layout import (
    CODE,
    COLUMN,
    FIXED_SIZES,
    JOKERS,
    LEAST,
    LENGTH,
    MOST,
    RECORD,
    SIZES,
    STRIDE,
)
from games.log.scan import (
    CLOSE_LIST,
    COMMA,
    JOKER,
    MINUS,
    NAMED,
    NO_CARD,
    OPEN_LIST,
    QUOTE,
    SPACE,
    byte_at,
    half_at,
    read_card,
    read_id,
    read_integer,
    read_text,
    read_time,
    skip_space,
    word_at,
)

SPAN_BITS = 21
"""A text's place is `first << SPAN_BITS | length`; an absent text is -1."""

INTEGER, IDENTIFIER, TEXT = int(Code.INTEGER), int(Code.IDENTIFIER), int(Code.TEXT)
TIME, CARDS, HANDS = int(Code.TIME), int(Code.CARDS), int(Code.HANDS)
CHOICE, NOTHING, TRUTH = int(Code.CHOICE), int(Code.NOTHING), int(Code.TRUTH)

TRUE, FALSE, NULL = (int.from_bytes(word, "little") for word in (b"true", b"fals", b"null"))
FOUR_BYTES = 0xFFFFFFFF
NAMING = int.from_bytes(b"o=", "little")


@jit
def spells(text, at, rules, record):  # type: ignore[no-untyped-def]
    """Return whether the text at `at` is the record's word, including its closing quote."""
    if (word_at(text, at) ^ rules[record]) & rules[record + 1]:
        return False
    mask = rules[record + 3]
    return mask == 0 or ((word_at(text, at + 8) ^ rules[record + 2]) & mask) == 0


@jit
def read_cards(text, at, rules, record, cards, row):  # type: ignore[no-untyped-def]
    """Parse a string of cards into its field's columns; return the position after it, or -1."""
    if byte_at(text, at) != QUOTE:
        return -1
    place, stride = rules[record + COLUMN] + row, rules[record + STRIDE]
    most, jokers = rules[record + MOST], rules[record + JOKERS]
    count = 0
    while count < most:
        card = read_card(text, at + 1)
        if card == NO_CARD or (card == JOKER and jokers == 0):
            return -1
        cards[place] = card
        place += stride
        count += 1
        at += 3
        if byte_at(text, at) != SPACE:
            break
    if byte_at(text, at) != QUOTE or count < rules[record + LEAST]:
        return -1
    while count < most:
        cards[place] = NO_CARD
        place += stride
        count += 1
    return at + 1


@jit
def read_set_card(text, at):  # type: ignore[no-untyped-def]
    """Parse a card of a set hand, where a joker is named; return it and the position after it."""
    card = read_card(text, at)
    if card != JOKER:
        return card, at + 2
    if half_at(text, at + 1) != NAMING:
        return NO_CARD, at
    card = read_card(text, at + 3)
    if card >= JOKER:
        return NO_CARD, at
    return card + NAMED, at + 5


@jit
def read_hand(text, at, place, stride, room, cards):  # type: ignore[no-untyped-def]
    """Parse a string of set cards into the columns from `place` on; return count and position."""
    if byte_at(text, at) != QUOTE:
        return 0, -1
    count = 0
    while True:
        card, at = read_set_card(text, at + 1)
        if card == NO_CARD or count == room:
            return 0, -1
        cards[place + stride * count] = card
        count += 1
        if byte_at(text, at) != SPACE:
            return count, (at + 1 if byte_at(text, at) == QUOTE else -1)


@jit
def read_hands(text, at, rules, record, cards, row):  # type: ignore[no-untyped-def]
    """Parse a list of strings of set cards, one hand after another."""
    if byte_at(text, at) != OPEN_LIST:
        return -1
    place, stride = rules[record + COLUMN] + row, rules[record + STRIDE]
    most, hands = rules[record + MOST], rules[record + LEAST]
    count = 0
    for hand in range(hands):
        at = skip_space(text, at + 1)
        size, at = read_hand(text, at, place + stride * count, stride, most - count, cards)
        if at < 0:
            return -1
        count += size
        if rules[FIXED_SIZES] == 0:
            cards[place + stride * (most + hand)] = size
        elif size != rules[SIZES + hand]:
            return -1
        at = skip_space(text, at)
        if byte_at(text, at) != (CLOSE_LIST if hand == hands - 1 else COMMA):
            return -1
    for missing in range(count, most):
        cards[place + stride * missing] = NO_CARD
    return at + 1


@jit
def read_choice(text, at, rules, record):  # type: ignore[no-untyped-def]
    """Return the code of a word among the field's own, from 1, and the position after it."""
    if byte_at(text, at) != QUOTE:
        return 0, -1
    code = 1
    for choice in range(rules[record + LEAST], rules[record + MOST], RECORD):
        if spells(text, at + 1, rules, choice):
            return code, at + 1 + rules[choice + LENGTH]
        code += 1
    return 0, -1


@jit
def read_word(text, at, code):  # type: ignore[no-untyped-def]
    """Parse `true`, `false` or `null` as 1 or 0; return it and the position after it."""
    word = word_at(text, at) & FOUR_BYTES
    if code == NOTHING:
        return 0, (at + 4 if word == NULL else -1)
    if word == TRUE:
        return 1, at + 4
    if word == FALSE and byte_at(text, at + 4) == 101:
        return 0, at + 5
    return 0, -1


@jit
def read_number(text, at, rules, record, code):  # type: ignore[no-untyped-def]
    """Parse a value that is one number in its column; return it and the position after it."""
    if code == INTEGER:
        value, at = read_integer(text, at)
        if value < rules[record + LEAST] or value > rules[record + MOST]:
            return 0, -1
        return value, at
    if code == CHOICE:
        return read_choice(text, at, rules, record)
    return read_word(text, at, code)


@jit
def read_string(text, at, code, least, most):  # type: ignore[no-untyped-def]
    """Return the span of an identifier or a text, and the position after it.

    A text that may be too long, by its bytes, is not plain: its characters must be counted.
    """
    end = read_id(text, at, most) if code == IDENTIFIER else read_text(text, at)
    if end < 0 or end - at - 1 < least or end - at - 1 > most > 0:
        return 0, -1
    return ((at + 1) << SPAN_BITS) | (end - at - 1), end + 1


@jit
def skip_value(text, at):  # type: ignore[no-untyped-def]
    """Skip a plain text, integer, boolean or null."""
    byte = byte_at(text, at)
    if byte == QUOTE:
        end = read_text(text, at)
        return end + 1 if end >= 0 else -1
    if byte == MINUS or 48 <= byte <= 57:
        _, at = read_integer(text, at)
        return at
    _, end = read_word(text, at, NOTHING)
    if end < 0:
        _, end = read_word(text, at, TRUTH)
    return end


@jit
def read_value(text, at, rules, record, words, cards, row):  # type: ignore[no-untyped-def]
    """Parse any value but an object into its columns; return the position after it, or -1."""
    code = rules[record + CODE]
    if code == CARDS:
        return read_cards(text, at, rules, record, cards, row)
    if code == HANDS:
        return read_hands(text, at, rules, record, cards, row)
    column = rules[record + COLUMN]
    if code in (IDENTIFIER, TEXT):
        value, at = read_string(text, at, code, rules[record + LEAST], rules[record + MOST])
    elif code == TIME:
        value, at = read_time(text, at)
    else:
        value, at = read_number(text, at, rules, record, code)
    if column >= 0:
        words[column + row] = value
    return at


# The parser's state: which keys each part has so far, the current part, the previous key, the seat
# numbers seen, the rows it fills, whether the line is this game's; then how many values were traced
# since the part began, where the last of them ended, the seat's shape that was used last, and the
# line's version. From `FOLLOW` on is the key that last followed each key (and each
# part's beginning), from `TRACE` on each value's record, the end of the one before, its begin.
SEEN, PART, PREVIOUS, NUMBERS, ROUND_ROW, SEAT_ROW, LAST_SEAT, GAME_MET = 0, 5, 6, 7, 8, 9, 10, 11
TRACED, ENDED, USED, VERSION_MET = 12, 13, 14, 15
FOLLOW, TRACE, MOST_TRACED = 16, 96, 30
HEAD, TAIL, SEAT_SHAPES = 192, 544, 560
SHAPE, SHAPES = 352, 6
STATE = SEAT_SHAPES + SHAPES * SHAPE

# A shape: how many values (0: not learned, negative: from a line not yet accepted), the keys it
# has, the house's keys or the code of `play`, whether columns of absent keys must be filled; then
# steps.
COUNT, KEYS_SEEN, HOUSE_SEEN, BLANKS, FIRST_STEP = 0, 1, 2, 3, 4
STEP = 10
LONGEST = 32


@jit
def trace(state, record, at):  # type: ignore[no-untyped-def]
    """Record where a value begins."""
    count = state[TRACED]
    if count < MOST_TRACED:
        place = TRACE + 3 * count
        state[place], state[place + 1], state[place + 2] = record, state[ENDED], at
    state[TRACED] = count + 1


@jit
def learn_step(text, state, step, record, begin, end):  # type: ignore[no-untyped-def]
    """Write a step: the bytes from `begin` to `end`, and the record of the value after them."""
    state[step], state[step + 1] = record, end - begin
    for word in range(4):
        length = min(max(end - begin - 8 * word, 0), 8)
        mask = -1 if length == 8 else (1 << (8 * length)) - 1
        state[step + 2 + 2 * word] = word_at(text, begin + 8 * word) & mask
        state[step + 3 + 2 * word] = mask
    return end - begin <= LONGEST


@jit
def learn(text, state, shape, end):  # type: ignore[no-untyped-def]
    """Write the shape of the part that was traced and ends before `end`; 0 values if it can't."""
    count = state[TRACED]
    state[shape + COUNT] = 0
    if count > MOST_TRACED:
        return
    fits = True
    for value in range(count):
        place = TRACE + 3 * value
        fits &= learn_step(
            text, state, shape + FIRST_STEP + STEP * value,
            state[place], state[place + 1], state[place + 2],
        )  # fmt: skip
    fits &= learn_step(text, state, shape + FIRST_STEP + STEP * count, 0, state[ENDED], end)
    if fits:
        state[shape + COUNT] = count


@jit
def matches(text, at, state, step):  # type: ignore[no-untyped-def]
    """Return the position after a step's bytes, or -1 if the bytes differ."""
    if (word_at(text, at) ^ state[step + 2]) & state[step + 3]:
        return -1
    length = state[step + 1]
    if length > 8:
        if (word_at(text, at + 8) ^ state[step + 4]) & state[step + 5]:
            return -1
        if length > 16 and (
            (word_at(text, at + 16) ^ state[step + 6]) & state[step + 7]
            or (word_at(text, at + 24) ^ state[step + 8]) & state[step + 9]
        ):
            return -1
    return at + length
