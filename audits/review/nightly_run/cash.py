"""Compare the cash of each table with its rounds, for the spans that ended on a gambling day."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from audits.instants import microseconds
from audits.intake.reads import segments_on_file
from audits.intake.segments.rejections import DamagedSegmentError
from audits.intake.segments.segment_file import read_segment
from audits.intake.table_records.reads import cash_of_day
from compliance.access.scope import without_access_scope
from compliance.files.archive import current_archive
from compliance.filings.controls.content import read_content
from compliance.filings.controls.presentation import HEADINGS
from compliance.filings.controls.reads import find_controls_version
from compliance.filings.games.models import Game
from games.cents import clamp_cents
from games.log.form import Rejection, read_written
from games.rule_set import SLUGS, rule_set

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime
    from pathlib import Path

    from numpy.typing import NDArray

    from audits.intake.days.models import GamblingDay
    from audits.intake.models import Segment
    from audits.intake.table_records.models import TableRecord
    from compliance.access.models import Party
    from games.log.columns import Columns
    from games.log.round import Round


TOLERANCE: Final = 200_00
"""Without a section of the controls: the difference in chips that WAC 230-15-495 asks about."""
CONTROLS: Final = "WAC 230-15-425"
"""Internal controls must be followed at all times; they say what to submit, and by when."""
SECTION: Final = HEADINGS["cash_tolerance"]


@dataclass(frozen=True)
class CheckedCash:
    """A table's cash of a span, and its rounds in the same span."""

    record: TableRecord
    rounds: int
    by_rounds: int
    """The table's win by its rounds, in cents."""
    tolerance: int
    cites: tuple[str, ...]
    """What sets the tolerance, or that nothing does."""

    @property
    def by_cash(self) -> int:
        """Return the table's win in cash."""
        return self.record.win or 0

    @property
    def delta(self) -> int:
        """Return rounds minus cash."""
        return clamp_cents(self.by_rounds - self.by_cash)

    @property
    def is_within(self) -> bool:
        """Return whether the difference is within the tolerance."""
        return abs(self.delta) <= self.tolerance


def checked_cash(day: GamblingDay) -> list[CheckedCash]:
    """Compare each span of cash that ended on a day with the rounds that ended in it.

    Rounds of other gambling days count too, where a span crosses the cut-off.
    """
    records = cash_of_day(day.party, day.day)
    if not records:
        return []
    wins = _wins(day.party, records)
    found = []
    for record in records:
        assert record.begins is not None and record.ends is not None  # noqa: S101, PT018 - cash
        rounds, win = 0, 0
        begin, end = microseconds(record.begins), microseconds(record.ends)
        for at, of_rounds in wins.get(record.table, ()):
            within = of_rounds[(at >= begin) & (at < end)]
            rounds += len(within)
            win += sum(within.tolist())
        found.append(CheckedCash(record, rounds, win, *_tolerance(day.party, record.ends)))
    return found


def _tolerance(party: Party, at: datetime) -> tuple[int, tuple[str, ...]]:
    """Return the tolerance in effect when a span ended, and what to cite for it."""
    version = find_controls_version(operator=party, at=at)
    content = read_content(version.content)[0] if version is not None else None
    if version is None or content is None or content.cash_tolerance is None:
        return TOLERANCE, (CONTROLS, f"Internal controls: no section “{SECTION}”")
    return content.cash_tolerance, (
        CONTROLS,
        f"Internal controls, version {version.number}: “{SECTION}”",
    )


Wins = tuple["NDArray[np.int64]", "NDArray[np.int64]"]


def _wins(party: Party, records: list[TableRecord]) -> Mapping[str, list[Wins]]:
    """Return when the rounds of each table with cash ended, and what the house won of them."""
    begins = min(record.begins for record in records if record.begins)
    ends = max(record.ends for record in records if record.ends)
    tables = {record.table for record in records}
    found: dict[str, list[Wins]] = {}
    with without_access_scope():
        near = list(segments_on_file(party).filter(first_at__lt=ends, last_at__gte=begins))
    for segment in near:
        if not tables & segment.tables.keys():
            continue
        with current_archive().fetch(segment.sha256) as path:
            for table, wins in _wins_in(segment, path, tables):
                found.setdefault(table, []).append(wins)
    return found


def _wins_in(segment: Segment, path: Path, tables: set[str]) -> Iterator[tuple[str, Wins]]:
    by_house = _is_house_banked(segment.game)
    for group in read_segment(path):
        names = group.columns.rounds.texts["table"]
        wins = _win_of_columns(group.columns, by_house=by_house)
        at = group.columns.rounds.numbers["at"]
        of_table: dict[str, list[int]] = {}
        for row in range(len(group.columns)):
            name = names[row]
            if name in tables:
                of_table.setdefault(str(name), []).append(row)
        for table, rows in of_table.items():
            yield table, (at[rows].copy(), wins[rows])
        for row, line in group.odd:
            read = read_written(line)
            if isinstance(read, Rejection):
                raise DamagedSegmentError(path, f"row {row}: {read.reason}")
            if read.table in tables:
                win = _win_of_round(read, by_house=by_house)
                yield read.table, (np.array([read.at]), np.array([win]))


def _is_house_banked(game: str) -> bool:
    if game in SLUGS:
        return rule_set(game).house_banked
    with without_access_scope():
        return Game.objects.filter(slug=game, banked_by=Game.Banking.HOUSE).exists()


def _win_of_columns(columns: Columns, *, by_house: bool) -> NDArray[np.int64]:
    """Return what the house won of each regular round."""
    numbers = columns.rounds.numbers
    none = np.zeros(len(columns), np.int64)
    won = numbers["house_result"].astype(np.int64) if "house_result" in numbers else none
    if not by_house:
        return won
    banked = numbers["banker"] > 0 if "banker" in numbers else none.astype(np.bool_)
    total = won.copy()
    for name, results in columns.seats.numbers.items():
        if not name.startswith("result_"):
            continue
        sums = np.concatenate([[0], np.cumsum(results.astype(np.int64))])
        of_rounds = sums[columns.first_seat[1:]] - sums[columns.first_seat[:-1]]
        # Only `main` is played against a player's bank (PP-20).
        total -= np.where(banked, 0, of_rounds) if name == "result_main" else of_rounds
    return total


def _win_of_round(played: Round, *, by_house: bool) -> int:
    """Return what the house won of a round."""
    won = played.house.result or 0
    if not by_house:
        return won
    against_house = (
        result
        for seat in played.seats
        for name, result in seat.result.items()
        if played.banker is None or name != "main"
    )
    return won - sum(against_house)
