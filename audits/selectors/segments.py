"""Which segments hold what is on file, and which of them came before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import F, Max, OuterRef, Subquery

from audits.models import Segment
from compliance.walls import without_walls

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from compliance.models import Party


def current_segments(
    operator: Party, *, day: date | None = None, game: str | None = None, emptied: bool = False
) -> list[Segment]:
    """The segments that hold an operator's rounds on file: by day, game and piece.

    A place that a correction emptied has a newest generation without rounds: nothing is to be
    judged of it, and only who asks which days are to be spoken of wants it (`emptied`).
    """
    with without_walls():
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
        if game is not None:
            found = found.filter(game=game)
        return list(found.order_by("day", "game", "piece"))


def segments_before(segment: Segment) -> Iterator[Segment]:
    """The segments on file with the same game's earlier rounds, newest first.

    First the pieces before it of its own generation, then earlier days' current segments.
    """
    with without_walls():
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
