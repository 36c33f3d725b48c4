"""Merged indexes: for many segments, the first word of each round's ID and its segment.

A lookup says which segments may have an ID. Whether they do is in their own indexes, so that two
IDs with the same first word do no harm. Every block is sealed, and only blocks that are read are
checked.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from audits.intake.segments.rejections import DamagedSegmentError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO

    from numpy.typing import NDArray


MAGIC: Final = b"merged round ids, version 1".ljust(32, b"\n")
ENTRY: Final = np.dtype([("id", "<u8"), ("place", "<u4")])
"""The first word of an ID's digest, and the segment's place in the list of segments."""
BLOCK: Final = 2048
"""Entries that are sealed together: 24 KiB."""
SEAL: Final = 16
MERGED_AT_ONCE: Final = 1 << 20


@dataclass(frozen=True)
class MergedIndex:
    """An open index; `segments` are the keys of the segments in it."""

    path: Path
    key: bytes
    count: int
    first: int
    """Where the entries begin."""
    segments: NDArray[np.int64]
    fences: NDArray[np.uint64]
    """The first entry of each block."""

    @classmethod
    def open(cls, path: Path, key: bytes) -> MergedIndex:
        """Open an index.

        Raises:
            DamagedSegmentError: the file is not as it was written.
        """
        with path.open("rb") as file:
            head = _sealed(file, len(MAGIC) + 16, key, b"head", path)
            if not head.startswith(MAGIC):
                raise DamagedSegmentError(path, "it is no merged index")
            segments, count = (int(each) for each in np.frombuffer(head[len(MAGIC) :], "<u8"))
            blocks = -(-count // BLOCK)
            keys = np.frombuffer(_sealed(file, 8 * segments, key, b"segments", path), "<i8")
            fences = np.frombuffer(_sealed(file, 8 * blocks, key, b"fences", path), "<u8")
            return cls(path, key, count, file.tell(), keys, fences)

    def find(self, ids: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return the keys of the segments with any of these ID words, which are sorted.

        Raises:
            DamagedSegmentError: the file is not as it was written.
        """
        places = [np.empty(0, np.int64)]
        with self.path.open("rb") as file:
            for number, wanted in self._blocks(ids):
                entries = self._block(file, number)
                places.append(np.unique(entries["place"][np.isin(entries["id"], wanted)]))
        return self.segments[np.unique(np.concatenate(places)).astype(np.int64)]

    def entries(self, low: int, high: int) -> NDArray[Any]:
        """Return the entries whose ID word is in a range."""
        found = [np.empty(0, ENTRY)]
        edges = np.array([low, high - 1], np.uint64)
        first = max(0, int(np.searchsorted(self.fences, edges[0])) - 1)
        end = int(np.searchsorted(self.fences, edges[1], side="right"))
        with self.path.open("rb") as file:
            for number in range(first, end):
                block = self._block(file, number)
                here = (block["id"] >= edges[0]) & (block["id"] <= edges[1])
                found.append(block[here])
        return np.concatenate(found)

    def _blocks(self, ids: NDArray[np.uint64]) -> Iterator[tuple[int, NDArray[np.uint64]]]:
        """Yield the blocks in which ID words may be, each with those words."""
        if not len(self.fences):
            return
        first = np.maximum(np.searchsorted(self.fences, ids, side="left") - 1, 0)
        last = np.maximum(np.searchsorted(self.fences, ids, side="right") - 1, 0)
        pairs: list[tuple[int, int]] = []
        for place, (begin, end) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
            pairs += [(number, place) for number in range(begin, end + 1)]
        for number, group in groupby(sorted(pairs), key=lambda pair: pair[0]):
            yield number, ids[[place for _, place in group]]

    def _block(self, file: BinaryIO, number: int) -> NDArray[Any]:
        size = ENTRY.itemsize * BLOCK + SEAL
        file.seek(self.first + number * size)
        length = min(BLOCK, self.count - number * BLOCK) * ENTRY.itemsize
        name = b"block %d" % number
        return np.frombuffer(_sealed(file, length, self.key, name, self.path), ENTRY)


def _seal(content: bytes, key: bytes, name: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=SEAL, key=key, person=name[:16]).digest()


def _sealed(file: BinaryIO, size: int, key: bytes, name: bytes, path: Path) -> bytes:
    content = file.read(size)
    if len(content) != size or file.read(SEAL) != _seal(content, key, name):
        raise DamagedSegmentError(path, f"its {name.decode()} is not as it was written")
    return content


Entries = tuple["NDArray[np.uint64]", int]
"""The sorted ID words of a segment's index, and the segment's key."""


def write_merged(
    path: Path, key: bytes, parts: Sequence[Entries], merged: Sequence[MergedIndex] = ()
) -> None:
    """Write an index over segments and other merged indexes, and put it in its place."""
    segments = np.concatenate(
        [*(each.segments for each in merged), np.array([pk for _, pk in parts], np.int64)]
    )
    count = sum(each.count for each in merged) + sum(len(ids) for ids, _ in parts)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
    os.close(handle)
    aside = Path(name)
    try:
        with aside.open("wb") as file:

            def put(content: bytes, name: bytes) -> None:
                file.write(content + _seal(content, key, name))

            head = np.array([len(segments), count], "<u8").tobytes()
            put(MAGIC + head, b"head")
            put(segments.astype("<i8").tobytes(), b"segments")
            before = file.tell()
            file.seek(8 * -(-count // BLOCK) + SEAL, os.SEEK_CUR)
            fences = []
            for number, block in enumerate(_blocks_of(_merged(parts, merged, count))):
                fences.append(int(block["id"][0]))
                put(block.tobytes(), b"block %d" % number)
            file.seek(before)
            put(np.array(fences, "<u8").tobytes(), b"fences")
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


def _merged(
    parts: Sequence[Entries], merged: Sequence[MergedIndex], count: int
) -> Iterator[NDArray[Any]]:
    """Yield all entries in order, some at a time: IDs are evenly spread over their range."""
    pieces = max(1, -(-count // MERGED_AT_ONCE))
    begins = np.cumsum([0, *(len(each.segments) for each in merged)]).tolist()
    for piece in range(pieces):
        low, high = (piece << 64) // pieces, ((piece + 1) << 64) // pieces
        found = []
        for begin, each in zip(begins, merged, strict=False):
            entries = each.entries(low, high)
            entries["place"] += begin
            found.append(entries)
        for place, (ids, _) in enumerate(parts, begins[-1]):
            here = ids[
                np.searchsorted(ids, np.uint64(low)) : np.searchsorted(
                    ids, np.uint64(high - 1), side="right"
                )
            ]
            entries = np.empty(len(here), ENTRY)
            entries["id"], entries["place"] = here, place
            found.append(entries)
        together = np.concatenate(found) if found else np.empty(0, ENTRY)
        yield together[np.argsort(together["id"], kind="stable")]


def _blocks_of(entries: Iterator[NDArray[Any]]) -> Iterator[NDArray[Any]]:
    left = np.empty(0, ENTRY)
    for some in entries:
        left = np.concatenate([left, some])
        whole = len(left) - len(left) % BLOCK
        yield from np.split(left[:whole], range(BLOCK, whole, BLOCK)) if whole else ()
        left = left[whole:]
    if len(left):
        yield left
