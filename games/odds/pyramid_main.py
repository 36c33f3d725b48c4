"""Odds of Pyramid Poker's main wager against the dealer's House Way (PP-8 to PP-11).

Suits play no part, so a hand is three ranks: 455 for the player, 455 for the dealer out of what
is left of the shoe.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb
from typing import TYPE_CHECKING, Final

from games.odds.wager_odds import Outcome, WagerOdds
from games.pyramid_poker.house_way import house_way
from games.pyramid_poker.reasons import REASONS
from games.pyramid_poker.settle import settle_main

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.setup import Setup

Ranks = tuple[int, int, int]
Result = tuple[int, int]
"""What a unit wagered comes to, and the reason code."""

SUITS: Final = 4


def main_odds(
    setup: Setup, decks: int, ranks: Sequence[int] = range(13)
) -> tuple[WagerOdds, WagerOdds]:
    """The odds when the player sets the House Way too, and when the player sets best."""
    table = _Table(setup, decks, ranks)
    terms = (
        f"House Way by the reading `{setup.reading('PP-I13')}` (PP-I13), both hands equal by "
        f"`{setup.reading('PP-I1')}` (PP-I1), the house banks."
    )
    as_house: Counter[Result] = Counter()
    at_best: Counter[Result] = Counter()
    for cards, results in table.by_setting():
        as_house += results[table.house_low(cards)]
        best = max(results.values(), key=_gain)
        at_best += best
    return (
        _wager_odds(("The player sets the House Way.", terms), as_house),
        _wager_odds(("The player sets each hand the best way.", terms), at_best),
    )


class _Table:
    """Player against dealer over one shoe, under one reading of the rules."""

    def __init__(self, setup: Setup, decks: int, ranks: Sequence[int]) -> None:
        self._both_equal = {"push": 0, "dealer_wins": -1}[setup.reading("PP-I1")]
        self._split_at_four = setup.reading("PP-I13") == "split_at_four"
        self._of_a_rank = SUITS * decks
        self._hands: list[Ranks] = list(combinations_with_replacement(ranks, 3))
        self._settings = [(cards, *_set(cards, self.house_low(cards))) for cards in self._hands]

    def house_low(self, cards: Ranks) -> int:
        """The rank that the House Way plays low."""
        return house_way(*cards, split_at_four=self._split_at_four)

    def by_setting(self) -> Iterator[tuple[Ranks, dict[int, Counter[Result]]]]:
        """Each hand of the player, and by the rank set low how many deals come to what."""
        for cards in self._hands:
            results: dict[int, Counter[Result]] = {low: Counter() for low in set(cards)}
            for theirs, their_low, their_a, their_b in self._settings:
                deals = self._deals(cards, theirs)
                for low, counted in results.items():
                    _, a, b = _set(cards, low)
                    result = settle_main(
                        low, a, b, their_low, their_a, their_b, 1,
                        both_equal=self._both_equal, wins_at_once=True,
                    )  # fmt: skip
                    counted[result] += deals
            yield cards, results

    def _deals(self, cards: Ranks, theirs: Ranks) -> int:
        """In how many ways the shoe deals these two hands."""
        ways = 1
        for rank in set(cards):
            ways *= comb(self._of_a_rank, cards.count(rank))
        for rank in set(theirs):
            ways *= comb(self._of_a_rank - cards.count(rank), theirs.count(rank))
        return ways


def _set(cards: Ranks, low: int) -> Ranks:
    """Three ranks with the low one first."""
    high = list(cards)
    high.remove(low)
    return low, high[0], high[1]


def _gain(results: Counter[Result]) -> int:
    return sum(to * deals for (to, _), deals in results.items())


def _wager_odds(terms: tuple[str, ...], results: Counter[Result]) -> WagerOdds:
    total = results.total()
    return WagerOdds(
        "main",
        terms,
        tuple(
            Outcome(REASONS[reason].says, to, Fraction(deals, total))
            for (to, reason), deals in sorted(results.items(), reverse=True)
            if deals
        ),
    )
