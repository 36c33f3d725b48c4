"""Find rounds in segments: one by its ID, or all of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from audits.intake.segments.id_index import row_of
from audits.intake.segments.rejections import DamagedSegmentError
from audits.intake.segments.segment_file import read_group_with, read_header
from games.log.digests import digest_of, id_of
from games.log.form import Rejection, line_of, read_written

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from audits.intake.segments.place import OldSegment, Place
    from games.log.round import Round


@dataclass(frozen=True, slots=True)
class FoundRound:
    """A round of a segment, and where it was submitted."""

    place: Place
    row: int
    """Row in the segment, from 0."""
    round: Round
    line: bytes
    """The round as `line_of` writes it; the line as submitted is in the log."""
    log: str
    """SHA-256 of the log that contains it."""
    source_line: int
    disturbed: bool

    @property
    def digest(self) -> str:
        """Hex digest of the round as logged; loading the compiled functions takes 0.2 seconds."""
        return digest_of(self.round).hex()


def find_round(segments: Iterable[OldSegment], id_: str) -> tuple[OldSegment, FoundRound] | None:
    """Find a round by ID in an operator's segments on file.

    Raises:
        DamagedSegmentError: a file is not as it was written.
    """
    digest = id_of(id_)
    for segment in segments:
        row = row_of(segment.index, digest)
        if row is not None:
            found = read_round(segment.path, row)
            if found.round.round != id_:
                raise DamagedSegmentError(
                    segment.index, f"row {row} is round {found.round.round}, not {id_}"
                )
            return segment, found
    return None


def read_round(path: Path, row: int) -> FoundRound:
    """Return the round in a row of a segment, from 0.

    Raises:
        DamagedSegmentError: the file is not as it was written, or has no such row.
    """
    header, group = read_header(path), read_group_with(path, row)
    place = row + 1 - group.first_row
    odd = dict(group.odd).get(row + 1)
    if odd is not None:
        read = read_written(odd)
        if isinstance(read, Rejection):
            raise DamagedSegmentError(path, f"row {row}: {read.reason}")
        played = read
    else:
        played = group.columns.round(int((group.columns.lines <= row).sum()))
    return FoundRound(
        place=header.place,
        row=row,
        round=played,
        line=line_of(played),
        log=header.logs[int(group.source_log[place])],
        source_line=int(group.source_line[place]),
        disturbed=bool(group.disturbed[place]),
    )


def rows_of_table(path: Path, table: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return a table's rows, ascending from 0, and when each round ended (microseconds, UTC).

    Raises:
        DamagedSegmentError: the file is not as it was written.
    """
    read = _columns(path, ["table", "at"])
    rows = np.flatnonzero(pc.equal(read["table"], table).to_numpy(zero_copy_only=False))
    return rows, read["at"].cast(pa.int64()).to_numpy()[rows]


def ids_of_rows(path: Path, rows: Sequence[int]) -> list[str]:
    """Return the IDs of the rounds in some rows.

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
