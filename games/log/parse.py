"""The parser of plain lines: follows a game's program through the text and fills its columns.

It accepts a line only if it follows the contract's form, is regular and spelled plainly: no
escapes, and at most one plain field of the operator's own per object. For any other line it returns
that it didn't, and leaves no trace. It expects keys in the order in which it last saw them, but
finds them in any order.
"""

import numpy as np

from games.kernel import jit
from games.log.field_types import ABSENT, Code
from games.log.layout import (
    BANKER,
    BLANK,
    CASES,
    CODE,
    COLUMN,
    DEALER,
    FIRST_KEY,
    FIXED_SIZES,
    KEYS,
    LEAST,
    LENGTH,
    MAY,
    MOST,
    NEED,
    NEEDS_VERSION_2,
    OWNER,
    PLAY,
    RECORD,
    SEAT_NUMBER,
    START,
    STRIDE,
    Part,
)
from games.log.scan import (
    CLOSE,
    CLOSE_LIST,
    COLON,
    COMMA,
    NO_CARD,
    OPEN,
    OPEN_LIST,
    QUOTE,
    byte_at,
    half_at,
    memory_of,
    read_id,
    skip_space,
)
from games.log.values import (
    BLANKS,
    CARDS,
    COUNT,
    ENDED,
    FIRST_STEP,
    FOLLOW,
    GAME_MET,
    HANDS,
    HEAD,
    HOUSE_SEEN,
    IDENTIFIER,
    INTEGER,
    KEYS_SEEN,
    LAST_SEAT,
    NUMBERS,
    PART,
    PREVIOUS,
    ROUND_ROW,
    SEAT_ROW,
    SEAT_SHAPES,
    SEEN,
    SHAPE,
    SHAPES,
    STEP,
    TAIL,
    TEXT,
    TIME,
    TRACED,
    USED,
    VERSION_MET,
    learn,
    learn_step,
    matches,
    read_choice,
    read_number,
    read_value,
    skip_value,
    spells,
    trace,
)

OBJECT, SEATS = int(Code.OBJECT), int(Code.SEATS)
GAME, VERSION = int(Code.GAME), int(Code.VERSION)
ROUND, HOUSE, SEAT = int(Part.ROUND), int(Part.HOUSE), int(Part.SEAT)
NEWLINE, RETURN = 10, 13
OWN, OWN_FIELD, OWN_BEGINS = -2, 1 << 61, int.from_bytes(b"x_", "little")
LONGEST_OWN, NO_RECORD = 64, 0


@jit
def fill_blank(rules, record, words, cards, row):  # type: ignore[no-untyped-def]
    """Write the value of an absent key into its columns."""
    code = rules[record + CODE]
    place, stride = rules[record + COLUMN] + row, rules[record + STRIDE]
    if code in (CARDS, HANDS):
        most = rules[record + MOST]
        for card in range(most):
            cards[place + card * stride] = NO_CARD
        if code == HANDS and rules[FIXED_SIZES] == 0:
            for hand in range(rules[record + LEAST]):
                cards[place + (most + hand) * stride] = 0
    elif code in (IDENTIFIER, TEXT):
        words[place] = -1
    elif code == TIME:
        words[place] = ABSENT
    else:
        words[place] = 0


@jit
def fill_blanks(rules, part, seen, words, cards, row):  # type: ignore[no-untyped-def]
    """Fill the columns of a part's absent keys."""
    first = rules[START + part]
    for key in range(first, rules[START + part + 1]):
        record = FIRST_KEY + RECORD * key
        if (seen >> (key - first)) & 1 == 0 and rules[record + BLANK]:
            fill_blank(rules, record, words, cards, row)


@jit
def lacks(rules, part, seen):  # type: ignore[no-untyped-def]
    """Return whether a part has columns to be filled for absent keys."""
    first = rules[START + part]
    for key in range(first, rules[START + part + 1]):
        if (seen >> (key - first)) & 1 == 0 and rules[FIRST_KEY + RECORD * key + BLANK]:
            return 1
    return 0


@jit
def complete(rules, part, case, seen):  # type: ignore[no-untyped-def]
    """Return whether a part has the keys it needs in this case, and no others."""
    place = part * CASES + case
    need = rules[NEED + place]
    return (seen & need) == need and (seen & ~(rules[MAY + place] | OWN_FIELD)) == 0


