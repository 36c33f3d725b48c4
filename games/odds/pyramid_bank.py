"""Odds of Pyramid Poker where a player banks (PP-20, PP-23), for each wager against the bank.

The hands against the bank are set the House Way. The banker sets the House Way too, or each hand
the best way that doesn't foul (PP-27). Three of a kind wins at once from a bank, whatever the
banker has (PP-I14); the house's own three of a kind, only by PP-I11 `yes`.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from games.odds.pyramid_poker import Ranks, Result, Table, as_set, gain, wager_odds
from games.pyramid_poker.settle import fouls, settle_main

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.odds.wagers import WagerOdds
    from games.setup import Setup

BANKS: Final = (
    "A player banks. The figure is what the others keep of each unit that the bank covers, where"
    " they set the House Way."
)
SETS: Final = {
    "house_way": "The banker sets the House Way.",
    "optimal": "The banker sets each hand the best way.",
}


def odds(setup: Setup, decks: int) -> Iterator[WagerOdds]:
    """Yield what a bank wins of a player's wager, and of the house's (PP-25)."""
    table = Table(setup, decks, range(13))
    at_once = setup.reading("PP-I11") == "yes"
    for wager, whose, wins_at_once in (
        ("bank", "Against a player's hand.", True),
        ("bank_house", f"Against the house's hand, by `{setup.reading('PP-I11')}` (PP-I11).",
         at_once),
    ):  # fmt: skip
        counted: dict[str, Counter[Result]] = {name: Counter() for name in SETS}
        for cards, results in _by_setting(table, wins_at_once=wins_at_once):
            counted["house_way"] += results[table.house_low(cards)]
            best = max(results.values(), key=gain)
            counted["optimal"] += best
        for strategy, says in SETS.items():
            yield wager_odds(wager, strategy, (BANKS, says, whose), counted[strategy])


def _by_setting(
    table: Table, *, wins_at_once: bool
) -> Iterator[tuple[Ranks, dict[int, Counter[Result]]]]:
    """Yield each hand of the banker, with a count of deals by result for each rank set low."""
    for cards in table.hands:
        lows = [low for low in set(cards) if not fouls(*as_set(cards, low))]
        results: dict[int, Counter[Result]] = {low: Counter() for low in lows}
        for theirs, low, a, b in table.settings:
            deals = table.deals(cards, theirs)
            for own_low, counted in results.items():
                won, why = settle_main(
                    low, a, b, *as_set(cards, own_low), 1,
                    both_equal=table.both_equal, wins_at_once=wins_at_once,
                )  # fmt: skip
                counted[-won, why] += deals
        yield cards, results
