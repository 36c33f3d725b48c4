"""What identifies a round: a digest of the round as parsed, however its line was spelled.

A regular round is digested from its columns, any other from its line as `form.py` writes it. The
round itself decides which of the two it is.

The digest is BLAKE2b (RFC 7693) without a key, 32 bytes. Python's own takes most of a microsecond
per message, and needs each as an object. Here it is compiled over many short messages at once: they
are stored side by side, a word of each in a row, and the loops over such rows are vectorized.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

import numpy as np

from games.kernel import jit
from games.log.field_types import ABSENT
from games.log.form import line_of
from games.log.gather import Gatherer
from games.log.layout import LATER_TEXTS, names_of
from games.log.scan import memory_of, word_at
from games.rule_set import SLUGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from games.log.columns import Columns, Level, Texts
    from games.log.round import Round


WORDS: Final = 4
"""Words of a digest."""

BLOCK: Final = 128
ROUNDS: Final = 12
SIDE_BY_SIDE: Final = 32
"""Messages digested at once."""

START = np.array(
    [
        0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
        0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179,
    ],
    np.uint64,
)  # fmt: skip
PARAMETERS = np.uint64(0x01010000 | 8 * WORDS)

SIGMA = np.array(
    [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    ],
    np.int64,
).ravel()


@jit
def turned(value, right):  # type: ignore[no-untyped-def]
    """Rotate the bits of the word to the right."""
    return (value >> np.uint64(right)) | (value << np.uint64(64 - right))


@jit
def mix(a, b, c, d, one, two):  # type: ignore[no-untyped-def]
    """Apply the function G."""
    a = a + b + one
    d = turned(d ^ a, 32)
    c = c + d
    b = turned(b ^ c, 24)
    a = a + b + two
    d = turned(d ^ a, 16)
    c = c + d
    b = turned(b ^ c, 63)
    return a, b, c, d


@jit
def lay_out(message, at, end, blocks, lane):  # type: ignore[no-untyped-def]
    """Copy the 128 bytes at `at` into a lane of `blocks`; bytes after `end` are 0."""
    for word in range(BLOCK // 8):
        place = at + 8 * word
        value = np.uint64(0)
        if place + 8 <= end:
            value = np.uint64(word_at(message, place))
        else:
            for byte in range(end - place):
                value |= np.uint64(message[place + byte]) << np.uint64(8 * byte)
        blocks[SIDE_BY_SIDE * word + lane] = value


@jit
def compress(states, blocks, counts, lasts, goes_on, work):  # type: ignore[no-untyped-def]
    """Mix a block of every message into its state.

    `counts` are the bytes so far, this block included; `lasts` is all ones for a last block,
    `goes_on` all ones for a message that has a block here.
    """
    n = SIDE_BY_SIDE
    for word in range(8):
        start = START[word]
        for lane in range(n):
            work[n * word + lane] = states[n * word + lane]
            work[n * (8 + word) + lane] = start
    for lane in range(n):
        work[n * 12 + lane] ^= counts[lane]
        work[n * 14 + lane] ^= lasts[lane]
    for turn in range(ROUNDS):
        s = 16 * turn
        m0, m1, m2, m3 = n * SIGMA[s], n * SIGMA[s + 1], n * SIGMA[s + 2], n * SIGMA[s + 3]
        m4, m5, m6, m7 = n * SIGMA[s + 4], n * SIGMA[s + 5], n * SIGMA[s + 6], n * SIGMA[s + 7]
        m8, m9, ma, mb = n * SIGMA[s + 8], n * SIGMA[s + 9], n * SIGMA[s + 10], n * SIGMA[s + 11]
        mc, md, me, mf = n * SIGMA[s + 12], n * SIGMA[s + 13], n * SIGMA[s + 14], n * SIGMA[s + 15]
        for i in range(n):
            v0, v1, v2, v3 = work[i], work[n + i], work[2 * n + i], work[3 * n + i]
            v4, v5, v6, v7 = work[4 * n + i], work[5 * n + i], work[6 * n + i], work[7 * n + i]
            v8, v9, va, vb = work[8 * n + i], work[9 * n + i], work[10 * n + i], work[11 * n + i]
            vc, vd, ve, vf = work[12 * n + i], work[13 * n + i], work[14 * n + i], work[15 * n + i]
            v0, v4, v8, vc = mix(v0, v4, v8, vc, blocks[m0 + i], blocks[m1 + i])
            v1, v5, v9, vd = mix(v1, v5, v9, vd, blocks[m2 + i], blocks[m3 + i])
            v2, v6, va, ve = mix(v2, v6, va, ve, blocks[m4 + i], blocks[m5 + i])
            v3, v7, vb, vf = mix(v3, v7, vb, vf, blocks[m6 + i], blocks[m7 + i])
            v0, v5, va, vf = mix(v0, v5, va, vf, blocks[m8 + i], blocks[m9 + i])
            v1, v6, vb, vc = mix(v1, v6, vb, vc, blocks[ma + i], blocks[mb + i])
            v2, v7, v8, vd = mix(v2, v7, v8, vd, blocks[mc + i], blocks[md + i])
            v3, v4, v9, ve = mix(v3, v4, v9, ve, blocks[me + i], blocks[mf + i])
            work[i], work[n + i], work[2 * n + i], work[3 * n + i] = v0, v1, v2, v3
            work[4 * n + i], work[5 * n + i], work[6 * n + i], work[7 * n + i] = v4, v5, v6, v7
            work[8 * n + i], work[9 * n + i], work[10 * n + i], work[11 * n + i] = v8, v9, va, vb
            work[12 * n + i], work[13 * n + i], work[14 * n + i], work[15 * n + i] = vc, vd, ve, vf
    for word in range(8):
        for lane in range(n):
            bits = work[n * word + lane] ^ work[n * (8 + word) + lane]
            states[n * word + lane] ^= bits & goes_on[lane]


@jit
def digest_all(data, start, stop, words, digests):  # type: ignore[no-untyped-def]
    """Compute the first `words` words of every message's digest, little-endian as in BLAKE2b."""
    message = memory_of(data)
    states, blocks = np.empty(8 * SIDE_BY_SIDE, np.uint64), np.zeros(16 * SIDE_BY_SIDE, np.uint64)
    work, counts = np.empty(16 * SIDE_BY_SIDE, np.uint64), np.zeros(SIDE_BY_SIDE, np.uint64)
    lasts, goes_on = np.zeros(SIDE_BY_SIDE, np.uint64), np.zeros(SIDE_BY_SIDE, np.uint64)
    none, all_ones = np.uint64(0), ~np.uint64(0)
    for row in range(0, start.size, SIDE_BY_SIDE):
        lanes = min(SIDE_BY_SIDE, start.size - row)
        for word in range(8):
            states[SIDE_BY_SIDE * word : SIDE_BY_SIDE * (word + 1)] = START[word]
        states[:SIDE_BY_SIDE] ^= PARAMETERS
        at, left = 0, lanes
        goes_on[:] = none
        goes_on[:lanes] = all_ones
        while left > 0:
            for lane in range(lanes):
                if goes_on[lane] != none:
                    first, end = start[row + lane] + at, stop[row + lane]
                    is_last = end - first <= BLOCK
                    lay_out(message, first, end, memory_of(blocks), lane)
                    counts[lane] = min(end - first, BLOCK) + at
                    lasts[lane] = all_ones if is_last else none
                    left -= is_last
            compress(
                memory_of(states), memory_of(blocks), memory_of(counts), memory_of(lasts),
                memory_of(goes_on), memory_of(work),
            )  # fmt: skip
            for lane in range(lanes):
                goes_on[lane] &= ~lasts[lane]
            at += BLOCK
        for lane in range(lanes):
            for word in range(words):
                digests[row + lane, word] = states[SIDE_BY_SIDE * word + lane]


