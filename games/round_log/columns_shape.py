"""Shapes: the text between the values of a line, learned from lines and then expected.

A line is written by a program, so the next one mostly has the same keys in the same order. A shape
holds, for every value, the bytes before it (up to 32) and its field; what has the shape of a part
that was complete is complete. What differs anywhere is read key by key (`columns_parse.py`).
"""

from games.kernel import jit
from games.round_log.columns_scan import word_at

# The reader's state: which keys each part has so far, the part it is in, the key before, the seat
# numbers met, the rows it fills, whether the line is this game's; then how many values were traced
# since the part began, where the last of them ended, whether keys came behind the seats, and the
# seat's shape that was used last. Behind `FOLLOW` stands the key that followed each key (and each
# part's beginning) last, behind `TRACE` each value's record, the end of the one before, its begin.
SEEN, PART, PREVIOUS, NUMBERS, ROUND_ROW, SEAT_ROW, LAST_SEAT, GAME_MET = 0, 5, 6, 7, 8, 9, 10, 11
TRACED, ENDED, USED = 12, 13, 14
FOLLOW, TRACE, MOST_TRACED = 16, 96, 30
HEAD, TAIL, SEAT_SHAPES = 192, 544, 560
SHAPE, SHAPES = 352, 6
STATE = SEAT_SHAPES + SHAPES * SHAPE

# A shape: how many values (0: not learned, negative: of a line not yet taken), the keys it has, the
# house's keys or the code of `play`, whether columns of absent keys are to be filled; then steps.
COUNT, KEYS_SEEN, HOUSE_SEEN, BLANKS, FIRST_STEP = 0, 1, 2, 3, 4
STEP = 10
LONGEST = 32


@jit
def trace(state, record, at):  # type: ignore[no-untyped-def]
    """Notes where a value begins."""
    count = state[TRACED]
    if count < MOST_TRACED:
        place = TRACE + 3 * count
        state[place], state[place + 1], state[place + 2] = record, state[ENDED], at
    state[TRACED] = count + 1


@jit
def learn_step(text, state, step, record, begin, end):  # type: ignore[no-untyped-def]
    """Writes a step: the bytes from `begin` to `end`, and the record of the value behind them."""
    state[step], state[step + 1] = record, end - begin
    for word in range(4):
        length = min(max(end - begin - 8 * word, 0), 8)
        mask = -1 if length == 8 else (1 << (8 * length)) - 1
        state[step + 2 + 2 * word] = word_at(text, begin + 8 * word) & mask
        state[step + 3 + 2 * word] = mask
    return end - begin <= LONGEST


@jit
def learn(text, state, shape, end):  # type: ignore[no-untyped-def]
    """Writes the shape of the part that was traced and ends before `end`; 0 values if it cannot."""
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
    """The byte behind a step's bytes, or -1 where others stand."""
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
