"""Queries for round logs, submissions and their segments."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.db.models import F, Max, OuterRef, Q, Subquery, Sum

from audits.intake.models import RoundLog, Segment, Submission
from compliance.access.models import Party
from compliance.access.scope import without_access_scope
from compliance.acts.touched import RoundsOnFile
from compliance.retention.reads import HoldTarget

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from datetime import date

    from django.db.models import QuerySet


SHORTEST_DIGEST = 8


def find_log(party: Party, name: str) -> RoundLog | None:
    """Find an operator's log by UUID or by its SHA-256, which may be abbreviated."""
    logs = RoundLog.objects.filter(party=party)
    try:
        return logs.filter(uuid=UUID(name)).first()
    except ValueError:
        pass
    if len(name) < SHORTEST_DIGEST:
        return None
    found = list(logs.filter(sha256__startswith=name.lower()).order_by("-good")[:3])
    return found[0] if len({each.sha256 for each in found}) == 1 else None


def find_log_to_hold(name: str) -> HoldTarget | None:
    """Find any operator's log by its UUID or whole SHA-256; None if two submitted this file."""
    try:
        named = Q(uuid=UUID(name))
    except ValueError:
        named = Q(sha256=name.lower())
    found = list(RoundLog.objects.filter(named).select_related("party")[:2])
    if len(found) != 1:
        return None
    (log,) = found
    return HoldTarget(log.uuid, log.uuid, f"round log {log.name} of {log.party}", log.party)


def log_on_file(party: Party, sha256: str) -> RoundLog | None:
    """Find an operator's log with this content; of two, the one with accepted rounds."""
    with without_access_scope():
        return RoundLog.objects.filter(party=party, sha256=sha256).order_by("-good").first()


def segments_on_file(*parties: Party, before: RoundLog | None = None) -> QuerySet[Segment]:
    """Return the segments that count: the highest generation of each operator, game and day.

    With `before`, return those that counted before that log was registered. A generation without
    rounds, all of which a correction moved elsewhere, counts but has no segment.
    """
    segments = Segment.objects.filter(party__in=parties)
    earlier = Q() if before is None else Q(log__lt=before.pk)
    newest = (
        Segment.objects.filter(earlier, party=OuterRef("party"), game=OuterRef("game"))
        .filter(day=OuterRef("day"))
        .order_by()
        .values("day")
        .annotate(newest=Max("generation"))
        .values("newest")
    )
    return (
        segments.filter(earlier, generation=Subquery(newest), rounds__gt=0)
        .order_by("day", "game", "piece")
        .select_related("log", "party")
    )


def count_rounds_on_file(
    *, since: date, game: str, operators: Collection[Party] | None
) -> list[RoundsOnFile]:
    """Count the rounds on file from a gambling day on, by operator; of one game if it is named."""
    parties = Party.objects.all() if operators is None else operators
    found = segments_on_file(*parties).filter(day__gte=since)
    if game:
        found = found.filter(game=game)
    counted = found.order_by().values("party__name").annotate(total=Sum("rounds"))
    return [
        RoundsOnFile(each["party__name"], each["total"]) for each in counted.order_by("party__name")
    ]


def submissions_under_way(parties: Collection[Party] | None = None) -> QuerySet[Submission]:
    """Return submissions that are not registered, refused or abandoned, newest first."""
    under_way = Submission.objects.filter(
        state__in=[Submission.State.RECEIVING, Submission.State.WAITING, Submission.State.READING]
    ).select_related("party", "by")
    return under_way if parties is None else under_way.filter(party__in=parties)


def newest_generation(party: Party, game: str, day: date, before: RoundLog | None = None) -> int:
    """Return a game and day's newest generation number, `before` a log if given; 0 if none."""
    made = Segment.objects.filter(party=party, game=game, day=day)
    if before is not None:
        made = made.filter(log__lt=before.pk)
    return made.aggregate(newest=Max("generation"))["newest"] or 0


def current_segments(
    operator: Party,
    *,
    day: date | None = None,
    first: date | None = None,
    last: date | None = None,
    game: str | None = None,
    emptied: bool = False,
) -> list[Segment]:
    """Return the segments with an operator's rounds on file, by day, game and piece.

    If a correction emptied a place, its newest generation has no rounds and nothing to audit.
    `emptied` includes it, for callers that need every day to report on.
    """
    with without_access_scope():
        newest = (
            Segment.objects.filter(
                party=OuterRef("party"), game=OuterRef("game"), day=OuterRef("day")
            )
            .order_by()
            .values("party")
            .annotate(newest=Max("generation"))
            .values("newest")
        )
        found = Segment.objects.filter(party=operator).annotate(newest=Subquery(newest))
        found = found.filter(generation=F("newest"))
        if not emptied:
            found = found.filter(rounds__gt=0)
        if day is not None:
            found = found.filter(day=day)
        if first is not None:
            found = found.filter(day__gte=first)
        if last is not None:
            found = found.filter(day__lte=last)
        if game is not None:
            found = found.filter(game=game)
        return list(found.order_by("day", "game", "piece"))


def segments_before(segment: Segment) -> Iterator[Segment]:
    """Yield the segments on file with earlier rounds of the same game, newest first.

    Earlier pieces of its own generation come first, then the current segments of earlier days.
    """
    with without_access_scope():
        own = Segment.objects.filter(
            party_id=segment.party_id,
            game=segment.game,
            day=segment.day,
            generation=segment.generation,
            piece__lt=segment.piece,
        )
        yield from own.order_by("-piece")
        earlier = Segment.objects.filter(
            party_id=segment.party_id, game=segment.game, day__lt=segment.day
        )
        generation: dict[date, int] = {}
        for each in earlier.order_by("-day", "-generation", "-piece").iterator(chunk_size=100):
            if generation.setdefault(each.day, each.generation) == each.generation:
                yield each


def logs_of_day(party: Party, day: date) -> list[RoundLog]:
    """Return every log with rounds of a day, in order of registration."""
    named = {sha256 for each in current_segments(party, day=day) for sha256 in each.logs}
    with without_access_scope():
        return list(RoundLog.objects.filter(party=party, sha256__in=named).order_by("at", "id"))
