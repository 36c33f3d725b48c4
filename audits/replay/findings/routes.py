"""Findings files as people regrouped them: the same findings, under the issues they were put in.

The files of a replay name the inferred cause of each finding, and never change. Where an agent
split an issue or merged two, routes say where its findings belong instead. What follows a route is
counted again from the findings, so that counts, shown findings and searches agree.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson

from audits.replay.auditing.tally import MOST_EXCEPTIONS, IssueCount
from audits.replay.findings import files
from audits.replay.findings.files import COUNTS, Occurred, weight_of
from audits.replay.findings.marks import Key, Marks, halves
from audits.replay.findings.models import CauseRoute, IssueNight
from compliance.access.scope import without_access_scope

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from audits.replay.findings.models import Issue
    from audits.replay.models import ReplaySegment


@dataclass(frozen=True)
class Route:
    """Where the findings of a cause go, and which of them."""

    source: Key
    target: Key
    tables: frozenset[str]
    lines: frozenset[tuple[str, str]]

    @property
    def is_whole(self) -> bool:
        """Return whether every finding of the source goes."""
        return not (self.tables or self.lines)

    def takes(self, finding: Mapping[str, Any]) -> bool:
        """Return whether a finding of the source goes."""
        line = (finding["wager"] or "", finding["line"] or "")
        return (not self.tables or finding["table"] in self.tables) and (
            not self.lines or line in self.lines
        )


@dataclass(frozen=True)
class Routes:
    """The routes of an operator on a gambling day, in the order in which they were made."""

    routes: tuple[Route, ...] = ()

    @classmethod
    def of(cls, party: int, day: date) -> Routes:
        """Return those that apply; what an earlier decision covers stays where it was decided."""
        with without_access_scope():
            found = CauseRoute.objects.filter(source__party=party).order_by("pk")
            kept = [
                each
                for each in found.select_related("source", "target")
                if (each.first is None or each.first <= day)
                and (each.last is None or day <= each.last)
                and not any(_is_covered(issue, day) for issue in (each.source, each.target))
            ]
        return cls(tuple(map(_route, kept)))

    @classmethod
    def of_unit(cls, unit: ReplaySegment) -> Routes:
        """Return those that apply to the findings of a work unit."""
        return cls.of(unit.segment.party_id, unit.segment.day)

    @property
    def keys(self) -> set[Key]:
        """Return the causes that findings leave or reach."""
        return {key for each in self.routes for key in (each.source, each.target)}

    def needs_finding(self, key: Key) -> bool:
        """Return whether only a finding itself says where findings of a cause go."""
        for each in self.routes:
            if each.source == key:
                if not each.is_whole:
                    return True
                key = each.target
        return False

    def key_of(self, key: Key, finding: Mapping[str, Any]) -> Key:
        """Return where a finding of a cause belongs."""
        for each in self.routes:
            if each.source == key and (each.is_whole or each.takes(finding)):
                key = each.target
        return key


def _is_covered(issue: Issue, day: date) -> bool:
    """Return whether an earlier issue of the same cause, decided since, has this day."""
    earlier = IssueNight.objects.filter(
        day=day,
        replay__isnull=False,
        issue__party=issue.party_id,
        issue__game=issue.game,
        issue__cause=issue.cause,
        issue__pk__lt=issue.pk,
    )
    return earlier.exists()


def _route(kept: CauseRoute) -> Route:
    return Route(
        Key(kept.source.game, kept.source.cause),
        Key(kept.target.game, kept.target.cause),
        frozenset(kept.tables),
        frozenset((wager, line) for wager, line in kept.lines),
    )


def marks_of(unit: ReplaySegment, routes: Routes | None = None) -> Marks:
    """Return the marks of a work unit's findings, each with the issue that it belongs to."""
    marks = files.marks_of(unit)
    routes = Routes.of_unit(unit) if routes is None else routes
    if routes.keys.isdisjoint(marks.keys):
        return marks
    keys = list(marks.keys)
    number = {key: place for place, key in enumerate(keys)}
    rows = marks.rows.copy()
    for place, key in enumerate(marks.keys):
        of_key = np.flatnonzero(marks.rows["issue"] == place)
        read = (
            files.findings_at(unit, set(of_key.tolist()))
            if routes.needs_finding(key)
            else ((row, {}) for row in of_key.tolist())
        )
        for row, finding in read:
            target = routes.key_of(key, finding)
            if target not in number:
                number[target] = len(keys)
                keys.append(target)
            rows["issue"][row] = number[target]
    return Marks(rows, tuple(keys))


