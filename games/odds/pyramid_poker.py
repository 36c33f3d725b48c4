"""Odds of the three wagers of Pyramid Poker.

The main wager is played against the dealer's House Way (PP-8 to PP-11). Suits don't matter in it,
so a hand is three ranks: 455 for the player, 455 for the dealer from the rest of the shoe.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb
from typing import TYPE_CHECKING, Final

from games.kernel import kernel
from games.odds.hands import settled_hands
from games.odds.wagers import Outcome, WagerOdds, as_printed, unrounded, which_table
from games.pyramid_poker.house_way import house_way
from games.pyramid_poker.reasons import REASONS
from games.pyramid_poker.settle import settle_main, settle_six_card, settle_three_card

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from games.odds.hands import Cards, Numbers
    from games.rounding import Pays
    from games.setup import Setup


Ranks = tuple[int, int, int]
Result = tuple[int, int]
"""What a unit wagered comes to, and the reason code."""

SUITS: Final = 4


def main_odds(
    setup: Setup, decks: int, ranks: Sequence[int] = range(13)
) -> tuple[WagerOdds, WagerOdds]:
    """Return the odds when the player also sets the House Way, and when the player sets best."""
    table = Table(setup, decks, ranks)
    terms = (
        f"House Way by the reading `{setup.reading('PP-I13')}` (PP-I13), both hands equal by "
        f"`{setup.reading('PP-I1')}` (PP-I1), the house banks."
    )
    as_house: Counter[Result] = Counter()
    at_best: Counter[Result] = Counter()
    for cards, results in table.by_setting():
        as_house += results[table.house_low(cards)]
        best = max(results.values(), key=gain)
        at_best += best
    return (
        wager_odds("main", "house_way", ("The player sets the House Way.", terms), as_house),
        wager_odds("main", "optimal", ("The player sets each hand the best way.", terms), at_best),
    )


def results_by_setting(
    setup: Setup, decks: int, ranks: Sequence[int] = range(13)
) -> list[dict[int, Counter[Result]]]:
    """Return each hand's main wager: a count of deals by result for each rank that may be low."""
    return [results for _, results in Table(setup, decks, ranks).by_setting()]


class Table:
    """Player against dealer over one shoe, under one interpretation of the rules."""

    def __init__(self, setup: Setup, decks: int, ranks: Sequence[int]) -> None:
        self.both_equal = {"push": 0, "dealer_wins": -1}[setup.reading("PP-I1")]
        self._split_at_four = setup.reading("PP-I13") == "split_at_four"
        self._of_a_rank = SUITS * decks
        self.hands: list[Ranks] = list(combinations_with_replacement(ranks, 3))
        self.settings = [(cards, *as_set(cards, self.house_low(cards))) for cards in self.hands]

    def house_low(self, cards: Ranks) -> int:
        """Return the rank that the House Way plays low."""
        return house_way(*cards, split_at_four=self._split_at_four)

    def by_setting(self) -> Iterator[tuple[Ranks, dict[int, Counter[Result]]]]:
        """Yield each hand of the player, with a count of deals by result for each rank set low."""
        for cards in self.hands:
            results: dict[int, Counter[Result]] = {low: Counter() for low in set(cards)}
            for theirs, their_low, their_a, their_b in self.settings:
                deals = self.deals(cards, theirs)
                for low, counted in results.items():
                    _, a, b = as_set(cards, low)
                    result = settle_main(
                        low, a, b, their_low, their_a, their_b, 1,
                        both_equal=self.both_equal, wins_at_once=True,
                    )  # fmt: skip
                    counted[result] += deals
            yield cards, results

    def deals(self, cards: Ranks, theirs: Ranks) -> int:
        """Return how many ways the shoe deals these two hands."""
        ways = 1
        for rank in set(cards):
            ways *= comb(self._of_a_rank, cards.count(rank))
        for rank in set(theirs):
            ways *= comb(self._of_a_rank - cards.count(rank), theirs.count(rank))
        return ways


def as_set(cards: Ranks, low: int) -> Ranks:
    """Return three ranks with the low one first."""
    high = list(cards)
    high.remove(low)
    return low, high[0], high[1]


def gain(results: Counter[Result]) -> int:
    """Return what a count of deals by result adds up to."""
    return sum(to * deals for (to, _), deals in results.items())


def wager_odds(
    wager: str, strategy: str, terms: tuple[str, ...], results: Counter[Result]
) -> WagerOdds:
    """Return a wager's odds from its deals by result."""
    total = results.total()
    return WagerOdds(
        wager,
        terms,
        tuple(
            Outcome(REASONS[reason].says, to, Fraction(deals, total))
            for (to, reason), deals in sorted(results.items(), reverse=True)
            if deals
        ),
        strategy,
    )


GAME: Final = "pyramid-poker"


def odds(setup: Setup, decks: int) -> Iterator[WagerOdds]:
    """Yield the odds of each wager from a shoe of `decks` decks."""
    yield from main_odds(setup, decks)
    three_card, six_card = table_odds(setup, decks)
    yield three_card
    printed = as_printed(setup, GAME)
    if printed.pays(GAME, "three_card") != setup.pays(GAME, "three_card"):
        yield _paid("three_card", 3, settle_three_cards, printed, decks)
    yield six_card
    from games.odds import pyramid_bank, pyramid_together  # they start from here

    yield from pyramid_together.odds(setup, decks)
    yield from pyramid_bank.odds(setup, decks)


def table_odds(setup: Setup, decks: int) -> tuple[WagerOdds, WagerOdds]:
    """Return the odds of the two wagers that pay by a table, three-card and six-card."""
    return (
        _paid("three_card", 3, settle_three_cards, setup, decks),
        _paid("six_card", 6, settle_six_cards, setup, decks),
    )


def _paid(
    wager: str, cards: int, settle: Callable[..., None], setup: Setup, decks: int
) -> WagerOdds:
    pays, stake = unrounded(setup.pays(GAME, wager))
    return WagerOdds(
        wager,
        (which_table(setup, GAME, wager),),
        settled_hands(settle, cards, decks, lambda reason: REASONS[reason].says, stake, pays),
    )


@kernel
def settle_three_cards(hands: Cards, to: Numbers, why: Numbers, stake: int, pays: Pays) -> None:
    """Settle a stake on each hand's `three_card` wager (PP-28)."""
    for row in range(len(hands)):
        to[row], why[row] = settle_three_card(
            int(hands[row, 0]), int(hands[row, 1]), int(hands[row, 2]), stake, pays
        )


@kernel
def settle_six_cards(hands: Cards, to: Numbers, why: Numbers, stake: int, pays: Pays) -> None:
    """Settle a stake on each six cards' `six_card` wager (PP-29)."""
    for row in range(len(hands)):
        to[row], why[row] = settle_six_card(
            int(hands[row, 0]), int(hands[row, 1]), int(hands[row, 2]),
            int(hands[row, 3]), int(hands[row, 4]), int(hands[row, 5]),
            stake, pays,
        )  # fmt: skip
