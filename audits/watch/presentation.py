"""The watch in words: what to ask first about an alarm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from audits.watch.streams import CARDS_CODE, DEALER_CODE, ERRORS, PLAYER_CODE, RESULTS
from compliance.ui.charts import Band, Column, Columns, Point
from compliance.ui.filters import day as show_day
from games.statistics.bounds import hold_bounds, rate_bounds
from games.statistics.evidence import ALARM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from audits.watch.reads import Standing
    from audits.watch.streams import Stream

INNOCENT: Final = {
    CARDS_CODE: (
        "The log names the wrong number of decks, or leaves out or misspells a card.",
        "A card is missing from the shoe, or a deck of another game is mixed in, by accident.",
        "Cards are shuffled badly, or not between rounds.",
        "For the dealer's hands: the dealer's cards are not logged as they were dealt.",
        "For the order of hands: rounds were logged twice under two ids, or a shuffler was "
        "tested with a stacked deck.",
    ),
    RESULTS: (
        "Results are logged under the wrong wager.",
        "A promotion or another pay table applied.",
        "Wagers were paid wrong: then an issue of those payout errors says so.",
        "For voided rounds: a mistake that voids rounds is noticed more often when a player wins.",
        "For games dealt through a shoe: players count cards and leave when the shoe is poor.",
    ),
    PLAYER_CODE: (
        "One pseudonym stands for several people, or for everyone without a card.",
        "Wagers are logged as they were after the cards were known.",
        "For decisions to fold: the dealer's cards were exposed, or decisions were logged late.",
        "For wagers and the shoe: the player counts cards, which breaks no rule.",
    ),
    DEALER_CODE: (
        "One id stands for several dealers.",
        "Rounds name the dealer who relieved, not the one who dealt.",
    ),
    ERRORS: (
        "A pay table was learned wrong: then an issue says so, and the errors are alike.",
        "Players report errors against them, so that those are corrected before they are logged.",
    ),
}
"""What may explain an alarm innocently, by its code."""
USUAL: Final = 3
"""Standard deviations of the band of a control chart: 997 of 1,000 fair streams are in it."""


def describe_bounds(stream: Stream) -> str:
    """Say within what bounds a player's rate is at all times at once, if its wagers show one."""
    if not stream.outcomes:
        return ""
    if len(stream.outcomes) == 2:
        low, high = rate_bounds(stream.outcomes[1], sum(stream.outcomes))
        return f"Hits {low:.1%} to {high:.1%} of wagers"
    lost, pushed, won = stream.outcomes
    low, high = hold_bounds([(-1.0, lost), (0.0, pushed), (1.0, won)])
    return f"Won {-high:+.1%} to {-low:+.1%} of what is wagered in equal wagers"


def draw_evidence(days: Sequence[Standing]) -> Columns:
    """Draw the evidence after each day; the axis is its logarithm, so each unit is tenfold."""
    columns = [
        Column(
            show_day(each.day),
            max(0, round(100 * each.evidence)),
            max(0, round(-100 * each.evidence)),
        )
        for each in days
    ]
    last = days[-1].evidence if days else 0.0
    says = f"Evidence after each gambling day, at the end {last:,.1f}. An alarm is {ALARM:.0f}."
    return Columns.of(
        "Evidence against chance, in powers of ten; the dashed line is an alarm",
        columns,
        says=says,
        written=lambda value: f"{value / 100:g}",
        level=round(100 * ALARM),
    )


def draw_control(days: Sequence[Standing]) -> Band:
    """Draw what was observed less what is expected, in the band that is usual."""
    points = [
        Point(show_day(each.day), each.observed - each.expected, USUAL * each.deviation)
        for each in days
    ]
    last = points[-1] if points else Point("", 0.0, 0.0)
    says = (
        f"Observed less expected after each gambling day, at the end {last.away:+,.1f}. "
        f"The band is {last.reach:,.1f} on either side of 0."
    )
    caption = (
        "Observed less expected. On any one day, 997 of 1,000 fair streams are inside the band"
    )
    return Band.of(caption, points, says=says)
