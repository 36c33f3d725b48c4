"""Finds a round by its id among all that are on file: by the id indexes, no row per round."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from audits.models import RoundLog
from audits.segments.id_index import row_of
from audits.segments.lookup import FoundRound, read_round
from audits.segments.refusals import DamagedSegmentError
from audits.selectors.indexes import index_at_hand
from audits.selectors.round_logs import segments_on_file
from compliance.archive import RemovedError, current_archive
from games.round_log.digests import id_of
from games.round_log.form import LONGEST_LINE, Rejection, read_line
from games.round_log.unpack import unpack

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from audits.models import Segment
    from compliance.models import Party

MOST = LONGEST_LINE + 1


@dataclass(frozen=True)
class RoundOnFile:
    """A round, the segment it lies in, and the log it came by."""

    segment: Segment
    log: RoundLog
    found: FoundRound

    @property
    def line(self) -> str:
        """The round in canonical form."""
        return self.found.line.decode()


def find_round(parties: Iterable[Party], id_: str) -> RoundOnFile | None:
    """The newest of the rounds that `find_rounds` finds; None where there is none."""
    return next(iter(find_rounds(parties, id_)), None)


def find_rounds(parties: Iterable[Party], id_: str) -> list[RoundOnFile]:
    """The rounds of an id at these operators, the newest first: each may have used it once.

    Raises:
        RemovedError: none is on file, and rounds were removed among which it may have been.
        DamagedError, MissingError, DamagedSegmentError: what holds the round is not what it was;
            `heal_segment` makes it good.
    """
    digest = id_of(id_)
    found, removed = [], None
    for segment in segments_on_file(*parties):
        try:
            row = row_of(index_at_hand(segment.index_sha256), digest)
            if row is not None:
                found.append(_read(segment, row, id_))
        except RemovedError as gone:
            removed = gone
    if removed is not None and not found:
        raise removed
    return sorted(found, key=lambda each: each.found.round.at, reverse=True)


def round_at(log: RoundLog, line: int) -> RoundOnFile | None:
    """The round of a line of a log; None where it holds none, or another log's counts by now."""
    read = read_line(line_as_handed_in(log, line))
    if isinstance(read, Rejection):
        return None
    found = find_round([log.party], read.round)
    same = found is not None and (found.log.pk, found.found.source_line) == (log.pk, line)
    return found if same else None


def _read(segment: Segment, row: int, id_: str) -> RoundOnFile:
    with current_archive().fetch(segment.sha256) as path:
        read = read_round(path, row)
        if read.round.round != id_:
            message = f"row {row} is round {read.round.round}, not {id_}"
            raise DamagedSegmentError(path, message)
    log = RoundLog.objects.get(party=segment.party_id, sha256=read.log)
    return RoundOnFile(segment, log, read)


def line_as_handed_in(log: RoundLog, line: int) -> bytes:
    """A line of the evidence, from 1, as its bytes were handed in, without its end.

    Of one that is longer than a round may be there is one byte too much, and no more.
    """
    with current_archive().fetch(log.sha256) as place, place.open("rb") as content:
        return next(islice(_lines(unpack(content)), line - 1, None), b"")


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    held = b""
    for piece in pieces:
        goes_on, *whole = piece.split(b"\n")
        held += goes_on[: MOST - len(held)]
        for each in whole:
            yield held.removesuffix(b"\r")
            held = each[:MOST]
    if held:
        yield held.removesuffix(b"\r")
