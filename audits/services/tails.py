"""What stood before a segment: each table's last rounds, however long ago they were."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from audits.segments.tails import Tail, read_tails, write_tails
from audits.selectors.segments import segments_before
from compliance.archive import RemovedError, current_archive

if TYPE_CHECKING:
    from audits.models import Segment


def keep_tails_before(segment: Segment) -> str:
    """Store the tails that stand before a segment; their digest, or nothing where none do."""
    before = _tails_before(segment)
    if not before:
        return ""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "tails"
        write_tails(place, [before[table] for table in sorted(before)])
        with place.open("rb") as content:
            return current_archive().store(content).digest


def _tails_before(segment: Segment) -> dict[str, Tail]:
    """For each of its tables the last round on file before it, and the last not void.

    What retention removed is not known any more: a table's rounds begin behind it.
    """
    found: dict[str, Tail] = {}
    wanted = set(segment.tables)
    for earlier in segments_before(segment):
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


@lru_cache(maxsize=64)
def _tails_of(digest: str) -> dict[str, Tail]:
    with current_archive().fetch(digest) as place:
        tails: dict[str, Tail] = read_tails(place)
        return tails
