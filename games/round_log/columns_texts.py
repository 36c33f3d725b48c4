"""Columns of short texts: bytes that lie in one block, and where each begins and ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from games.kernel import jit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@jit
def copy_texts(data, start, stop, offsets, packed):  # type: ignore[no-untyped-def]
    """Packs the texts one behind the other, as Arrow keeps them."""
    behind = 0
    for row in range(start.size):
        offsets[row] = behind
        for at in range(start[row], stop[row]):
            packed[behind] = data[at]
            behind += 1
    offsets[start.size] = behind


@dataclass(frozen=True, slots=True)
class Texts:
    """One text a row; a row without one begins at -1 and ends there."""

    data: NDArray[np.uint8]
    start: NDArray[np.int64]
    stop: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.start)

    def __getitem__(self, row: int) -> str | None:
        first = int(self.start[row])
        return None if first < 0 else self.data[first : int(self.stop[row])].tobytes().decode()

    def encoded(self, row: int) -> bytes:
        """A row's text as it lies there; no bytes where there is none."""
        return self.data[self.start[row] : self.stop[row]].tobytes()

    def arrow(self) -> pa.StringArray:
        """The same texts as Arrow keeps them."""
        offsets = np.empty(len(self) + 1, np.int32)
        packed = np.empty(int((self.stop - self.start).sum()), np.uint8)
        copy_texts(self.data, self.start, self.stop, offsets, packed)
        absent = self.start < 0
        present = None
        if absent.any():
            present = pa.py_buffer(np.packbits(~absent, bitorder="little"))
        return pa.StringArray.from_buffers(
            len(self), pa.py_buffer(offsets), pa.py_buffer(packed), present
        )

    @staticmethod
    def of_arrow(array: pa.Array) -> Texts:
        """Arrow's texts, where they lie; a dictionary's words are not copied out."""
        if isinstance(array, pa.DictionaryArray):
            return _of_dictionary(array)
        _, places, data = array.buffers()
        offsets = np.frombuffer(places, np.int32)[array.offset : array.offset + len(array) + 1]
        raw = np.frombuffer(data, np.uint8) if data is not None else np.empty(0, np.uint8)
        if array.null_count == len(array):
            nowhere = np.full(len(array), -1, np.int64)
            return Texts(raw, nowhere, nowhere)
        wide = offsets.astype(np.int64)
        start, stop = wide[:-1], wide[1:]
        if array.null_count:
            absent = absent_in(array)
            start, stop = np.where(absent, -1, start), np.where(absent, -1, stop)
        return Texts(raw, start, stop)

    @staticmethod
    def of(texts: Sequence[str | None]) -> Texts:
        """Texts out of Python."""
        return Texts.of_arrow(pa.array(texts, pa.string()))


def _of_dictionary(array: pa.DictionaryArray) -> Texts:
    words = Texts.of_arrow(array.dictionary)
    if not len(words):
        absent = np.full(len(array), -1, np.int64)
        return Texts(words.data, absent, absent)
    codes = np.frombuffer(array.buffers()[1], np.int32)[array.offset : array.offset + len(array)]
    if not array.null_count:
        return Texts(words.data, words.start[codes], words.stop[codes])
    nowhere = absent_in(array)
    given = np.where(nowhere, 0, codes)  # where nothing is, any code may stand
    start, stop = words.start[given], words.stop[given]
    start[nowhere] = stop[nowhere] = -1
    return Texts(words.data, start, stop)


def absent_in(array: pa.Array) -> NDArray[np.bool_]:
    """Where an array has nothing.

    Arrow's own `is_null` loads its functions first: a tenth of a second in which a round that is
    asked for could have been found.
    """
    present = array.buffers()[0]
    if present is None:
        return np.zeros(len(array), np.bool_)
    bits = np.unpackbits(np.frombuffer(present, np.uint8), bitorder="little")
    absent: NDArray[np.bool_] = bits[array.offset : array.offset + len(array)] == 0
    return absent