@jit
def close_seat(text, at, rules, state, words, cards):  # type: ignore[no-untyped-def]
    """End a seat's row; return whether the seat is regular and its number new in the round."""
    row, seen = state[SEAT_ROW], state[SEEN + SEAT]
    fill_blanks(rules, SEAT, seen, words, cards, row)
    case = words[rules[PLAY] + row] if rules[PLAY] >= 0 else 0
    bit = 1 << words[rules[SEAT_NUMBER] + row]
    fresh = state[NUMBERS] & bit == 0
    state[NUMBERS] |= bit
    state[SEAT_ROW] = row + 1
    if not (fresh and complete(rules, SEAT, case, seen)):
        return False
    shape = SEAT_SHAPES + SHAPE * case
    learn(text, state, shape, at)
    state[shape + KEYS_SEEN] = seen
    state[shape + BLANKS] = lacks(rules, SEAT, seen)
    return True


@jit
def names_a_seat(rules, place, state, words):  # type: ignore[no-untyped-def]
    """Return whether a banker or dealer, if the round has one, is a seat of the round."""
    column = rules[place]
    if column < 0 or words[column + state[ROUND_ROW]] == 0:
        return True
    return (state[NUMBERS] >> words[column + state[ROUND_ROW]]) & 1 == 1


@jit
def close_round(text, at, rules, state, words, cards):  # type: ignore[no-untyped-def]
    """End the round's row; return whether the whole line is regular."""
    row = state[ROUND_ROW]
    fill_blanks(rules, ROUND, state[SEEN + ROUND], words, cards, row)
    banker = rules[BANKER]
    case = 1 if banker >= 0 and words[banker + row] > 0 else 0
    if rules[OWNER + HOUSE] >= 0:
        fill_blanks(rules, HOUSE, state[SEEN + HOUSE], words, cards, row)
        if not complete(rules, HOUSE, case, state[SEEN + HOUSE]):
            return False
    regular = (
        (state[VERSION_MET] > 1 or state[SEEN + ROUND] & rules[NEEDS_VERSION_2] == 0)
        and complete(rules, ROUND, case, state[SEEN + ROUND])
        and names_a_seat(rules, BANKER, state, words)
        and names_a_seat(rules, DEALER, state, words)
    )
    # The head's shape is valid from now on if only the end followed the seats.
    if regular and state[TRACED] == 0 and learn_step(text, state, TAIL, 0, state[ENDED], at):
        state[HEAD + COUNT] = -state[HEAD + COUNT]
        state[HEAD + KEYS_SEEN] = state[SEEN + ROUND]
        state[HEAD + HOUSE_SEEN] = state[SEEN + HOUSE]
    return regular


@jit
def read_shape(text, at, rules, state, shape, words, cards, row):  # type: ignore[no-untyped-def]
    """Parse something by its shape; return the position after it, or -1."""
    step = shape + FIRST_STEP
    for _ in range(state[shape + COUNT]):
        at = matches(text, at, state, step)
        if at < 0:
            return -1
        record = state[step]
        if record == NO_RECORD:
            at = skip_value(text, at)
        elif rules[record + CODE] == GAME:
            _, at = read_choice(text, at, rules, record)
        else:
            at = read_value(text, at, rules, record, words, cards, row)
        if at < 0:
            return -1
        step += STEP
    return matches(text, at, state, step)


@jit
def read_seat(text, at, rules, state, words, cards, row):  # type: ignore[no-untyped-def]
    """Parse a seat by one of the shapes learned, the most recent first."""
    for turn in range(SHAPES):
        case = (state[USED] + turn) % SHAPES
        shape = SEAT_SHAPES + SHAPE * case
        if state[shape + COUNT] <= 0:
            continue
        end = read_shape(text, at, rules, state, shape, words, cards, row)
        if end >= 0 and (rules[PLAY] < 0 or case == 0 or words[rules[PLAY] + row] == case):
            state[USED] = case
            if state[shape + BLANKS]:
                fill_blanks(rules, SEAT, state[shape + KEYS_SEEN], words, cards, row)
            return end
    return -1


