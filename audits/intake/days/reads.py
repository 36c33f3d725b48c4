"""Queries for gambling days: when one begins and ends, and the tables it is expected to have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from compliance.clock import zone
from compliance.filings.controls.reads import list_cut_offs
from compliance.in_effect.reads import controls_between
from compliance.law.gambling_day import DAY, day_start

if TYPE_CHECKING:
    from datetime import date, datetime

    from compliance.access.models import Party


def bounds_of_day(party: Party, day: date) -> tuple[datetime, datetime]:
    """Return the instants at which an operator's gambling day begins and ends."""
    cut_offs = list_cut_offs(party)
    begins, ends = (day_start(each, cut_offs, zone()) for each in (day, day + DAY))
    return begins, ends


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
