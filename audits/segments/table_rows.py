"""The rounds of one table in a segment: their rows, when they ended, and their ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from audits.segments.refusals import DamagedSegmentError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray


def rows_of_table(path: Path, table: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows of a table, from 0 and ascending, and when each round ended (microseconds, UTC).

    Raises:
        DamagedSegmentError: the file is not as it was written.
    """
    read = _columns(path, ["table", "at"])
    rows = np.flatnonzero(pc.equal(read["table"], table).to_numpy(zero_copy_only=False))
    return rows, read["at"].cast(pa.int64()).to_numpy()[rows]


def ids_of_rows(path: Path, rows: Sequence[int]) -> list[str]:
    """The ids of the rounds in some rows.

    Raises:
        DamagedSegmentError: the file is not as it was written.
    """
    found: list[str] = (
        _columns(path, ["round"])["round"].take(pa.array(rows, pa.int64())).to_pylist()
    )
    return found


def _columns(path: Path, names: list[str]) -> Any:
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            return file.read(names, use_threads=False)
    except (pa.ArrowException, OSError) as error:
        raise DamagedSegmentError(path, error) from None
