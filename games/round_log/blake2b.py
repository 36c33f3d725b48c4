"""BLAKE2b (RFC 7693) over many short messages at once: compiled, no key, digests of 32 bytes.

Python's own takes most of a microsecond a message, and needs each as an object.
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
def compress(state, block, message, at, count, last):  # type: ignore[no-untyped-def]
    """Takes the 128 bytes at `at` into the state; `count` bytes have been taken with them."""
    for word in range(16):
        block[word] = np.uint64(word_at(message, at + 8 * word))
    v0, v1, v2, v3 = state[0], state[1], state[2], state[3]
    v4, v5, v6, v7 = state[4], state[5], state[6], state[7]
    v8, v9, v10, v11 = START[0], START[1], START[2], START[3]
    v12, v13 = START[4] ^ np.uint64(count), START[5]
    v14, v15 = (~START[6] if last else START[6]), START[7]
    for turn in range(ROUNDS):
        s = 16 * turn
        v0, v4, v8, v12 = mix(v0, v4, v8, v12, block[SIGMA[s]], block[SIGMA[s + 1]])
        v1, v5, v9, v13 = mix(v1, v5, v9, v13, block[SIGMA[s + 2]], block[SIGMA[s + 3]])
        v2, v6, v10, v14 = mix(v2, v6, v10, v14, block[SIGMA[s + 4]], block[SIGMA[s + 5]])
        v3, v7, v11, v15 = mix(v3, v7, v11, v15, block[SIGMA[s + 6]], block[SIGMA[s + 7]])
        v0, v5, v10, v15 = mix(v0, v5, v10, v15, block[SIGMA[s + 8]], block[SIGMA[s + 9]])
        v1, v6, v11, v12 = mix(v1, v6, v11, v12, block[SIGMA[s + 10]], block[SIGMA[s + 11]])
        v2, v7, v8, v13 = mix(v2, v7, v8, v13, block[SIGMA[s + 12]], block[SIGMA[s + 13]])
        v3, v4, v9, v14 = mix(v3, v4, v9, v14, block[SIGMA[s + 14]], block[SIGMA[s + 15]])
    state[0] ^= v0 ^ v8
    state[1] ^= v1 ^ v9
    state[2] ^= v2 ^ v10
    state[3] ^= v3 ^ v11
    state[4] ^= v4 ^ v12
    state[5] ^= v5 ^ v13
    state[6] ^= v6 ^ v14
    state[7] ^= v7 ^ v15


@jit
def digest_all(data, start, stop, words, digests):  # type: ignore[no-untyped-def]
    """The first `words` words of the digest of every message, little-endian as BLAKE2b is."""
    message = memory_of(data)
    state, block = np.empty(8, np.uint64), np.empty(16, np.uint64)
    rest = np.empty(BLOCK, np.uint8)
    for row in range(start.size):
        for word in range(8):
            state[word] = START[word]
        state[0] ^= PARAMETERS
        at, end = start[row], stop[row]
        while end - at > BLOCK:
            compress(state, block, message, at, at + BLOCK - start[row], False)  # noqa: FBT003
            at += BLOCK
        for place in range(BLOCK):
            rest[place] = data[at + place] if at + place < end else 0
        compress(state, block, memory_of(rest), 0, end - start[row], True)  # noqa: FBT003
        for word in range(words):
            digests[row, word] = state[word]
