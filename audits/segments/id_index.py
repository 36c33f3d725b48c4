"""The id index of a segment: digests of ids in ascending order, and the row of each.

A file of flat columns, mapped and never read as a whole: two words of the id's digest, two of the
round's, the row. Random ids leave no statistics to prune by, a sorted column needs none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from audits.segments.refusals import DamagedSegmentError

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

    from numpy.typing import NDArray

MAGIC: Final = b"round ids, version 1".ljust(24, b"\n")
HEAD: Final = len(MAGIC) + 8
COLUMNS: Final = ("<u8", "<u8", "<u8", "<u8", "<u4")
WIDTHS: Final = (8, 8, 8, 8, 4)

NEAR: Final = 2048
"""Places read at once where an id is looked for: 16 KiB."""


@dataclass(frozen=True, slots=True)
class IdIndex:
    """Columns of equal length, ascending by `ids`."""

    ids: NDArray[np.uint64]
    more: NDArray[np.uint64]
    """The second word of the id's digest."""
    content: NDArray[np.uint64]
    more_content: NDArray[np.uint64]
    """The first two words of the round's digest."""
    rows: NDArray[np.uint32]
    """Rows of the segment, from 0."""

    def __len__(self) -> int:
        return len(self.ids)


def write_index(path: Path, ids: NDArray[np.uint64], digests: NDArray[np.uint64]) -> None:
    """Write the index of rounds in the order of their rows."""
    order = np.argsort(ids[:, 0], kind="stable")
    with path.open("wb") as file:
        file.write(MAGIC + len(order).to_bytes(8, "little"))
        for column in (ids[:, 0], ids[:, 1], digests[:, 0], digests[:, 1]):
            file.write(column[order].astype("<u8").data)
        file.write(order.astype("<u4").data)


def open_index(path: Path) -> IdIndex:
    """Map an index.

    Raises:
        DamagedSegmentError: the file is not as it was written.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(HEAD)
    count = _count(path, head, size)
    raw = np.memmap(path, np.uint8, "r", offset=HEAD) if count else np.empty(0, np.uint8)
    ends = np.cumsum([0, *WIDTHS]) * count
    columns = [
        raw[first:end].view(kind)
        for kind, first, end in zip(COLUMNS, ends[:-1].tolist(), ends[1:].tolist(), strict=True)
    ]
    return IdIndex(*columns)


def _count(path: Path, head: bytes, size: int) -> int:
    count = int.from_bytes(head[len(MAGIC) :], "little")
    if not head.startswith(MAGIC) or size != HEAD + count * sum(WIDTHS):
        raise DamagedSegmentError(path, f"{size} bytes do not hold an index of {count} ids")
    return count


def row_of(path: Path, id_: tuple[int, int]) -> int | None:
    """The row of an id by its digest: two reads of a few pages, because digests lie evenly.

    Raises:
        DamagedSegmentError: the file is not as it was written.
    """
    size = path.stat().st_size
    with path.open("rb", buffering=0) as file:
        count = _count(path, file.read(HEAD), size)
        first, end = _around(file, count, id_[0])
        near = _column(file, 0, count, first, end)
        places = first + np.flatnonzero(near == np.uint64(id_[0]))
        for place in places.tolist():
            if int(_column(file, 1, count, place, place + 1)[0]) == id_[1]:
                file.seek(HEAD + 32 * count + 4 * place)
                return int.from_bytes(file.read(4), "little")
    return None


def _around(file: BinaryIO, count: int, wanted: int) -> tuple[int, int]:
    """Places between which an id stands if it is there: mostly near where an even spread has it."""
    low, end = 0, count
    middle, reach = (wanted * count) >> 64, NEAR
    while end - low > 2 * NEAR:
        first, last = max(low, middle - reach), min(end, middle + reach)
        edges = _column(file, 0, count, first, last)
        if first > low and int(edges[0]) >= wanted:
            end = first + 1
        elif last < end and int(edges[-1]) <= wanted:
            low = last - 1
        else:
            return first, last
        middle = (low + end) // 2
    return low, end


def _column(file: BinaryIO, column: int, count: int, first: int, end: int) -> NDArray[np.uint64]:
    file.seek(HEAD + 8 * (column * count + first))
    return np.frombuffer(file.read(8 * (end - first)), "<u8")
