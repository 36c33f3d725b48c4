"""Which form a maximum aggregate payout has (PP-I8), and whether the law allowed it on a day."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.law import ANY, PER_DEAL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.law import AggregateForm
    from games.log.round import Round
    from games.setup import Setup


def form_of_maximum(game: str, setup: Setup) -> str | None:
    """Return what a game's maximum aggregate payout caps, a reading of PP-I8; None without one."""
    if game in setup.max_per_deal:
        return PER_DEAL
    if game != "pyramid-poker" or setup.max_aggregate is None:
        return None
    reading = setup.reading("PP-I8")
    return reading if reading != PER_DEAL else "odds_only"  # a diagnosis may try any reading


@dataclass(frozen=True, slots=True)
class ForbiddenMaximum:
    """The form of a maximum in use on a day that allowed another one only."""

    used: str
    cites: tuple[str, ...]


def forbidden_spans(game: str, setup: Setup) -> Iterator[AggregateForm]:
    """Yield the spans in which the law doesn't allow the form of a game's maximum."""
    form = form_of_maximum(game, setup)
    if form is not None:
        yield from (each for each in setup.aggregate_forms if each.form not in (form, ANY))


def forbidden_maximum(round_: Round, setup: Setup) -> ForbiddenMaximum | None:
    """Return why the law doesn't allow the maximum that the controls set, if it doesn't."""
    at = round_.at if round_.since is None else round_.since
    for span in forbidden_spans(round_.game, setup):
        if span.begin <= at and (span.end is None or at < span.end):
            return ForbiddenMaximum(str(form_of_maximum(round_.game, setup)), span.cites)
    return None
