"""Paths through an RFC 6962 tree that is kept in tiles.

A tile holds up to 256 hashes of complete subtrees of one height (0, 8, 16, …), so that a proof in
a log of sixteen million events reads six tiles and never the whole log. Hashing, growing and
checking are in `verifier`, the file others take away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from compliance.proof.verifier import EMPTY_ROOT, node_hash

if TYPE_CHECKING:
    from collections.abc import Sequence

TILE_HEIGHT = 8
TILE_WIDTH = 1 << TILE_HEIGHT


class Tiles(Protocol):
    """Where the hashes lie."""

    def tile(self, level: int, number: int) -> Sequence[bytes]:
        """Fetch the hashes of subtrees of height `8 * level`, from position `256 * number` on."""


def inclusion_path(index: int, size: int, tiles: Tiles) -> list[bytes]:
    """Name the siblings from leaf `index` up to the root of the first `size` leaves."""
    if not 0 <= index < size:
        message = f"A tree of {size} leaves has no leaf {index}."
        raise ValueError(message)
    start, stop = 0, size
    path: list[bytes] = []
    while stop - start > 1:
        middle = start + _left(stop - start)
        if index < middle:
            path.append(_root(middle, stop, tiles))
            stop = middle
        else:
            path.append(_root(start, middle, tiles))
            start = middle
    return path[::-1]


def consistency_path(old: int, new: int, tiles: Tiles) -> list[bytes]:
    """Name the hashes that show the first `old` leaves to begin the tree of `new` leaves."""
    if not 0 <= old <= new:
        message = f"A tree of {new} leaves does not continue one of {old}."
        raise ValueError(message)
    if old in {0, new}:
        return []
    start, stop = 0, new
    path: list[bytes] = []
    whole = True  # the old tree ends exactly where the subtree at hand does, and is its own root
    while old != stop:
        middle = start + _left(stop - start)
        if old <= middle:
            path.append(_root(middle, stop, tiles))
            stop = middle
        else:
            path.append(_root(start, middle, tiles))
            start = middle
            whole = False
    if not whole:
        path.append(_root(start, stop, tiles))
    return path[::-1]


def root(size: int, tiles: Tiles) -> bytes:
    """Tell the root of the first `size` leaves."""
    return _root(0, size, tiles) if size else EMPTY_ROOT


def _left(count: int) -> int:
    """Tell how many of `count` leaves go into the left subtree: the largest power of two below."""
    return 1 << (count - 1).bit_length() - 1


def _root(start: int, stop: int, tiles: Tiles) -> bytes:
    """Hash the leaves from `start` to `stop`, a subtree as the RFC splits them."""
    count = stop - start
    if count & (count - 1) == 0:
        return _complete(count.bit_length() - 1, start // count, tiles)
    middle = start + _left(count)
    return node_hash(_root(start, middle, tiles), _root(middle, stop, tiles))


def _complete(height: int, position: int, tiles: Tiles) -> bytes:
    """Hash a complete subtree from the tile that holds its parts."""
    level, above = divmod(height, TILE_HEIGHT)
    number, first = divmod(position << above, TILE_WIDTH)
    row = list(tiles.tile(level, number)[first : first + (1 << above)])
    while len(row) > 1:
        row = [node_hash(row[at], row[at + 1]) for at in range(0, len(row), 2)]
    return row[0]
