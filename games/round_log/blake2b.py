"""BLAKE2b (RFC 7693) over many short messages at once: compiled, no key, digests of 32 bytes.

Python's own takes most of a microsecond a message, and needs each as an object. Here the messages
lie side by side, a word of each in a row, and the loops over such rows are vectorised.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from games.kernel import jit
from games.round_log.columns_scan import memory_of, word_at

WORDS: Final = 4
"""Words of a digest."""

BLOCK: Final = 128
ROUNDS: Final = 12
SIDE_BY_SIDE: Final = 32
"""Messages that are digested at once."""

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
    """The word with its bits turned to the right."""
    return (value >> np.uint64(right)) | (value << np.uint64(64 - right))


@jit
def mix(a, b, c, d, one, two):  # type: ignore[no-untyped-def]
    """The function G."""
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
    """Lays the 128 bytes at `at` into a lane of `blocks`; what is behind `end` is 0."""
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
    """Takes a block of every message into its state.

    `counts` are the bytes taken with it, `lasts` all ones for a last block, `goes_on` all ones for
    a message that has a block here.
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
            taken = work[n * word + lane] ^ work[n * (8 + word) + lane]
            states[n * word + lane] ^= taken & goes_on[lane]


@jit
def digest_all(data, start, stop, words, digests):  # type: ignore[no-untyped-def]
    """The first `words` words of the digest of every message, little-endian as BLAKE2b is."""
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
