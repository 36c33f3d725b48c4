"""The streams of an operator, as of any gambling day."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from audits.intake.reads import current_segments
from audits.watch.errors import of_row
from audits.watch.filed import known_chances
from audits.watch.models import WatchedGame, WatchedSegment
from audits.watch.statistics import VERSION, Statistics, Subject
from audits.watch.streams import streams_of
from compliance.access.scope import without_access_scope
from games.statistics.errors import Errors

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from django.db.models import QuerySet

    from audits.watch.streams import Stream
    from compliance.access.models import Party
    from games.statistics.records import Records


@dataclass(frozen=True)
class Coverage:
    """What the streams include."""

    first: date | None
    last: date | None
    uncounted: int
    """Segments on file that are not included yet, or whose files are no longer kept."""


@dataclass(frozen=True)
class Standing:
    """How a stream stood at the end of a gambling day, over all days up to it."""

    day: date
    evidence: float
    observed: float
    expected: float
    deviation: float


def watched_segments(operator: Party, *, up_to: date | None = None) -> list[WatchedSegment]:
    """Return the counted segments that are on file, up to a gambling day."""
    current = _current(operator, up_to)
    with without_access_scope():
        found = list(_counted(operator).order_by("segment__day", "segment__game", "segment__piece"))
    return [each for each in found if each.segment_id in current]


def coverage(operator: Party, *, up_to: date | None = None) -> Coverage:
    """Return the first and last gambling day that are counted, and how many segments are not."""
    current = _current(operator, up_to)
    with without_access_scope():
        rows = _counted(operator).values_list("segment", "segment__day")
        days = [day for segment, day in rows if segment in current]
    return Coverage(min(days, default=None), max(days, default=None), len(current) - len(days))


def _current(operator: Party, up_to: date | None) -> set[int]:
    segments = current_segments(operator)
    return {each.pk for each in segments if up_to is None or each.day <= up_to}


def _counted(operator: Party) -> QuerySet[WatchedSegment]:
    found = WatchedSegment.objects.filter(segment__party=operator, version=VERSION)
    return found.select_related("segment")


def streams(operator: Party, *, up_to: date | None = None) -> list[Stream]:
    """Return an operator's streams over all days up to one, the strongest evidence first."""
    found = []
    for game, (statistics, errors) in _sums(operator, up_to).items():
        found += streams_of(game, statistics, errors, known_chances)
    return sorted(found, key=lambda each: -each.figures.evidence)


def _sums(
    operator: Party, up_to: date | None
) -> dict[str, tuple[Statistics, dict[Subject, Errors]]]:
    """Return the sums of each game: as kept, or up to a day added up from its segments."""
    errors: defaultdict[str, defaultdict[Subject, Errors]]
    errors = defaultdict(lambda: defaultdict(Errors))
    if up_to is not None:
        sums: defaultdict[str, Statistics] = defaultdict(Statistics)
        for part in watched_segments(operator, up_to=up_to):
            _add(sums[part.segment.game], errors[part.segment.game], part)
        return {game: (total, errors[game]) for game, total in sums.items()}
    with without_access_scope():
        kept = WatchedGame.objects.filter(party=operator, version=VERSION)
        parts = WatchedSegment.objects.filter(segment__party=operator, is_summed=True)
        for game, rows in parts.exclude(errors=[]).values_list("segment__game", "errors"):
            _add_errors(errors[game], rows)
        return {
            each.game: (Statistics.unpack(bytes(each.statistics)), errors[each.game])
            for each in kept
        }


def find_stream(operator: Party, name: str, statistic: str) -> list[Standing]:
    """Return how a stream stood after each gambling day; empty if there is no such stream."""
    game = name.partition(":")[0]
    return find_streams(operator, game, [(name, statistic)]).get((name, statistic), [])


def find_streams(
    operator: Party, game: str, wanted: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], list[Standing]]:
    """Return how streams of a game stood after each gambling day, by their names and statistics."""
    of_game = [each for each in watched_segments(operator) if each.segment.game == game]
    total, errors = Statistics(), defaultdict[Subject, Errors](Errors)
    found: dict[tuple[str, str], list[Standing]] = {each: [] for each in wanted}
    for day, parts in groupby(of_game, key=lambda each: each.segment.day):
        for each in parts:
            _add(total, errors, each)
        for stream in streams_of(game, total, errors, known_chances):
            figures = stream.figures
            standing = found.get((stream.name, figures.statistic))
            if standing is not None:
                standing.append(
                    Standing(day, figures.evidence, figures.observed, figures.expected,
                             figures.deviation)
                )  # fmt: skip
    return {key: days for key, days in found.items() if days}


def records_of(operator: Party) -> dict[tuple[str, str], Records]:
    """Return what the records of each game and table say, over all days."""
    with without_access_scope():
        kept = list(WatchedGame.objects.filter(party=operator, version=VERSION))
    return {
        (each.game, table): records
        for each in sorted(kept, key=lambda each: each.game)
        for table, records in sorted(Statistics.unpack(bytes(each.statistics)).records.items())
    }


@dataclass(frozen=True)
class Region:
    """An operator on the map of the state: the strongest evidence of each kind."""

    operator: Party
    strongest: dict[str, float]
    streams: int
    alarms: int

    @property
    def most(self) -> float:
        """Return the strongest evidence of all."""
        return max(self.strongest.values(), default=0.0)


def regions(operators: Iterable[Party]) -> list[Region]:
    """Return the map of the state, the strongest evidence first."""
    kept: defaultdict[int, list[dict[str, list[float]]]] = defaultdict(list)
    for party, strongest in WatchedGame.objects.filter(version=VERSION).values_list(
        "party", "strongest"
    ):
        kept[party].append(strongest)
    found = []
    for operator in operators:
        most: dict[str, float] = {}
        for kind, (evidence, _, _) in (row for game in kept[operator.pk] for row in game.items()):
            most[kind] = max(evidence, most.get(kind, evidence))
        rows = [row for game in kept[operator.pk] for row in game.values()]
        found.append(
            Region(operator, most, sum(int(r[1]) for r in rows), sum(int(r[2]) for r in rows))
        )
    return sorted(found, key=lambda each: (-each.most, each.operator.name))


def _add(total: Statistics, errors: defaultdict[Subject, Errors], part: WatchedSegment) -> None:
    total.add(Statistics.unpack(bytes(part.statistics)))
    _add_errors(errors, part.errors)


def _add_errors(errors: defaultdict[Subject, Errors], rows: Iterable[Sequence[Any]]) -> None:
    for scope, name, *row in rows:
        errors[Subject(scope, name)].add(of_row(*row))
