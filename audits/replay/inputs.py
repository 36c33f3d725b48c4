"""Fixed inputs of a replay: the terms of each day, and what came before its segments."""

from __future__ import annotations

import tempfile
from bisect import bisect_left
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from audits.intake.days.writes import keep_day
from audits.intake.reads import segments_before
from audits.intake.segments.tails import Tail, read_tails, write_tails
from audits.replay.auditing.terms import TermsInEffect
from audits.replay.terms import terms_of
from compliance.files.archive import RemovedError, current_archive, store_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from audits.intake.models import Segment
    from compliance.access.models import Party


def store_terms(*, operator: Party, game: str, day: date) -> str:
    """Store the terms in effect for an operator's game on a gambling day; return their digest.

    Raises:
        TermsError: rounds cannot be audited under what was approved.
    """
    kept = keep_day(party=operator, day=day)
    terms = terms_of(operator=operator, game=game, begin=kept.begins, end=kept.ends)
    TermsInEffect(terms)  # fails here, for this game alone, and not in the middle of a night
    return store_bytes(current_archive(), terms.canonical()).digest


def store_tails_before(segment: Segment, on_file: Sequence[Segment] = ()) -> str:
    """Store the tails that come before a segment; return their digest, or "" if there are none.

    `on_file` are current segments of its game, in order, up to some day and without a gap.
    """
    before = tails_before(segment, on_file)
    if not before:
        return ""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "tails"
        write_tails(place, [before[table] for table in sorted(before)])
        with place.open("rb") as content:
            return current_archive().store(content).digest


def tails_before(segment: Segment, on_file: Sequence[Segment] = ()) -> dict[str, Tail]:
    """Return each table's last round on file before the segment, and its last one not void.

    What retention removed is no longer known, so a table's rounds begin after it.
    """
    found: dict[str, Tail] = {}
    wanted = set(segment.tables)
    for earlier in _earlier(segment, on_file):
        if not wanted:
            break
        here = wanted & set(earlier.tables)
        if not here:
            continue  # a day that a correction emptied has no tails either
        try:
            tails = _tails_of(earlier.tails_sha256)
        except RemovedError:
            continue
        for table, tail in tails.items():
            if table not in here:
                continue
            known = found.get(table)
            found[table] = tail if known is None else replace(known, last_played=tail.last_played)
            if found[table].last_played is not None:
                wanted.discard(table)
    return found


def _earlier(segment: Segment, on_file: Sequence[Segment]) -> Iterator[Segment]:
    """Yield the segments with earlier rounds, newest first, those at hand without a query."""
    place = bisect_left(on_file, _order(segment), key=_order)
    for number in range(place - 1, -1, -1):
        yield on_file[number]
    yield from segments_before(on_file[0] if place else segment)


def _order(segment: Segment) -> tuple[date, int]:
    return segment.day, segment.piece


@lru_cache(maxsize=64)
def _tails_of(digest: str) -> dict[str, Tail]:
    with current_archive().fetch(digest) as place:
        tails: dict[str, Tail] = read_tails(place)
        return tails
