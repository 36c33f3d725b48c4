"""What a log covers: rounds by table, tables it lacks, and tables that are not the room's."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from audits.intake.days.reads import approved_tables, bounds_of_day
from audits.intake.reads import current_segments
from audits.intake.table_records.reads import closed_tables

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from datetime import date

    from audits.intake.segments.place import Place
    from compliance.access.models import Party


MOST_DAYS: Final = 100
"""Newest gambling days of a log that are compared with the controls, at some milliseconds each."""


@dataclass(frozen=True)
class Totals:
    """What a log covers, as its receipt and a rehearsal show it."""

    tables: tuple[dict[str, Any], ...] = ()
    """`table`, `game` and `rounds`: new rounds, and those that were on file already."""
    missing: tuple[dict[str, Any], ...] = ()
    """`day`, `game` and `table` that the controls name, without a round in the log or on file.
    Tables that the operator said were closed are left out."""
    unknown: tuple[dict[str, Any], ...] = ()
    """Those of `tables` that no controls of the operator name on the day of play."""
    days_not_compared: int = 0
    """Earlier gambling days whose tables were not compared with the controls."""

    def as_json(self) -> dict[str, Any]:
        """Return the totals as a receipt carries them."""
        left_out = self.days_not_compared
        return {
            "tables": list(self.tables),
            "missing": list(self.missing),
            "unknown_tables": list(self.unknown),
            **({"days_not_compared": left_out} if left_out else {}),
        }


def totals_of(
    party: Party,
    rounds: Mapping[tuple[Place, str], int],
    closed: Collection[tuple[date | None, str]] = (),
) -> Totals:
    """Compare the rounds of a log, by place and table, with the operator's controls of each day.

    `closed` are the days and tables that the log itself says were closed.
    """
    missing: list[dict[str, Any]] = []
    unknown: Counter[tuple[str, str]] = Counter()
    days = sorted({place.day for place, _ in rounds})
    compared = days[-MOST_DAYS:]
    for day in compared:
        here = {(place.game, table): n for (place, table), n in rounds.items() if place.day == day}
        approved = approved_tables(party, *bounds_of_day(party, day))
        lacking = set(approved.expected - here.keys())
        if lacking:
            played = _on_file(party, day) | here.keys()
            shut = {table for on, table in closed if on == day} | closed_tables(party, day).keys()
            shut -= {table for _, table in played}
            lacking = {each for each in lacking - played if each[1] not in shut}
        missing += [
            {"day": str(day), "game": game, "table": table} for game, table in sorted(lacking)
        ]
        for place_, count in here.items():
            if place_[1] not in approved.names:
                unknown[place_] += count
    every: Counter[tuple[str, str]] = Counter()
    for (place, table), count in rounds.items():
        every[place.game, table] += count
    left_out = len(days) - len(compared)
    return Totals(_rows(every), tuple(missing), _rows(unknown), left_out)


def _rows(counts: Mapping[tuple[str, str], int]) -> tuple[dict[str, Any], ...]:
    ordered: Iterable[tuple[str, str, int]] = sorted(
        (table, game, count) for (game, table), count in counts.items()
    )
    return tuple({"table": table, "game": game, "rounds": count} for table, game, count in ordered)


def _on_file(party: Party, day: date) -> set[tuple[str, str]]:
    return {
        (segment.game, table)
        for segment in current_segments(party, day=day)
        for table in segment.tables
    }