LONGEST_NUMBER: Final = 10
"""Maximum bytes of a number, at seven bits per byte."""

AT_ONCE: Final = 1 << 13
"""Rounds whose messages are in memory side by side."""

ID_WORDS: Final = 2
"""Words of an id's digest: nobody can find two ids that share 128 bits."""


@jit
def put_number(message, at, number):  # type: ignore[no-untyped-def]
    """Write a number, sign last, seven bits per byte; absent is a spelling that no number has."""
    if number == ABSENT:
        message[at], message[at + 1] = 128, 0
        return at + 2
    left = (np.uint64(number) << np.uint64(1)) ^ np.uint64(number >> 63)
    while left >= np.uint64(128):
        message[at] = np.uint8(left & np.uint64(127)) | np.uint8(128)
        left >>= np.uint64(7)
        at += 1
    message[at] = np.uint8(left)
    return at + 1


@jit
def put_numbers(message, ends, first, column):  # type: ignore[no-untyped-def]
    """Append the numbers of each round's rows to its message."""
    for row in range(ends.size):
        at = ends[row]
        for place in range(first[row], first[row + 1]):
            at = put_number(message, at, column[place])
        ends[row] = at


@jit
def put_cards(message, ends, first, column):  # type: ignore[no-untyped-def]
    """Append the cards of each round's rows to its message."""
    for row in range(ends.size):
        at = ends[row]
        for place in range(first[row], first[row + 1]):
            message[at] = column[place]
            at += 1
        ends[row] = at


@jit
def put_later(message, ends, place, data, start, stop):  # type: ignore[no-untyped-def]
    """Append the texts that rounds of version 2 have, each after its place and its length."""
    for row in range(ends.size):
        if start[row] >= 0:
            at = put_number(message, ends[row], place)
            at = put_number(message, at, stop[row] - start[row])
            for byte in range(start[row], stop[row]):
                message[at] = data[byte]
                at += 1
            ends[row] = at


