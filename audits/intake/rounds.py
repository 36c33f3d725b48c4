"""Find rounds on file by ID, or by table and time."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from audits.instants import instant, microseconds
from audits.intake.filed_forms import FiledForms
from audits.intake.index_copies import index_at_hand
from audits.intake.known_ids import find_segments
from audits.intake.models import RoundLog
from audits.intake.reads import segments_on_file
from audits.intake.segments.id_index import row_of
from audits.intake.segments.lookup import FoundRound, ids_of_rows, read_round, rows_of_table
from audits.intake.segments.rejections import DamagedSegmentError
from compliance.files.archive import RemovedError, current_archive
from compliance.retention.reads import why_removed
from games.log.digests import id_of
from games.log.form import LONGEST_LINE, Rejection, read_line
from games.log.lines import unpack

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date, datetime

    from audits.intake.models import Segment
    from compliance.access.models import Party


MOST = LONGEST_LINE + 1


@dataclass(frozen=True)
class RoundOnFile:
    """A round, its segment and its log."""

    segment: Segment
    log: RoundLog
    found: FoundRound

    @property
    def line(self) -> str:
        """Return the round in canonical form."""
        return self.found.line.decode()


def find_round(parties: Iterable[Party], id_: str) -> RoundOnFile | None:
    """Return the newest round that `find_rounds` finds, or None."""
    return next(iter(find_rounds(parties, id_)), None)


def find_rounds(parties: Iterable[Party], id_: str) -> list[RoundOnFile]:
    """Return the rounds with an ID, newest first; each operator may have used it once.

    Raises:
        RemovedError: none is on file, but it may be among rounds that were removed.
        DamagedError, MissingError, DamagedSegmentError: a file with the round is damaged or
            missing; `repair_segment` fixes it.
    """
    digest = id_of(id_)
    words = np.array(digest[:1], np.uint64)
    operators = list(parties)
    known = [find_segments(each, lambda: [words]) for each in operators]
    on_file = segments_on_file(*operators)
    found, removed = [], None
    for segment in on_file.filter(pk__in=frozenset().union(*(each.segments for each in known))):
        try:
            row = row_of(index_at_hand(segment.index_sha256), digest)
            if row is not None:
                found.append(_read(segment, row, id_))
        except RemovedError as error:
            removed = error
    if found:
        return sorted(found, key=lambda each: each.found.round.at, reverse=True)
    gone = on_file.filter(pk__in=frozenset().union(*(each.removed for each in known)))
    if removed is None and (first := gone.first()) is not None:
        removed = RemovedError(why_removed(first.index_sha256))
    if removed is not None:
        raise removed
    return []


def round_at(log: RoundLog, line: int) -> RoundOnFile | None:
    """Return the round on a line of a log; None if there is none or another log's now counts."""
    read = read_line(line_as_submitted(log, line), FiledForms(log.at))
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
    log = RoundLog.objects.get(party=segment.party_id, sha256=read.log, good__gt=0)
    return RoundOnFile(segment, log, read)


def line_as_submitted(log: RoundLog, line: int) -> bytes:
    """Return a line of a log (from 1) byte for byte, without its line ending.

    The line is of the evidence, or of the round log that a mapping made of it.

    A line longer than the limit for rounds is cut off one byte after that limit.
    """
    with current_archive().fetch(log.lines_sha256) as place, place.open("rb") as content:
        return next(islice(_lines(unpack(content)), line - 1, None), b"")


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    buffered = b""
    for piece in pieces:
        goes_on, *whole = piece.split(b"\n")
        buffered += goes_on[: MOST - len(buffered)]
        for each in whole:
            yield buffered.removesuffix(b"\r")
            buffered = each[:MOST]
    if buffered:
        yield buffered.removesuffix(b"\r")


MOST_SEGMENTS: Final = 12
"""Maximum segments searched for one page: the adjacent nights, each in a few pieces."""

Key = tuple[int, int, int]
"""End of a round in microseconds, its segment's key and its row: the sort order of a table."""


@dataclass(frozen=True)
class PlayedRound:
    """A round in a list."""

    id: str
    key: Key
    game: str
    day: date

    @property
    def at(self) -> datetime:
        """Return when it ended."""
        return instant(self.key[0])


@dataclass(frozen=True)
class Stretch:
    """Consecutive rounds of a table, and whether there are more on either side."""

    rounds: tuple[PlayedRound, ...]
    earlier: bool
    later: bool


def key_of(segment: Segment, row: int, at: int) -> Key:
    """Return a round's key; `at` is in microseconds."""
    return (at, segment.pk, row)


