"""Words that repeat a lot (tables, decks) as small numbers, and ids that must not repeat."""

from __future__ import annotations

import secrets
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

import numpy as np

from games.kernel import jit
from games.log.scan import memory_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from games.log.columns import Texts


ABSENT = -1


@jit
def same_bytes(one, at, other, first, length):  # type: ignore[no-untyped-def]
    """Return whether two stretches of memory are equal."""
    place = 0
    while place < length and one[at + place] == other[first + place]:
        place += 1
    return place == length


@jit
def mixed(data, start, stop, seed):  # type: ignore[no-untyped-def]
    """Return a seeded 64-bit hash of a text."""
    value = seed ^ np.uint64(stop - start)
    for at in range(start, stop):
        value = (value ^ np.uint64(data[at])) * np.uint64(0x9E3779B97F4A7C15)
        value ^= value >> np.uint64(29)
    value *= np.uint64(0xBF58476D1CE4E5B9)
    return value ^ (value >> np.uint64(32))


@jit
def number_words(data, start, stop, row, pool, ends, slots, count, seed, codes):  # type: ignore[no-untyped-def]
    """Number the words from `row` on; return where it ran out of room, and the count."""
    text, known = memory_of(data), memory_of(pool)
    mask = slots.size - 1
    last = -1
    while row < codes.size:
        first, length = start[row], stop[row] - start[row]
        if first < 0:
            codes[row] = -1
            row += 1
            continue
        code = last
        if code < 0 or not _is_word(text, first, length, known, ends, code):
            slot = np.int64(mixed(text, first, stop[row], seed)) & mask
            while slots[slot] >= 0 and not _is_word(text, first, length, known, ends, slots[slot]):
                slot = (slot + 1) & mask
            code = slots[slot]
            if code < 0:
                if 2 * (count + 1) > slots.size or ends[count] + length > pool.size:
                    return row, count
                for place in range(length):
                    pool[ends[count] + place] = text[first + place]
                ends[count + 1] = ends[count] + length
                slots[slot] = code = count
                count += 1
        codes[row] = last = code
        row += 1
    return row, count


@jit
def _is_word(text, first, length, pool, ends, code):  # type: ignore[no-untyped-def]
    at = ends[code]
    return ends[code + 1] - at == length and same_bytes(text, first, pool, at, length)


class Words:
    """Words by number, in the order in which they first appeared."""

    def __init__(self) -> None:
        self.count = 0
        self._pool = np.zeros(1 << 12, np.uint8)
        self._ends = np.zeros(129, np.int64)
        self._slots = np.full(256, ABSENT, np.int64)
        self._seed = np.uint64(secrets.randbits(64))

    def codes(self, texts: Texts) -> NDArray[np.int64]:
        """Return the number of every text, or ABSENT if there is none."""
        codes = np.empty(len(texts), np.int64)
        row = 0
        while True:
            row, self.count = number_words(
                texts.data, texts.start, texts.stop, row, self._pool, self._ends, self._slots,
                self.count, self._seed, codes,
            )  # fmt: skip
            if row == len(texts):
                return codes
            self._grow(int(texts.stop[row] - texts.start[row]))

    def word(self, code: int) -> str:
        """Return the word with a number."""
        return self._pool[self._ends[code] : self._ends[code + 1]].tobytes().decode()

    def words(self) -> list[str]:
        """Return all words, by number."""
        return [self.word(code) for code in range(self.count)]

    def _grow(self, wanted: int) -> None:
        self._pool = np.concatenate([self._pool, np.zeros(len(self._pool) + wanted, np.uint8)])
        if 2 * (self.count + 1) <= len(self._slots):
            return
        self._ends = np.concatenate([self._ends, np.zeros(len(self._ends), np.int64)])
        self._slots = np.full(2 * len(self._slots), ABSENT, np.int64)
        for code in range(self.count):
            hashed = mixed(self._pool, self._ends[code], self._ends[code + 1], self._seed)
            slot = int(hashed) & (len(self._slots) - 1)
            while self._slots[slot] >= 0:
                slot = (slot + 1) & (len(self._slots) - 1)
            self._slots[slot] = code


@jit
def hash_texts(data, start, stop, seed, one, two):  # type: ignore[no-untyped-def]
    """Compute two independent hashes of every text."""
    text = memory_of(data)
    for row in range(one.size):
        one[row] = mixed(text, start[row], stop[row], seed)
        two[row] = mixed(text, start[row], stop[row], ~seed) | np.uint64(1)


@jit
def take(one, two, slots, marks, repeated):  # type: ignore[no-untyped-def]
    """Record every pair of hashes, mark those recorded before, and return how many are new."""
    mask = np.uint64(slots.size - 1)
    fresh = 0
    for row in range(one.size):
        slot = one[row] & mask
        while marks[slot] != 0 and not (marks[slot] == two[row] and slots[slot] == one[row]):
            slot = (slot + np.uint64(1)) & mask
        repeated[row] = marks[slot] != 0
        if not repeated[row]:
            slots[slot], marks[slot] = one[row], two[row]
            fresh += 1
    return fresh


@jit
def move(slots, marks, new_slots, new_marks):  # type: ignore[no-untyped-def]
    """Move the pairs to a larger store."""
    mask = np.uint64(new_slots.size - 1)
    for place in range(slots.size):
        if marks[place] != 0:
            slot = slots[place] & mask
            while new_marks[slot] != 0:
                slot = (slot + np.uint64(1)) & mask
            new_slots[slot], new_marks[slot] = slots[place], marks[place]


class Ids:
    """Ids already seen, as pairs of 64-bit hashes under a secret seed.

    Two of a billion ids colliding in 127 bits is less likely than a hardware error.
    """

    def __init__(self) -> None:
        self._seed = np.uint64(secrets.randbits(64))
        self._slots: NDArray[np.uint64] = np.zeros(1 << 16, np.uint64)
        self._marks: NDArray[np.uint64] = np.zeros(1 << 16, np.uint64)
        self._count = 0

    def hashes(self, texts: Texts) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Return the pairs of hashes of the texts."""
        one, two = np.empty(len(texts), np.uint64), np.empty(len(texts), np.uint64)
        hash_texts(texts.data, texts.start, texts.stop, self._seed, one, two)
        return one, two

    def take(self, one: NDArray[np.uint64], two: NDArray[np.uint64]) -> NDArray[np.uint8]:
        """Record ids in order; return 1 for an id that was seen before."""
        self._make_room(len(one))
        repeated = np.empty(len(one), np.uint8)
        self._count += int(take(one, two, self._slots, self._marks, repeated))
        return repeated

    def _make_room(self, more: int) -> None:
        size = len(self._slots)
        while 3 * size < 4 * (self._count + more):
            size *= 2
        if size > len(self._slots):
            slots, marks = _store(size), _store(size)
            move(self._slots, self._marks, slots, marks)
            self._slots, self._marks = slots, marks


IN_MEMORY = 1 << 23
"""The number of slots to keep in memory; a larger store is in an unnamed file."""


def _store(size: int) -> NDArray[np.uint64]:
    if size <= IN_MEMORY:
        return np.zeros(size, np.uint64)
    with TemporaryFile() as file:
        file.truncate(8 * size)
        return np.memmap(file, np.uint64, shape=(size,))
