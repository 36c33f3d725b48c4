"""The streams of an operator, as of any gambling day."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from audits.intake.reads import current_segments
from audits.watch.models import WatchedSegment
from audits.watch.statistics import VERSION, Statistics, Subject
from audits.watch.streams import streams_of
from compliance.access.scope import without_access_scope
from games.statistics.errors import Errors

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from audits.watch.streams import Stream
    from compliance.access.models import Party


@dataclass(frozen=True)
class Standing:
    """How a stream stood at the end of a gambling day, over all days up to it."""

    day: date
    evidence: float
    observed: float
    expected: float


def watched_segments(
    operator: Party, *, up_to: date | None = None
) -> tuple[list[WatchedSegment], int]:
    """Return the statistics of an operator's current segments, and how many segments lack them."""
    current = {each.pk for each in current_segments(operator) if up_to is None or each.day <= up_to}
    with without_access_scope():
        found = list(
            WatchedSegment.objects.filter(segment__party=operator, version=VERSION)
            .select_related("segment")
            .order_by("segment__day", "segment__game", "segment__piece")
        )
    counted = [each for each in found if each.segment_id in current]
    return counted, len(current) - len(counted)


def streams(operator: Party, *, up_to: date | None = None) -> list[Stream]:
    """Return an operator's streams over all days up to one, the strongest evidence first."""
    segments, _ = watched_segments(operator, up_to=up_to)
    by_game: defaultdict[str, list[WatchedSegment]] = defaultdict(list)
    for each in segments:
        by_game[each.segment.game].append(each)
    found = [stream for game, parts in by_game.items() for stream in _weigh(game, parts)]
    return sorted(found, key=lambda each: -each.figures.evidence)


def find_stream(operator: Party, name: str, statistic: str) -> list[Standing]:
    """Return how a stream stood after each gambling day; empty if there is no such stream."""
    segments, _ = watched_segments(operator)
    game = name.partition(":")[0]
    of_game = [each for each in segments if each.segment.game == game]
    total, errors = Statistics(), defaultdict[Subject, Errors](Errors)
    found = []
    for day, parts in groupby(of_game, key=lambda each: each.segment.day):
        for each in parts:
            _add(total, errors, each)
        for stream in streams_of(game, total, errors):
            if stream.name == name and stream.figures.statistic == statistic:
                figures = stream.figures
                found.append(Standing(day, figures.evidence, figures.observed, figures.expected))
                break
    return found


def _weigh(game: str, parts: Iterable[WatchedSegment]) -> list[Stream]:
    total, errors = Statistics(), defaultdict[Subject, Errors](Errors)
    for each in parts:
        _add(total, errors, each)
    return streams_of(game, total, errors)


def _add(total: Statistics, errors: defaultdict[Subject, Errors], part: WatchedSegment) -> None:
    total.add(Statistics.unpack(bytes(part.statistics)))
    for scope, name, over, under in part.errors:
        errors[Subject(scope, name)].add(Errors(over, under))
