"""What identifies a round: a digest of the round as read, whatever way its line was spelled.

A regular round is digested from its columns, any other from its line as `written.py` writes it.
Which of the two a round is, the round itself decides.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

import numpy as np

from games.kernel import jit
from games.round_log.blake2b import BLOCK, WORDS, digest_all
from games.round_log.columns import ABSENT
from games.round_log.columns_gather import Gatherer
from games.round_log.columns_program import names_of
from games.round_log.written import line_of
from games.rule_set import SLUGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from games.round_log.columns import Columns, Level
    from games.round_log.columns_texts import Texts
    from games.round_log.round import Round

LONGEST_NUMBER: Final = 10
"""Bytes of a number at most: seven bits in each."""

AT_ONCE: Final = 1 << 13
"""Rounds whose messages lie side by side in memory."""

ID_WORDS: Final = 2
"""Words of an id's digest: nobody finds two ids that share 128 bits."""


@jit
def put_number(message, at, number):  # type: ignore[no-untyped-def]
    """Writes a number, sign last, seven bits a byte; an absent one is a spelling no number has."""
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
    """Appends to each round's message the numbers of its rows."""
    for row in range(ends.size):
        at = ends[row]
        for place in range(first[row], first[row + 1]):
            at = put_number(message, at, column[place])
        ends[row] = at


@jit
def put_cards(message, ends, first, column):  # type: ignore[no-untyped-def]
    """Appends to each round's message the cards of its rows."""
    for row in range(ends.size):
        at = ends[row]
        for place in range(first[row], first[row + 1]):
            message[at] = column[place]
            at += 1
        ends[row] = at


@jit
def put_texts(message, ends, first, data, start, stop):  # type: ignore[no-untyped-def]
    """Appends to each round's message the texts of its rows, each behind its length."""
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
    """The digest of every round: a row of four words."""
    digests = np.empty((len(columns), WORDS), np.uint64)
    for first in range(0, len(columns), AT_ONCE):
        end = min(first + AT_ONCE, len(columns))
        message, start, ends = _messages(columns, first, end)
        digest_all(message, start, ends, WORDS, digests[first:end])
    return digests


def digest_of(played: Round) -> bytes:
    """The digest of one round, 32 bytes."""
    gatherer = Gatherer(played.game)
    if gatherer.add(played):
        return bytes(digests_of(gatherer.columns())[0].tobytes())
    return digest_of_line(line_of(played))


def digest_of_line(line: bytes) -> bytes:
    """The digest of a round that fits no columns, from its line as `line_of` writes it."""
    return hashlib.blake2b(line, digest_size=8 * WORDS).digest()


def ids_of(ids: Texts) -> NDArray[np.uint64]:
    """The digest of every id: a row of two words."""
    digests = np.empty((len(ids), ID_WORDS), np.uint64)
    digest_all(ids.data, ids.start, ids.stop, ID_WORDS, digests)
    return digests


def id_of(id_: str) -> tuple[int, int]:
    """The digest of one id, as the columns of `ids_of` hold it."""
    digest = hashlib.blake2b(id_.encode(), digest_size=8 * WORDS).digest()
    one, two = np.frombuffer(digest[: 8 * ID_WORDS], "<u8").tolist()
    return one, two


def _messages(
    columns: Columns, first: int, end: int
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """The messages of some rounds, where each begins and where it ends."""
    names = names_of(columns.game)
    seats = columns.first_seat[first : end + 1]
    rows = np.arange(first, end + 1)
    counts = np.diff(seats)
    most = np.full(end - first, 1 + LONGEST_NUMBER, np.int64)
    for level, bounds in ((columns.rounds, rows), (columns.seats, seats)):
        most += np.diff(bounds) * (
            len(level.cards) + LONGEST_NUMBER * (len(level.numbers) + len(level.texts))
        )
        for texts in level.texts.values():
            most += _lengths(texts, bounds)
    start = np.zeros(end - first, np.int64)
    np.cumsum(most[:-1], out=start[1:])
    message = np.empty(int(most.sum()) + BLOCK, np.uint8)
    message[start] = 1 + SLUGS.index(columns.game)
    ends = start + 1
    put_numbers(message, ends, np.arange(end - first + 1), counts)
    for level, bounds, order in (
        (columns.rounds, rows, (names.round_texts, names.round_numbers, names.round_cards)),
        (columns.seats, seats, (names.seat_texts, names.seat_numbers, names.seat_cards)),
    ):
        _put(level, order, bounds, message, ends)
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
    """What is digested of every round."""
    message, start, ends = _messages(columns, 0, len(columns))
    for first, end in zip(start.tolist(), ends.tolist(), strict=True):
        yield message[first:end].tobytes()
