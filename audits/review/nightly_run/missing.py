"""Things missing from a gambling day: logs, tables, and periods of play."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from audits.intake.days.reads import approved_tables
from audits.intake.days.shoes import broken_shoes
from audits.intake.reads import current_segments, logs_of_day
from audits.intake.table_records.reads import closed_tables
from audits.review.nightly_run.cash import CONTROLS, checked_cash
from audits.review.nightly_run.funds import faults_of_funds
from compliance.clock import zone
from compliance.files.archive import current_archive
from games.cents import in_dollars

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from audits.intake.days.models import GamblingDay
    from audits.intake.models import RoundLog, Segment
    from audits.review.nightly_run.cash import CheckedCash
    from audits.review.nightly_run.funds import FundFault


MICROSECONDS: Final = 1_000_000
FEWEST_ROUNDS: Final = 50
"""With fewer rounds, a table's pace on that day is not meaningful."""
SHORTEST: Final = 3_600 * MICROSECONDS
TIMES_THE_USUAL: Final = 30


@dataclass(frozen=True)
class Gap:
    """The time between two rounds of a table in epoch microseconds, and the usual time.

    `usual` is the median time between rounds at that table on that day.
    """

    begin: int
    end: int
    usual: int


def gaps(at: np.ndarray, opened: Sequence[tuple[int, int]]) -> list[Gap]:
    """Return the gaps in a table's rounds; `opened` has the periods in which the room was open.

    A gap is the time between two rounds of a table with at least 50 rounds that day, if more than
    an hour of it, and more than 30 times the usual time between rounds, is within opening hours.
    """
    if len(at) < FEWEST_ROUNDS:
        return []
    ordered = np.sort(at)
    steps = np.diff(ordered)
    usual = int(np.median(steps))
    least = max(SHORTEST, TIMES_THE_USUAL * usual)
    return [
        Gap(int(ordered[before]), int(ordered[before + 1]), usual)
        for before in np.flatnonzero(steps > least)
        if _open_within(int(ordered[before]), int(ordered[before + 1]), opened) > least
    ]


def _open_within(begin: int, end: int, opened: Sequence[tuple[int, int]]) -> int:
    return sum(max(0, min(end, until) - max(begin, since)) for since, until in opened)


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, kw_only=True)
class Missing:
    """Something missing from a day: a finding code, the place, and a description."""

    code: str
    says: str
    awaited: str
    game: str = ""
    table: str = ""
    at: datetime | None = None
    log: str = ""
    about: str = ""
    """What else distinguishes it, where a place can lack several things at once."""
    delta: int = 0
    cites: tuple[str, ...] = (CONTROLS,)

    @property
    def key(self) -> str:
        """Return what distinguishes it from others of its code on the same day."""
        more = (*filter(None, (self.about,)), *((str(self.delta),) if self.delta else ()))
        at = self.at.isoformat() if self.at else ""
        return "/".join((self.game, self.table, at, self.log, *more))


def missing_of_day(day: GamblingDay) -> list[Missing]:
    """Return everything that a day currently lacks, and where cash, funds and rounds differ.

    If there is no log at all, single tables are not reported. A correction is an answer and never
    late.
    """
    money = [_cash(each) for each in checked_cash(day) if not each.is_within]
    money += [_fund(each) for each in faults_of_funds(day)]
    approved = approved_tables(day.party, day.begins, day.ends)
    segments = current_segments(day.party, day=day.day)
    played = _instants_by_table(segments)
    # A table with rounds was not closed, whatever the operator said.
    shut = closed_tables(day.party, day.day).keys() - {table for _, table in played}
    named = {each for each in approved.expected if each[1] not in shut}
    if not segments:
        return [_no_log(day, len(named)), *money] if named else money
    silent = [_silent(game, table) for game, table in sorted(named - played.keys())]
    spans_in_us = [(_microseconds(begin), _microseconds(end)) for begin, end in approved.opened]
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
    return [*late, *silent, *holes, *_broken(segments), *money]


def _no_log(day: GamblingDay, tables: int) -> Missing:
    plural = "s" if tables != 1 else ""
    return Missing(
        code="night.no_log",
        says="nothing was submitted",
        awaited=f"rounds of {tables} table{plural} that the controls name, by {_clock(day.closes)}",
    )


def _late(day: GamblingDay, log: RoundLog) -> Missing:
    return Missing(
        code="night.late_log",
        says=f"submitted at {_clock(log.at)}",
        awaited=f"by {_clock(day.closes)}",
        at=log.at,
        log=log.sha256,
    )


def _silent(game: str, table: str) -> Missing:
    return Missing(
        code="night.table_silent",
        says="no round",
        awaited="rounds, or a record that the table was closed",
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


def _broken(segments: list[Segment]) -> Iterator[Missing]:
    for segment in segments:
        with current_archive().fetch(segment.sha256) as path:
            for each in broken_shoes(path, segment.game):
                yield Missing(
                    code="night.shoe",
                    says=each.says,
                    awaited=each.awaited,
                    game=segment.game,
                    table=each.table,
                    at=_instant(each.at),
                )


def _cash(checked: CheckedCash) -> Missing:
    record = checked.record
    assert record.begins is not None and record.ends is not None  # noqa: S101, PT018 - cash
    span = f"{_clock(record.begins)} to {_clock(record.ends)}"
    plural = "" if checked.rounds == 1 else "s"
    return Missing(
        code="night.cash",
        says=f"{in_dollars(checked.by_rounds)} won by {checked.rounds:,} round{plural}, {span}",
        awaited=f"{in_dollars(checked.by_cash)} won in cash, within "
        f"{in_dollars(checked.tolerance)}",
        table=record.table,
        at=record.begins,
        delta=checked.delta,
        cites=checked.cites,
    )


def _fund(fault: FundFault) -> Missing:
    return Missing(
        code="night.fund",
        says=fault.says,
        awaited=fault.awaited,
        game=fault.record.game,
        about=fault.says,
        delta=fault.delta,
        cites=fault.cites,
    )


def _instants_by_table(segments: list[Segment]) -> dict[tuple[str, str], np.ndarray]:
    """Return the times of each table's rounds, in microseconds and unsorted."""
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
