"""The three wagers of a hand of Pyramid Poker, clause by clause. Cards are bytes, money cents."""

from __future__ import annotations

from games.cards import SEVEN, rank
from games.kernel import kernel
from games.pyramid_poker.reasons import (
    AHEAD,
    BEHIND,
    BOTH_EQUAL,
    FOUL,
    NO_LINE,
    NO_LINE_IN_SIX,
    ONE_EACH,
    SEVEN_OR_LOWER,
    SIX_CARD,
    THREE_CARD,
    THREE_OF_A_KIND,
)
from games.ranking.six_card import best_line, six_card_lines
from games.ranking.three_card import three_card_lines
from games.rounding import Pays, payout


@kernel
def high_hand(a: int, b: int) -> int:
    """Return the strength of a high hand's two ranks: pairs first (PP-12), else by card (PP-I3).

    Jacks are between queens and tens (PP-I2), like their rank.
    """
    if a == b:
        return 200 + a
    return 13 * max(a, b) + min(a, b)


@kernel
def fouls(low: int, a: int, b: int) -> bool:
    """Return whether a low rank outranks the high hand (PP-6): above both, and no pair (PP-I4)."""
    return a != b and low > a and low > b


@kernel
def settle_main(
    low: int, a: int, b: int,
    their_low: int, their_a: int, their_b: int,
    stake: int, *, both_equal: int, wins_at_once: bool,
) -> tuple[int, int]:  # fmt: skip
    """Settle a hand's main wager against the dealer's or banker's: cents won, and why.

    Only ranks matter. `both_equal` is what two equal hands pay for each cent staked (PP-I1): 0 or
    -1. `wins_at_once` is false for the house's own hand under PP-I11 `no`.
    """
    if fouls(low, a, b):
        return -stake, FOUL  # PP-6
    if low == a == b and wins_at_once:
        return 3 * stake, THREE_OF_A_KIND  # PP-7
    high, their_high = high_hand(a, b), high_hand(their_a, their_b)
    ahead = (low > their_low) + (high > their_high)
    behind = (low < their_low) + (high < their_high)
    if ahead > 0 and behind == 0:
        return stake, AHEAD  # PP-9
    if behind > 0 and ahead == 0:
        return -stake, BEHIND  # PP-10
    if ahead == 0:
        return both_equal * stake, BOTH_EQUAL  # PP-I1
    return 0, ONE_EACH  # PP-11


@kernel
def settle_three_card(x: int, y: int, z: int, stake: int, pays: Pays) -> tuple[int, int]:
    """Settle the `three_card` wager on the hand's own three cards (PP-28): cents won, and why."""
    line = best_line(three_card_lines(x, y, z), pays.lines)
    if line >= 0:
        return payout(stake, pays.lines[line], pays), THREE_CARD + line
    if max(rank(x), rank(y), rank(z)) <= SEVEN:
        return 0, SEVEN_OR_LOWER  # PP-I7
    return -stake, NO_LINE


@kernel
def settle_six_card(
    u: int, v: int, w: int, x: int, y: int, z: int, stake: int, pays: Pays
) -> tuple[int, int]:
    """Settle `six_card` on the hand's three cards and the house's (PP-21): cents won, and why."""
    line = best_line(six_card_lines(u, v, w, x, y, z), pays.lines)
    if line >= 0:
        return payout(stake, pays.lines[line], pays), SIX_CARD + line
    return -stake, NO_LINE_IN_SIX