@jit
def parse_shaped(text, at, rules, state, words, cards):  # type: ignore[no-untyped-def]
    """Parse a line with the shape of earlier lines; return the position after the round, or -1."""
    if state[HEAD + COUNT] <= 0:
        return -1
    row, seat = state[ROUND_ROW], state[SEAT_ROW]
    at = read_shape(text, at, rules, state, HEAD, words, cards, row)
    state[NUMBERS] = 0
    while at >= 0:
        at = read_seat(text, at, rules, state, words, cards, seat)
        if at < 0:
            return -1
        bit = 1 << words[rules[SEAT_NUMBER] + seat]
        seat += 1
        if state[NUMBERS] & bit or seat > state[LAST_SEAT]:
            return -1
        state[NUMBERS] |= bit
        if byte_at(text, at) != COMMA or byte_at(text, at + 1) != OPEN:
            break
        at += 2
    if at >= 0:
        at = matches(text, at, state, TAIL)
    if at < 0:
        return -1
    fill_blanks(rules, ROUND, state[HEAD + KEYS_SEEN], words, cards, row)
    if rules[OWNER + HOUSE] >= 0:
        fill_blanks(rules, HOUSE, state[HEAD + HOUSE_SEEN], words, cards, row)
    if not (
        names_a_seat(rules, BANKER, state, words) and names_a_seat(rules, DEALER, state, words)
    ):
        return -1
    state[SEAT_ROW] = seat
    return at


@jit
def next_key(text, at, rules, state):  # type: ignore[no-untyped-def]
    """Return the key at `at` and the position of its value; -1 if it isn't a known key."""
    at = skip_space(text, at)
    if byte_at(text, at) != QUOTE:
        return -1, at
    at += 1
    expected = FOLLOW + state[PREVIOUS]
    key = state[expected]
    if not spells(text, at, rules, FIRST_KEY + RECORD * key):
        key = rules[START + state[PART]]
        end = rules[START + state[PART] + 1]
        while key < end and not spells(text, at, rules, FIRST_KEY + RECORD * key):
            key += 1
        if key == end:
            return (OWN, at) if half_at(text, at) == OWN_BEGINS else (-1, at)
        state[expected] = key
    state[PREVIOUS] = key
    at = skip_space(text, at + rules[FIRST_KEY + RECORD * key + LENGTH])
    if byte_at(text, at) != COLON:
        return -1, at
    return key, skip_space(text, at + 1)


@jit
def open_part(text, at, rules, state, part):  # type: ignore[no-untyped-def]
    """Return the position after the brace that opens a part, or -1."""
    if byte_at(text, at) != OPEN:
        return -1
    state[PART] = part
    state[SEEN + part] = 0
    state[PREVIOUS] = rules[KEYS] + part
    return at + 1


@jit
def read_own(text, at, state, part):  # type: ignore[no-untyped-def]
    """Skip a field of the operator's own, one per object: two might have the same name."""
    at = read_id(text, at - 1, LONGEST_OWN)
    if at < 0 or state[SEEN + part] & OWN_FIELD:
        return -1
    state[SEEN + part] |= OWN_FIELD
    at = skip_space(text, at + 1)
    if byte_at(text, at) != COLON:
        return -1
    at = skip_space(text, at + 1)
    trace(state, NO_RECORD, at)
    at = skip_value(text, at)
    state[ENDED] = at
    return at


@jit
def read_member(text, at, rules, state, words, cards):  # type: ignore[no-untyped-def]
    """Parse a key with its value, or with the brace that opens its object (then True)."""
    part = state[PART]
    key, at = next_key(text, at, rules, state)
    if key == OWN:
        return read_own(text, at, state, part), False
    bit = 1 << (key - rules[START + part])
    if key < 0 or state[SEEN + part] & bit:
        return -1, False
    state[SEEN + part] |= bit
    record = FIRST_KEY + RECORD * key
    code = rules[record + CODE]
    if code == OBJECT:
        return open_part(text, at, rules, state, rules[record + LEAST]), True
    if code == SEATS:
        if byte_at(text, at) != OPEN_LIST:
            return -1, False
        at = open_part(text, skip_space(text, at + 1), rules, state, SEAT)
        learn(text, state, HEAD, at)
        state[HEAD + COUNT] = -state[HEAD + COUNT]
        state[TRACED], state[ENDED] = 0, at
        return at, True
    if code == VERSION:  # is not traced: a line of another version has another shape
        state[VERSION_MET], at = read_number(text, at, rules, record, INTEGER)
        return at, False
    trace(state, record, at)
    if code == GAME:
        state[GAME_MET], at = read_choice(text, at, rules, record)
    else:
        row = state[SEAT_ROW] if part >= SEAT else state[ROUND_ROW]
        at = read_value(text, at, rules, record, words, cards, row)
    state[ENDED] = at
    return at, False


