"""Odds of the bonus wagers of Pick 2 Poker (P2-17, P2-18) for a player who never folds.

A fold loses both bonus wagers (P2-5, P2-I5), so the edge is greater on a player who folds. Under
P2-I4 `set_three` the player is assumed to set the best three.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.kernel import kernel
from games.odds.hands import settled_hands
from games.odds.wagers import WagerOdds, as_printed, unrounded, which_table
from games.pick_2_poker.reasons import FIVE, NO_LINE, PAY_LINES, REASONS, THREE
from games.pick_2_poker.settle import (
    five_card_lines,
    lines_among_five,
    settle_bonus_3_5,
    settle_bonus_5,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.odds.hands import Cards, Numbers
    from games.rounding import Pays
    from games.setup import Setup

GAME: Final = "pick-2-poker"
BOTH_TABLES: Final = ("bonus_3_5_five", "bonus_3_5_three")
NEVER_FOLDS: Final = "The player never folds."

REASON: Final = 256
"""Two reasons in one number: the five-card table's is multiplied by this."""


def odds(setup: Setup, decks: int) -> Iterator[WagerOdds]:
    """Yield the odds of each bonus wager from `decks` decks, and of one deck's main game."""
    yield _bonus_3_5(setup, decks)
    printed = as_printed(setup, GAME)
    if any(printed.pays(GAME, table) != setup.pays(GAME, table) for table in BOTH_TABLES):
        yield _bonus_3_5(printed, decks)
    pays, stake = unrounded(setup.pays(GAME, "bonus_5"))
    yield WagerOdds(
        "bonus_5",
        (which_table(setup, GAME, "bonus_5"), NEVER_FOLDS),
        settled_hands(settle_bonuses_5, 5, decks, lambda why: REASONS[why].says, stake, pays),
        "never_folds",
    )
    if decks == 1:
        from games.odds.pick_2_main import main_odds

        yield from main_odds(setup)


def _bonus_3_5(setup: Setup, decks: int) -> WagerOdds:
    aces = setup.reading("P2-I9")
    (on_five, stake), (on_three, _) = (unrounded(setup.pays(GAME, table)) for table in BOTH_TABLES)
    return WagerOdds(
        "bonus_3_5",
        (
            which_table(setup, GAME, *BOTH_TABLES),
            f"The sum of its five-card and three-card tables (P2-I3), A-K-Q by `{aces}` (P2-I9).",
            NEVER_FOLDS,
        ),
        settled_hands(
            settle_bonuses_3_5,
            5,
            decks,
            _both_lines,
            stake,
            on_five,
            on_three,
            aces == "any_suits",
        ),
        "never_folds",
    )


def _both_lines(both: int) -> str:
    """Return the line of each table that the hand has, as `flush (5) + straight flush (3)`."""
    on_five, on_three = divmod(both, REASON)
    lines = []
    if on_five != NO_LINE:
        lines.append(f"{_line(BOTH_TABLES[0], on_five - FIVE)} (5)")
    if on_three != NO_LINE:
        lines.append(f"{_line(BOTH_TABLES[1], on_three - THREE)} (3)")
    return " + ".join(lines) or REASONS[NO_LINE].says


def _line(table: str, place: int) -> str:
    return PAY_LINES[table][place].replace("ace_king_queen", "A-K-Q").replace("_", " ")


@kernel
def settle_bonuses_3_5(
    hands: Cards,
    to: Numbers,
    why: Numbers,
    stake: int,
    five_pays: Pays,
    three_pays: Pays,
    any_suits: bool,  # noqa: FBT001 - a kernel's arguments go by place
) -> None:
    """Settle a stake on each hand's `bonus_3_5` wager and its best three (P2-17, P2-I4)."""
    for row in range(len(hands)):
        a, b, c = int(hands[row, 0]), int(hands[row, 1]), int(hands[row, 2])
        d, e = int(hands[row, 3]), int(hands[row, 4])
        to[row], on_five, on_three = settle_bonus_3_5(
            five_card_lines(a, b, c, d, e),
            lines_among_five(a, b, c, d, e, any_suits=any_suits),
            stake,
            five_pays,
            three_pays,
        )
        why[row] = REASON * on_five + on_three


@kernel
def settle_bonuses_5(hands: Cards, to: Numbers, why: Numbers, stake: int, pays: Pays) -> None:
    """Settle a stake on each hand's `bonus_5` wager (P2-18)."""
    for row in range(len(hands)):
        lines = five_card_lines(
            int(hands[row, 0]), int(hands[row, 1]), int(hands[row, 2]),
            int(hands[row, 3]), int(hands[row, 4]),
        )  # fmt: skip
        to[row], why[row] = settle_bonus_5(lines, stake, pays)
