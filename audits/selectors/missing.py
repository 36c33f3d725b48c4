"""What a gambling day lacks, by the internal controls and the logs on file.

Four findings of a day, not of a round: no log at all, a log that came late, a table that the
controls name and no log does, a hole in a table's play.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from audits.gaps import gaps
from audits.selectors.days import logs_of_day
from audits.selectors.segments import current_segments
from compliance.archive import current_archive
from compliance.selectors.in_force import controls_between, zone

if TYPE_CHECKING:
    from audits.models import GamblingDay, RoundLog, Segment

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, kw_only=True)
class Missing:
    """Something that a day lacks: a code of the findings' contract, where, and in words."""

    code: str
    says: str
    awaited: str
    game: str = ""
    table: str = ""
    at: datetime | None = None
    log: str = ""

    @property
    def key(self) -> str:
        """What tells it from others of its code on the same day."""
        return "/".join((self.game, self.table, self.at.isoformat() if self.at else "", self.log))


def missing_of_day(day: GamblingDay) -> list[Missing]:
    """Everything that a day lacks, as things stand now.

    Without any log nothing is said of single tables. A correction is not late: it is an answer.
    """
    spans = controls_between(operator=day.party, begin=day.begins, end=day.ends)
    opened = [(begin, end) for begin, end, _, is_open in spans if is_open]
    named = {
        (game, table)
        for _, _, content, is_open in spans
        if is_open and content is not None
        for game, controls in content.games.items()
        for table in controls.tables
    }
    segments = current_segments(day.party, day=day.day)
    if not segments:
        return [_no_log(day, len(named))] if named else []
    played = _instants_by_table(segments)
    silent = [_silent(game, table) for game, table in sorted(named - played.keys())]
    spans_in_us = [(_microseconds(begin), _microseconds(end)) for begin, end in opened]
    holes = [
        _hole(game, table, found.begin, found.end, found.usual)
        for (game, table), at in sorted(played.items())
        for found in gaps(at, spans_in_us)
    ]
    late = [
        _late(day, log)
        for log in logs_of_day(day.party, day.day)
        if log.at > day.closes and log.corrects_id is None
    ]
    return [*late, *silent, *holes]


def _no_log(day: GamblingDay, tables: int) -> Missing:
    plural = "s" if tables != 1 else ""
    return Missing(
        code="night.no_log",
        says="nothing was handed in",
        awaited=f"rounds of {tables} table{plural} that the controls name, by {_clock(day.closes)}",
    )


def _late(day: GamblingDay, log: RoundLog) -> Missing:
    return Missing(
        code="night.late_log",
        says=f"handed in at {_clock(log.at)}",
        awaited=f"by {_clock(day.closes)}",
        at=log.at,
        log=log.sha256,
    )


def _silent(game: str, table: str) -> Missing:
    return Missing(
        code="night.table_silent",
        says="no round",
        awaited="rounds, or word that the table was closed",
        game=game,
        table=table,
    )


def _hole(game: str, table: str, begin: int, end: int, usual: int) -> Missing:
    since, until = _instant(begin), _instant(end)
    return Missing(
        code="night.gap",
        says=f"no round from {_clock(since)} to {_clock(until)}",
        awaited=f"a round about every {usual / 1_000_000:.0f} s",
        game=game,
        table=table,
        at=since,
    )


def _instants_by_table(segments: list[Segment]) -> dict[tuple[str, str], np.ndarray]:
    """When the rounds of each table were dealt, in microseconds, not sorted."""
    found: dict[tuple[str, str], list[np.ndarray]] = {}
    for segment in segments:
        with current_archive().fetch(segment.sha256) as path:
            rounds = pq.read_table(path, columns=["table", "at"])
        tables = rounds.column("table").combine_chunks().dictionary_encode()
        at = rounds.column("at").cast(pa.int64()).to_numpy()
        numbers = tables.indices.to_numpy()
        for number, name in enumerate(tables.dictionary.to_pylist()):
            found.setdefault((segment.game, name), []).append(at[numbers == number])
    return {table: np.concatenate(parts) for table, parts in found.items()}


def _microseconds(instant: datetime) -> int:
    return (instant - EPOCH) // MICROSECOND


def _instant(microseconds: int) -> datetime:
    return EPOCH + microseconds * MICROSECOND


def _clock(instant: datetime) -> str:
    return f"{instant.astimezone(zone()):%Y-%m-%d %H:%M}"