@contextmanager
def findings_with_keys(unit: ReplaySegment) -> Iterator[Iterator[tuple[bytes, Key]]]:
    """Yield the lines of a work unit's findings, each with the key of its issue."""
    marks = marks_of(unit)
    with files.findings_of(unit) as lines:
        yield zip(lines, (marks.keys[n] for n in marks.rows["issue"].tolist()), strict=True)


def keys_of(unit: ReplaySegment, identities: Iterable[str]) -> dict[str, Key]:
    """Return the keys of the issues of some findings of a work unit, by identity."""
    marks = marks_of(unit)
    keys = {}
    for identity in identities:
        high, low = halves(identity)
        rows = np.flatnonzero((marks.rows["high"] == high) & (marks.rows["low"] == low))
        if len(rows):
            keys[identity] = marks.keys[int(marks.rows["issue"][rows[0]])]
    return keys


def issues_of(unit: ReplaySegment, routes: Routes | None = None) -> Iterator[Occurred]:
    """Yield the issues of a work unit by key."""
    routes = Routes.of_unit(unit) if routes is None else routes
    if not routes.keys:
        yield from files.issues_of(unit)
        return
    every = list(files.issues_of(unit))
    affected = [each for each in every if each.key in routes.keys]
    kept = [each for each in every if each.key not in routes.keys]
    yield from sorted([*kept, *_counted_again(unit, routes, affected)], key=lambda each: each.key)


def _counted_again(
    unit: ReplaySegment, routes: Routes, affected: Sequence[Occurred]
) -> Iterator[Occurred]:
    """Count the findings of causes again, each with the issue that it belongs to."""
    if not affected:
        return
    before = {each.key: each for each in affected}
    counts: defaultdict[Key, IssueCount] = defaultdict(IssueCount)
    came_from: dict[Key, set[Key]] = defaultdict(set)
    for of_round, dealer in _rounds(unit, set(before)):
        of_target: defaultdict[Key, list[tuple[bytes, dict[str, Any], Key]]] = defaultdict(list)
        for line, finding, key in of_round:
            of_target[routes.key_of(key, finding)].append((line, finding, key))
        for target, found in of_target.items():
            sources = {key for _, _, key in found}
            came_from[target] |= sources
            strays = {id_ for key in sources for id_ in before[key].exceptions}
            own = [finding["id"] for _, finding, _ in found if finding["id"] in strays]
            is_tested = all(_is_known(before[key]) for key in sources)
            counts[target].add_round(
                [(line, finding) for line, finding, _ in found],
                tested=is_tested,
                explained=is_tested and not own and all(before[key].explained for key in sources),
                dealer=dealer,
            )
            counts[target].exceptions += own
    for key, count in counts.items():
        origins = [before[each] for each in sorted(came_from[key])]
        yield _occurred(key, count, before.get(key) or origins[0], origins)


def _is_known(occurred: Occurred) -> bool:
    """Return whether it is known of every round if the cause explains it."""
    strays = occurred.tested - occurred.explained
    is_named = strays == 0 or len(occurred.exceptions) < MOST_EXCEPTIONS
    return occurred.tested == occurred.rounds and (is_named or not occurred.explained)


def _occurred(
    key: Key, count: IssueCount, named: Occurred, sources: Collection[Occurred]
) -> Occurred:
    examples = set(count.examples)
    shown = next((each.shown for each in sources if each.shown and each.shown[0] in examples), None)
    return Occurred(
        key=key,
        weight=weight_of({part.code for part in count.parts}),
        headline=named.headline,
        hours=[[*hour, *counted] for hour, counted in sorted(count.hours.items())],
        dealers=[[name, *counted] for name, counted in sorted(count.dealers.items())],
        parts=sorted(count.parts.items()),
        cites=sorted(count.cites),
        concentrations=[],
        exceptions=count.exceptions[:MOST_EXCEPTIONS],
        examples=count.examples,
        shown=shown,
        **{name: getattr(count, name) for name in COUNTS},
    )


def _rounds(
    unit: ReplaySegment, keys: Collection[Key]
) -> Iterator[tuple[list[tuple[bytes, dict[str, Any], Key]], str]]:
    """Yield the findings of some causes by round, with the dealer of the round."""
    dealers = files.dealers_of(unit.segment)
    with files.findings_with_keys(unit) as lines:
        read = ((line, orjson.loads(line), key) for line, key in lines)
        places = itemgetter("log", "source_line")
        for _, of_round in groupby(read, lambda each: places(each[1])):
            found = [each for each in of_round if each[2] in keys]
            if found:
                yield found, dealers.get(found[0][1]["round"], "")
