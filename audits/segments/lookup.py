"""A round found by its id among all segments on file, and read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from audits.segments.id_index import row_of
from audits.segments.refusals import DamagedSegmentError
from audits.segments.segment_file import read_group_with, read_header
from games.round_log.digests import digest_of, id_of
from games.round_log.form import Rejection, read_line
from games.round_log.written import line_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from audits.segments.place import OldSegment, Place
    from games.round_log.round import Round


@dataclass(frozen=True, slots=True)
class FoundRound:
    """A round of a segment, and where it was handed in."""

    place: Place
    row: int
    """In the segment, from 0."""
    round: Round
    line: bytes
    """The round as `line_of` writes it; the line as handed in is the log's."""
    log: str
    """SHA-256 of the log it stands in."""
    source_line: int
    disturbed: bool

    @property
    def digest(self) -> str:
        """Of the round as logged, in hexadecimal; loading its kernels takes a fifth of a second."""
        return digest_of(self.round).hex()


def find_round(segments: Iterable[OldSegment], id_: str) -> tuple[OldSegment, FoundRound] | None:
    """The round of an id in the segments on file of one operator.

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
    """The round in a row of a segment, from 0.

    Raises:
        DamagedSegmentError: the file is not as it was written, or has no such row.
    """
    header, group = read_header(path), read_group_with(path, row)
    place = row + 1 - group.first_row
    odd = dict(group.odd).get(row + 1)
    if odd is not None:
        read = read_line(odd)
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
