"""Reads round logs, hand-ins and the segments that were made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.db.models import Max, OuterRef, Q, Subquery

from audits.models import HandIn, RoundLog, Segment

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import date

    from django.db.models import QuerySet

    from compliance.models import Party

SHORTEST_DIGEST = 8


def find_log(party: Party, name: str) -> RoundLog | None:
    """The log of an operator by its number (UUID) or its SHA-256, which may be cut short."""
    logs = RoundLog.objects.filter(party=party)
    try:
        return logs.filter(uuid=UUID(name)).first()
    except ValueError:
        pass
    if len(name) < SHORTEST_DIGEST:
        return None
    found = list(logs.filter(sha256__startswith=name.lower())[:2])
    return found[0] if len(found) == 1 else None


def segments_on_file(*parties: Party, before: RoundLog | None = None) -> QuerySet[Segment]:
    """The segments of these operators that count: of each game and day the highest generation.

    `before` a log was registered: those that counted then. A generation without rounds, all of
    which a correction moved elsewhere, counts and has no segment.
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


def hand_ins_under_way(parties: Collection[Party] | None = None) -> QuerySet[HandIn]:
    """What is neither on file nor refused nor given up, the newest first."""
    under_way = HandIn.objects.filter(
        state__in=[HandIn.State.RECEIVING, HandIn.State.WAITING, HandIn.State.READING]
    ).select_related("party", "by")
    return under_way if parties is None else under_way.filter(party__in=parties)


def newest_generation(party: Party, game: str, day: date, before: RoundLog | None = None) -> int:
    """The number of the newest generation of a game and day, `before` a log; 0 without any."""
    made = Segment.objects.filter(party=party, game=game, day=day)
    if before is not None:
        made = made.filter(log__lt=before.pk)
    return made.aggregate(newest=Max("generation"))["newest"] or 0
