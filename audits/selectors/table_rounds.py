"""Any round by its table and the time: those before and after an instant, or before and after one.

A table's rounds stand by the time at which each ended; of a table that deals two games in a night
both are among them. What is read is the columns of few segments, however much is on file.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from audits.instants import instant, microseconds
from audits.segments.table_rows import ids_of_rows, rows_of_table
from audits.selectors.round_logs import segments_on_file
from compliance.archive import RemovedError, current_archive
from compliance.selectors.retention import why_removed

if TYPE_CHECKING:
    from datetime import date, datetime

    from audits.models import Segment
    from compliance.models import Party

MOST_SEGMENTS: Final = 12
"""So many are looked into for one page: the nights next to it, each in a few pieces."""

Key = tuple[int, int, int]
"""When a round ended in microseconds, the key of its segment, its row: the order of a table."""


@dataclass(frozen=True)
class PlayedRound:
    """A round as a list names it."""

    id: str
    key: Key
    game: str
    day: date

    @property
    def at(self) -> datetime:
        """When it ended."""
        return instant(self.key[0])


@dataclass(frozen=True)
class Stretch:
    """Rounds of a table in order, and whether there are others on either side."""

    rounds: tuple[PlayedRound, ...]
    earlier: bool
    later: bool


def key_of(segment: Segment, row: int, at: int) -> Key:
    """The key of a round that is at hand; `at` in microseconds."""
    return (at, segment.pk, row)


def rounds_around(party: Party, table: str, at: datetime, each_way: int) -> Stretch:
    """The rounds that ended last before an instant, and those that ended next."""
    edge = (microseconds(at), 0, 0)
    before, earlier = _before(party, table, edge, each_way)
    after, later = _after(party, table, edge, each_way)
    return Stretch(_named([*before, *after]), earlier, later)


def rounds_before(party: Party, table: str, key: Key, count: int) -> Stretch:
    """The rounds next before one."""
    found, earlier = _before(party, table, key, count)
    return Stretch(_named(found), earlier, later=True)


def rounds_after(party: Party, table: str, key: Key, count: int) -> Stretch:
    """The rounds next after one."""
    found, later = _after(party, table, (*key[:2], key[2] + 1), count)
    return Stretch(_named(found), earlier=True, later=later)


def tables_near(party: Party, since: datetime, until: datetime) -> dict[str, set[str]]:
    """The tables that an operator dealt at in a span, each with its games."""
    found: dict[str, set[str]] = {}
    segments = segments_on_file(party).filter(first_at__lt=until, last_at__gte=since)
    for game, tables in segments.values_list("game", "tables"):
        for table in tables:
            found.setdefault(table, set()).add(game)
    return found


def removed_near(party: Party, table: str, since: datetime, until: datetime) -> str:
    """When and why rounds of a table in a span were removed; nothing where none was."""
    segments = segments_on_file(party).filter(tables__has_key=table, first_at__lt=until)
    archive = current_archive()
    for digest in segments.filter(last_at__gte=since).values_list("sha256", flat=True):
        if not archive.has(digest) and (says := why_removed(digest)):
            return says
    return ""


_Found = list[tuple[Key, "Segment"]]


def _before(party: Party, table: str, edge: Key, count: int) -> tuple[_Found, bool]:
    """The last `count` rounds before an edge, in order, and whether one stands before them."""
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
    """The first `count` rounds from an edge on, in order, and whether one stands after them."""
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
    """The rounds of a table in a segment; none of one that retention removed."""
    try:
        with current_archive().fetch(segment.sha256) as path:
            rows, at = rows_of_table(path, table)
    except RemovedError:
        return []
    found = zip(at.tolist(), rows.tolist(), strict=True)
    return sorted((((at, segment.pk, row), segment) for at, row in found), key=_key)


def _named(found: _Found) -> tuple[PlayedRound, ...]:
    """The rounds with their ids, in the order given."""
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
