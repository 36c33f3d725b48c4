"""Odds of the three wagers of Pyramid Poker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.kernel import kernel
from games.odds.pay_tables import as_printed, which_table
from games.odds.pyramid_main import main_odds
from games.odds.settled_hands import settled_hands
from games.odds.wager_odds import WagerOdds
from games.pyramid_poker.reasons import REASONS
from games.pyramid_poker.settle import settle_six_card, settle_three_card

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from games.odds.hand_classes import Cards, Numbers
    from games.setup import Setup

GAME: Final = "pyramid-poker"


def odds(setup: Setup, decks: int) -> Iterator[WagerOdds]:
    """The odds of each wager out of a shoe of so many decks."""
    yield from main_odds(setup, decks)
    yield _paid("three_card", 3, settle_three_cards, setup, decks)
    printed = as_printed(setup, GAME)
    if printed.pays(GAME, "three_card") != setup.pays(GAME, "three_card"):
        yield _paid("three_card", 3, settle_three_cards, printed, decks)
    yield _paid("six_card", 6, settle_six_cards, setup, decks)


def _paid(
    wager: str, cards: int, settle: Callable[..., None], setup: Setup, decks: int
) -> WagerOdds:
    pays = setup.pays(GAME, wager)
    return WagerOdds(
        wager,
        (which_table(setup, GAME, wager),),
        settled_hands(settle, cards, decks, lambda reason: REASONS[reason].says, pays),
    )


@kernel
def settle_three_cards(hands: Cards, to: Numbers, why: Numbers, pays: tuple[int, ...]) -> None:
    """Each hand's `three_card` wager of one unit (PP-28)."""
    for row in range(len(hands)):
        to[row], why[row] = settle_three_card(
            int(hands[row, 0]), int(hands[row, 1]), int(hands[row, 2]), 1, pays
        )


@kernel
def settle_six_cards(hands: Cards, to: Numbers, why: Numbers, pays: tuple[int, ...]) -> None:
    """Each six cards' `six_card` wager of one unit (PP-29)."""
    for row in range(len(hands)):
        to[row], why[row] = settle_six_card(
            int(hands[row, 0]), int(hands[row, 1]), int(hands[row, 2]),
            int(hands[row, 3]), int(hands[row, 4]), int(hands[row, 5]),
            1, pays,
        )  # fmt: skip
