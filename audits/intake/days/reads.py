"""Queries for gambling days: when one begins and ends, and the tables it is expected to have."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from compliance.clock import zone
from compliance.filings.controls.reads import find_controls_content, list_cut_offs
from compliance.in_effect.reads import controls_between
from compliance.law.gambling_day import DAY, day_start

if TYPE_CHECKING:
    from datetime import date, datetime

    from compliance.access.models import Party


DEFAULT_SUBMISSION = timedelta(hours=6)
"""Time allowed after the end of the day if the controls do not say."""


def bounds_of_day(party: Party, day: date) -> tuple[datetime, datetime]:
    """Return the instants at which an operator's gambling day begins and ends."""
    cut_offs = list_cut_offs(party)
    begins, ends = (day_start(each, cut_offs, zone()) for each in (day, day + DAY))
    return begins, ends


def closing_of_day(party: Party, begins: datetime, ends: datetime) -> datetime:
    """Return when logs of a day stop being in time, by the controls in effect when it begins."""
    controls = find_controls_content(operator=party, at=begins)
    allowed = timedelta(hours=controls.submission_hours) if controls else DEFAULT_SUBMISSION
    return ends + allowed


@dataclass(frozen=True)
class ApprovedTables:
    """The tables that the controls in effect on a day name."""

    expected: frozenset[tuple[str, str]]
    """Game and table, of those named while the room was open."""
    names: frozenset[str]
    """Every table of the room, whether or not it was open."""
    opened: tuple[tuple[datetime, datetime], ...]
    """The periods in which the room was open."""


def approved_tables(party: Party, begins: datetime, ends: datetime) -> ApprovedTables:
    """Return the tables that an operator's controls name between two instants."""
    expected, names, opened = set(), set(), []
    for begin, end, content, is_open in controls_between(operator=party, begin=begins, end=ends):
        games = {} if content is None else content.games
        of_game = {(game, table) for game, controls in games.items() for table in controls.tables}
        names |= {table for _, table in of_game}
        if is_open:
            opened.append((begin, end))
            expected |= of_game
    return ApprovedTables(frozenset(expected), frozenset(names), tuple(opened))
