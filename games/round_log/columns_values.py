"""The values of a plain line, each into the columns of its field.

Every reader returns the byte behind the value, or -1 where the spelling is not the plain one or
the value does not fit; a record is the field's place in the program.
"""

from games.kernel import jit
from games.round_log.columns_layout import Kind
from games.round_log.columns_program import (
    COLUMN,
    FIXED_SIZES,
    JOKERS,
    KIND,
    LEAST,
    LENGTH,
    MOST,
    RECORD,
    SIZES,
    STRIDE,
)
from games.round_log.columns_scan import (
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

INTEGER, IDENTIFIER, TEXT = int(Kind.INTEGER), int(Kind.IDENTIFIER), int(Kind.TEXT)
TIME, CARDS, HANDS = int(Kind.TIME), int(Kind.CARDS), int(Kind.HANDS)
CHOICE, NOTHING, TRUTH = int(Kind.CHOICE), int(Kind.NOTHING), int(Kind.TRUTH)

TRUE, FALSE, NULL = (int.from_bytes(word, "little") for word in (b"true", b"fals", b"null"))
FOUR_BYTES = 0xFFFFFFFF
NAMING = int.from_bytes(b"o=", "little")


@jit
def spells(text, at, rules, record):  # type: ignore[no-untyped-def]
    """Whether the text at `at` is the record's word, its closing quote included."""
    if (word_at(text, at) ^ rules[record]) & rules[record + 1]:
        return False
    mask = rules[record + 3]
    return mask == 0 or ((word_at(text, at + 8) ^ rules[record + 2]) & mask) == 0


@jit
def read_cards(text, at, rules, record, cards, row):  # type: ignore[no-untyped-def]
    """A string of cards into the columns of its field; the byte behind it, or -1."""
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
    """A card of a set hand, where a joker is named, and the byte behind it."""
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
    """A string of set cards into the columns from `place` on: how many, and the byte behind."""
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
    """A list of strings of set cards, one hand behind the other."""
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
    """The code of a word among the field's own, from 1, and the byte behind it."""
    if byte_at(text, at) != QUOTE:
        return 0, -1
    code = 1
    for choice in range(rules[record + LEAST], rules[record + MOST], RECORD):
        if spells(text, at + 1, rules, choice):
            return code, at + 1 + rules[choice + LENGTH]
        code += 1
    return 0, -1


@jit
def read_word(text, at, kind):  # type: ignore[no-untyped-def]
    """`true`, `false` or `null` as 1 or 0, and the byte behind it."""
    word = word_at(text, at) & FOUR_BYTES
    if kind == NOTHING:
        return 0, (at + 4 if word == NULL else -1)
    if word == TRUE:
        return 1, at + 4
    if word == FALSE and byte_at(text, at + 4) == 101:
        return 0, at + 5
    return 0, -1


@jit
def read_number(text, at, rules, record, kind):  # type: ignore[no-untyped-def]
    """A value that is one number in its column, and the byte behind it."""
    if kind == INTEGER:
        value, at = read_integer(text, at)
        if value < rules[record + LEAST] or value > rules[record + MOST]:
            return 0, -1
        return value, at
    if kind == CHOICE:
        return read_choice(text, at, rules, record)
    return read_word(text, at, kind)


@jit
def read_string(text, at, kind, most):  # type: ignore[no-untyped-def]
    """The span of an identifier or a text, and the byte behind it."""
    end = read_id(text, at, most) if kind == IDENTIFIER else read_text(text, at)
    if end < 0:
        return 0, -1
    return ((at + 1) << SPAN_BITS) | (end - at - 1), end + 1


@jit
def skip_value(text, at):  # type: ignore[no-untyped-def]
    """Reads over a plain text, integer, truth or null."""
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
    """Any value but an object, into its columns; the byte behind it, or -1."""
    kind = rules[record + KIND]
    if kind == CARDS:
        return read_cards(text, at, rules, record, cards, row)
    if kind == HANDS:
        return read_hands(text, at, rules, record, cards, row)
    column = rules[record + COLUMN]
    if kind in (IDENTIFIER, TEXT):
        value, at = read_string(text, at, kind, rules[record + MOST])
    elif kind == TIME:
        value, at = read_time(text, at)
    else:
        value, at = read_number(text, at, rules, record, kind)
    if column >= 0:
        words[column + row] = value
    return at
