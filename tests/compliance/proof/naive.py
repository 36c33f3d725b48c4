"""The tree exactly as RFC 6962, section 2.1, defines it, and slow."""

import hashlib


def split(count: int) -> int:
    largest = 1
    while largest * 2 < count:
        largest *= 2
    return largest


def root(data: list[bytes]) -> bytes:
    if not data:
        return hashlib.sha256(b"").digest()
    if len(data) == 1:
        return hashlib.sha256(b"\x00" + data[0]).digest()
    middle = split(len(data))
    return hashlib.sha256(b"\x01" + root(data[:middle]) + root(data[middle:])).digest()


def inclusion(index: int, data: list[bytes]) -> list[bytes]:
    if len(data) == 1:
        return []
    middle = split(len(data))
    if index < middle:
        return [*inclusion(index, data[:middle]), root(data[middle:])]
    return [*inclusion(index - middle, data[middle:]), root(data[:middle])]


def consistency(old: int, data: list[bytes], *, known: bool = True) -> list[bytes]:
    if old == len(data):
        return [] if known else [root(data)]
    middle = split(len(data))
    if old <= middle:
        return [*consistency(old, data[:middle], known=known), root(data[middle:])]
    return [*consistency(old - middle, data[middle:], known=False), root(data[:middle])]


class NaiveTiles:
    """Tiles recomputed from the leaves each time."""

    def __init__(self, data: list[bytes]) -> None:
        self.data = data

    def tile(self, level: int, number: int) -> list[bytes]:
        width = 256**level
        first = number * 256 * width
        last = min(first + 256 * width, len(self.data) // width * width)
        return [root(self.data[at : at + width]) for at in range(first, last, width)]