def rounds_around(party: Party, table: str, at: datetime, each_way: int) -> Stretch:
    """Return the rounds that ended just before and just after an instant."""
    edge = (microseconds(at), 0, 0)
    before, earlier = _before(party, table, edge, each_way)
    after, later = _after(party, table, edge, each_way)
    return Stretch(_named([*before, *after]), earlier, later)


def rounds_before(party: Party, table: str, key: Key, count: int) -> Stretch:
    """Return the rounds just before one."""
    found, earlier = _before(party, table, key, count)
    return Stretch(_named(found), earlier, later=True)


def rounds_after(party: Party, table: str, key: Key, count: int) -> Stretch:
    """Return the rounds just after one."""
    found, later = _after(party, table, (*key[:2], key[2] + 1), count)
    return Stretch(_named(found), earlier=True, later=later)


def tables_near(party: Party, since: datetime, until: datetime) -> dict[str, set[str]]:
    """Return the tables at which an operator dealt in a period, each with its games."""
    found: dict[str, set[str]] = {}
    segments = segments_on_file(party).filter(first_at__lt=until, last_at__gte=since)
    for game, tables in segments.values_list("game", "tables"):
        for table in tables:
            found.setdefault(table, set()).add(game)
    return found


def removed_near(party: Party, table: str, since: datetime, until: datetime) -> str:
    """Return when and why a table's rounds in a period were removed; empty if none were."""
    segments = segments_on_file(party).filter(tables__has_key=table, first_at__lt=until)
    archive = current_archive()
    for digest in segments.filter(last_at__gte=since).values_list("sha256", flat=True):
        if not archive.has(digest) and (says := why_removed(digest)):
            return says
    return ""


_Found = list[tuple[Key, "Segment"]]


def _before(party: Party, table: str, edge: Key, count: int) -> tuple[_Found, bool]:
    """Return the last `count` rounds before an edge, and whether there are earlier ones."""
    segments = segments_on_file(party).filter(tables__has_key=table, first_at__lte=instant(edge[0]))
    found: _Found = []
    for number, segment in enumerate(segments.order_by("-last_at", "-pk")[: MOST_SEGMENTS + 1]):
        if len(found) > count and found[0][0][0] > microseconds(segment.last_at):
            break
        if number == MOST_SEGMENTS:
            return found[-count:], True
        read = _rows(segment, table)
        end = bisect_left([key for key, _ in read], edge)
        found = sorted([*found, *read[max(0, end - count - 1) : end]], key=_key)[-count - 1 :]
    return found[-count:], len(found) > count


def _after(party: Party, table: str, edge: Key, count: int) -> tuple[_Found, bool]:
    """Return the first `count` rounds from an edge on, and whether there are later ones."""
    segments = segments_on_file(party).filter(tables__has_key=table, last_at__gte=instant(edge[0]))
    found: _Found = []
    for number, segment in enumerate(segments.order_by("first_at", "pk")[: MOST_SEGMENTS + 1]):
        if len(found) > count and found[-1][0][0] < microseconds(segment.first_at):
            break
        if number == MOST_SEGMENTS:
            return found[:count], True
        read = _rows(segment, table)
        first = bisect_left([key for key, _ in read], edge)
        found = sorted([*found, *read[first : first + count + 1]], key=_key)[: count + 1]
    return found[:count], len(found) > count


def _rows(segment: Segment, table: str) -> _Found:
    """Return a table's rounds in a segment; empty if retention removed it."""
    try:
        with current_archive().fetch(segment.sha256) as path:
            rows, at = rows_of_table(path, table)
    except RemovedError:
        return []
    found = zip(at.tolist(), rows.tolist(), strict=True)
    return sorted((((at, segment.pk, row), segment) for at, row in found), key=_key)


def _named(found: _Found) -> tuple[PlayedRound, ...]:
    """Add IDs to the rounds, keeping their order."""
    by_segment: dict[int, tuple[Segment, list[int]]] = {}
    for (_, _, row), segment in found:
        by_segment.setdefault(segment.pk, (segment, []))[1].append(row)
    ids: dict[tuple[int, int], str] = {}
    for segment, rows in by_segment.values():
        with current_archive().fetch(segment.sha256) as path:
            for row, id_ in zip(rows, ids_of_rows(path, rows), strict=True):
                ids[segment.pk, row] = id_
    return tuple(
        PlayedRound(ids[key[1], key[2]], key, segment.game, segment.day) for key, segment in found
    )


def _key(each: tuple[Key, Segment]) -> Key:
    return each[0]
