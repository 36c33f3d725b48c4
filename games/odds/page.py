"""Odds as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.page import columns, paragraph

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from games.odds.wager_odds import Outcome, WagerOdds

PLACES = 3
"""Decimal places of a percentage, and how many figures a small one shows."""


def percent(part: Fraction, *, signed: bool = False) -> str:
    """A fraction as a percentage, rounded; a rare one keeps three figures, 0.000143 %."""
    places = PLACES
    while part and abs(part) * 100 * 10**places < 10 ** (PLACES - 1) and places < 20:
        places += 1
    whole, rest = divmod(abs(round(part * 100 * 10**places)), 10**places)
    sign = "-" if part < 0 else "+" if signed else ""
    return f"{sign}{whole}.{rest:0{places}} %"


def odds_lines(odds: WagerOdds, width: int) -> Iterator[str]:
    """One wager: its outcomes, the best first, and the house edge."""
    yield from paragraph(f"{odds.wager}: {' '.join(odds.terms)}", width)
    yield from _table(sorted(odds.outcomes, key=lambda outcome: -outcome.to), width)
    edge = odds.house_edge
    keeps = "the house keeps" if edge >= 0 else "the player gains"
    yield from paragraph(
        f"House edge {edge} = {percent(edge, signed=True)}: of each 100 wagered {keeps} "
        f"{percent(abs(edge)).removesuffix(' %')} in the long run.",
        width,
        indent=2,
    )


def odds_data(odds: WagerOdds) -> dict[str, Any]:
    """The same for a program; fractions as text, numerator/denominator."""
    return {
        "wager": odds.wager,
        "terms": list(odds.terms),
        "outcomes": [
            {"name": outcome.name, "to": outcome.to, "probability": str(outcome.probability)}
            for outcome in odds.outcomes
        ],
        "house_edge": str(odds.house_edge),
        "house_edge_percent": percent(odds.house_edge, signed=True).removesuffix(" %"),
    }


def _table(outcomes: Sequence[Outcome], width: int) -> Iterator[str]:
    """Outcome, pay, percentage, fraction; where the window is too narrow the fraction below."""
    rows = [_row(outcome) for outcome in outcomes]
    heading = ("  outcome", "pays", "", "probability")
    wide = columns([heading, *rows], right=[1, 2])
    if max(map(len, wide)) <= width:
        yield from wide
        return
    first, *narrow = columns([row[:3] for row in (heading, *rows)], right=[1, 2])
    yield first
    for line, row in zip(narrow, rows, strict=True):
        yield line
        yield f"      {row[3]}"


def _row(outcome: Outcome) -> tuple[str, str, str, str]:
    pays = "push" if outcome.to == 0 else "lost" if outcome.to < 0 else f"{outcome.to} to 1"
    part = outcome.probability
    return (f"  {outcome.name}", pays, percent(part), str(part))