@jit
def close_part(text, at, rules, state, words, cards):  # type: ignore[no-untyped-def]
    """End a part after its brace; return True if the next seat was opened."""
    part = state[PART]
    state[PREVIOUS] = rules[OWNER + part]
    if part == HOUSE:
        state[PART] = ROUND
        return at, False
    if part != SEAT:
        state[PART] = SEAT
        return at if complete(rules, part, 0, state[SEEN + part]) else -1, False
    if not close_seat(text, at, rules, state, words, cards) or state[SEAT_ROW] > state[LAST_SEAT]:
        return -1, False
    state[TRACED], state[ENDED] = 0, at
    at = skip_space(text, at)
    byte = byte_at(text, at)
    if byte == COMMA:
        at = open_part(text, skip_space(text, at + 1), rules, state, SEAT)
        state[ENDED] = at
        return at, True
    state[PART] = ROUND
    return at + 1 if byte == CLOSE_LIST else -1, False


@jit
def parse_line(text, at, rules, state, words, cards):  # type: ignore[no-untyped-def]
    """Parse one line into the state's rows; return the position after the round, or -1."""
    state[NUMBERS] = state[GAME_MET] = state[SEEN + HOUSE] = state[TRACED] = 0
    state[HEAD + COUNT], state[ENDED] = 0, at
    at = open_part(text, skip_space(text, at), rules, state, ROUND)
    while at >= 0:
        at, opened = read_member(text, at, rules, state, words, cards)
        while at >= 0 and not opened:
            at = skip_space(text, at)
            byte = byte_at(text, at)
            at += 1
            if byte == COMMA:
                break
            if byte != CLOSE:
                return -1
            if state[PART] == ROUND:
                return at if close_round(text, at, rules, state, words, cards) else -1
            at, opened = close_part(text, at, rules, state, words, cards)
    return -1


@jit
def parse_lines(  # type: ignore[no-untyped-def]
    text, start, stop, todo, program, memory, words, cards, line, first_seat, left
):
    """Parse the lines of `todo` that are of the program's game and plain.

    `line` and `first_seat` get an entry per round accepted, `left` every line not accepted: its
    number or, if the game is another, minus one minus its number. Returns the counts.
    """
    raw, rules, state = memory_of(text), memory_of(program), memory_of(memory)
    cells, pips = memory_of(words), memory_of(cards)
    rows, seats, others = 0, 0, 0
    for place in range(todo.size):
        number = todo[place]
        state[ROUND_ROW], state[SEAT_ROW] = rows, seats
        at = -1
        if rows < line.size:
            at = parse_shaped(raw, start[number], rules, state, cells, pips)
            if at != stop[number]:
                state[SEAT_ROW] = seats
                at = parse_line(raw, start[number], rules, state, cells, pips)
        if at >= 0 and skip_space(raw, at) == stop[number]:
            line[rows] = number
            first_seat[rows] = seats
            rows += 1
            seats = state[SEAT_ROW]
        else:
            left[others] = number if state[GAME_MET] else -1 - number
            others += 1
    first_seat[rows] = seats
    return rows, seats, others


@jit
def holds_newline(text, at):  # type: ignore[no-untyped-def]
    """Return whether one of 64 bytes is a newline, without a branch, in a few instructions."""
    hit = np.uint8(0)
    for place in range(64):
        hit |= np.uint8(text[at + place] == NEWLINE)
    return hit != 0


@jit
def find_lines(text, stop, starts, stops):  # type: ignore[no-untyped-def]
    """Find the text's lines that end before `stop`; return their count and the position after.

    A carriage return before the newline isn't part of a line.
    """
    raw = memory_of(text)
    count = start = at = 0
    while at < stop:
        end = min(at + 64, stop)
        if end - at == 64 and not holds_newline(raw, at):
            at = end
            continue
        while at < end:
            if raw[at] == NEWLINE:
                starts[count] = start
                stops[count] = at - 1 if at > start and raw[at - 1] == RETURN else at
                count += 1
                start = at + 1
            at += 1
    return count, start
