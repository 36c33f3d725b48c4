"""What a replay says about an issue on a gambling day, over all its work units."""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import orjson

from audits.instants import instant
from audits.replay.auditing.tally import MOST_EXCEPTIONS, Hour
from audits.replay.findings.files import BY_SEVERITY
from audits.replay.findings.routes import Routes, issues_of
from games.cents import clamp_cents

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from audits.replay.auditing.tally import Part
    from audits.replay.findings.files import Occurred
    from audits.replay.findings.marks import Key
    from audits.replay.models import ReplaySegment


SUMMED = ("findings", "rounds", "over", "under", "tested", "explained")
PART_SUMS = ("findings", "rounds", "over", "under")


@dataclass
class Night:
    """What a replay says about an issue on a day: counts, and first findings by work unit."""

    weight: str = ""
    headline: str = ""
    findings: int = 0
    rounds: int = 0
    over: int = 0
    under: int = 0
    tested: int = 0
    explained: int = 0
    first: int | None = None
    last: int | None = None
    hours: dict[Hour, list[int]] = field(default_factory=dict)
    dealers: dict[str, list[int]] = field(default_factory=dict)
    parts: dict[Part, list[int]] = field(default_factory=dict)
    cites: set[str] = field(default_factory=set)
    exceptions: list[str] = field(default_factory=list)
    concentrations: list[dict[str, Any]] = field(default_factory=list)
    typical: dict[str, Any] = field(default_factory=dict)
    examples: list[tuple[ReplaySegment, Occurred]] = field(default_factory=list)

    def add(self, unit: ReplaySegment, occurred: Occurred) -> None:
        """Add the counts of another work unit."""
        self.headline = self.headline or occurred.headline
        weights = filter(None, (self.weight, occurred.weight))
        self.weight = min(weights, key=BY_SEVERITY.index)
        for name in SUMMED:
            setattr(self, name, clamp_cents(getattr(self, name) + getattr(occurred, name)))
        # An instant before 1970 is negative, and that of 1970 itself is 0.
        self.first = occurred.first if self.first is None else min(self.first, occurred.first)
        self.last = occurred.last if self.last is None else max(self.last, occurred.last)
        self.cites.update(occurred.cites)
        self.exceptions += occurred.exceptions
        self.concentrations = self.concentrations or occurred.concentrations
        self.typical = self.typical or _typical(occurred)
        for table, begin, *counted in occurred.hours:
            hour = Hour(table, begin)
            self.hours[hour] = _added(self.hours.get(hour), counted)
        for dealer, *counted in occurred.dealers:
            self.dealers[dealer] = _added(self.dealers.get(dealer), counted)
        for part, sums in occurred.parts:
            self.parts[part] = _added(self.parts.get(part), sums)
        self.examples.append((unit, occurred))

    def as_row(self) -> dict[str, Any]:
        """Return the fields of a night's row."""
        return {
            **{name: getattr(self, name) for name in SUMMED},
            "exceptions": self.exceptions[:MOST_EXCEPTIONS],
            "concentrations": self.concentrations,
            "first": _instant(self.first),
            "last": _instant(self.last),
            "by_hour": [[*hour, *counted] for hour, counted in sorted(self.hours.items())],
            "by_dealer": [[name, *counted] for name, counted in sorted(self.dealers.items())],
            "typical": self.typical,
        }


TYPICAL = ("round", "table", "seat", "wager", "line", "code", "logged", "expected", "delta")


def _typical(occurred: Occurred) -> dict[str, Any]:
    """Return the finding to show as an example; the first one if its cause names none."""
    line = occurred.shown[0] if occurred.shown else next(iter(occurred.examples), "{}")
    finding = orjson.loads(line)
    return {name: finding[name] for name in TYPICAL if name in finding}


def _added(sums: Sequence[int] | None, more: Sequence[int]) -> list[int]:
    if sums is None:
        return list(more)
    return [clamp_cents(one + other) for one, other in zip(sums, more, strict=True)]


def nights_of(units: Sequence[ReplaySegment]) -> Iterator[tuple[Key, Night]]:
    """Yield every issue of a day one by one, with its occurrences in all work units."""
    routes = Routes.of_unit(units[0]) if units else Routes()

    def of_unit(unit: ReplaySegment) -> Iterator[tuple[Key, int, ReplaySegment, Occurred]]:
        return ((each.key, unit.position, unit, each) for each in issues_of(unit, routes))

    in_order = merge(*map(of_unit, units), key=itemgetter(0, 1))
    for key, group in groupby(in_order, itemgetter(0)):
        night = Night()
        for _, _, unit, occurred in group:
            night.add(unit, occurred)
        yield key, night


def _instant(at: int | None) -> datetime | None:
    return None if at is None else instant(at)