@jit
def put_texts(message, ends, first, data, start, stop):  # type: ignore[no-untyped-def]
    """Append the texts of each round's rows to its message, each after its length."""
    for row in range(ends.size):
        at = ends[row]
        for place in range(first[row], first[row + 1]):
            length = stop[place] - start[place]
            at = put_number(message, at, length if start[place] >= 0 else -1)
            for byte in range(start[place], stop[place]):
                message[at] = data[byte]
                at += 1
        ends[row] = at


def digests_of(columns: Columns) -> NDArray[np.uint64]:
    """Return the digest of every round, a row of four words."""
    digests = np.empty((len(columns), WORDS), np.uint64)
    for first in range(0, len(columns), AT_ONCE):
        end = min(first + AT_ONCE, len(columns))
        message, start, ends = _messages(columns, first, end)
        digest_all(message, start, ends, WORDS, digests[first:end])
    return digests


def digest_of(played: Round) -> bytes:
    """Return the digest of one round, 32 bytes."""
    gatherer = Gatherer(played.game)
    if gatherer.add(played):
        return bytes(digests_of(gatherer.columns())[0].tobytes())
    return digest_of_line(line_of(played))


def digest_of_line(line: bytes) -> bytes:
    """Return the digest of a round that fits no columns, from its line as `line_of` writes it."""
    return hashlib.blake2b(line, digest_size=8 * WORDS).digest()


def ids_of(ids: Texts) -> NDArray[np.uint64]:
    """Return the digest of every id, a row of two words."""
    digests = np.empty((len(ids), ID_WORDS), np.uint64)
    digest_all(ids.data, ids.start, ids.stop, ID_WORDS, digests)
    return digests


def id_of(id_: str) -> tuple[int, int]:
    """Return the digest of one id, as in the columns of `ids_of`."""
    digest = hashlib.blake2b(id_.encode(), digest_size=8 * WORDS).digest()
    one, two = np.frombuffer(digest[: 8 * ID_WORDS], "<u8").tolist()
    return one, two


def _messages(
    columns: Columns, first: int, end: int
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """Return the messages of some rounds, with where each begins and ends."""
    names = names_of(columns.game)
    seats = columns.first_seat[first : end + 1]
    rows = np.arange(first, end + 1)
    counts = np.diff(seats)
    most = np.full(end - first, 1 + LONGEST_NUMBER, np.int64)
    for level, bounds in ((columns.rounds, rows), (columns.seats, seats)):
        most += np.diff(bounds) * (
            len(level.cards) + LONGEST_NUMBER * (len(level.numbers) + 2 * len(level.texts))
        )
        for texts in level.texts.values():
            most += _lengths(texts, bounds)
    start = np.zeros(end - first, np.int64)
    np.cumsum(most[:-1], out=start[1:])
    message = np.empty(int(most.sum()) + BLOCK, np.uint8)
    message[start] = 1 + SLUGS.index(columns.game) if columns.game in SLUGS else 0
    ends = start + 1
    put_numbers(message, ends, np.arange(end - first + 1), counts)
    for level, bounds, order in (
        (columns.rounds, rows, (names.round_texts, names.round_numbers, names.round_cards)),
        (columns.seats, seats, (names.seat_texts, names.seat_numbers, names.seat_cards)),
    ):
        _put(level, order, bounds, message, ends)
    for place, name in enumerate(LATER_TEXTS):  # absent ones leave no trace in the digest
        if name in columns.rounds.texts:
            texts = columns.rounds.texts[name]
            put_later(
                message, ends, place, texts.data, texts.start[first:end], texts.stop[first:end]
            )
    return message, start, ends


def _put(
    level: Level,
    names: tuple[tuple[str, ...], ...],
    bounds: NDArray[np.int64],
    message: NDArray[np.uint8],
    ends: NDArray[np.int64],
) -> None:
    texts, numbers, cards = names
    for name in texts:
        column = level.texts[name]
        put_texts(message, ends, bounds, column.data, column.start, column.stop)
    for name in numbers:
        put_numbers(message, ends, bounds, level.numbers[name])
    for name in cards:
        put_cards(message, ends, bounds, level.cards[name])


def _lengths(texts: Texts, bounds: NDArray[np.int64]) -> NDArray[np.int64]:
    rows = slice(int(bounds[0]), int(bounds[-1]))
    ends = np.zeros(rows.stop - rows.start + 1, np.int64)
    np.cumsum(texts.stop[rows] - texts.start[rows], out=ends[1:])
    return np.asarray(np.diff(ends[bounds - bounds[0]]))


def messages_of(columns: Columns) -> Iterator[bytes]:
    """Yield the message digested for every round."""
    message, start, ends = _messages(columns, 0, len(columns))
    for first, end in zip(start.tolist(), ends.tolist(), strict=True):
        yield message[first:end].tobytes()
