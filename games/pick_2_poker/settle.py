"""The wagers of a hand of Pick 2 Poker, clause by clause. Cards are bytes, money cents."""

from __future__ import annotations

from games.cards import ACE, KING, SIX, rank
from games.kernel import kernel
from games.pick_2_poker.reasons import (
    BONUS_5,
    FIVE,
    HIGHER,
    LOWER,
    NO_LINE,
    NO_LINE_OF_BONUS_5,
    NOT_PLACED,
    NOT_QUALIFIED,
    THREE,
    TIE,
)
from games.ranking.five_card import five_card, suited_five
from games.ranking.names import HIGH_CARD, NAME_SHIFT, in_one_deck, name_of, top_of
from games.ranking.six_card import best_line, occurring, runs_of_five
from games.ranking.three_card import (
    ACE_KING_QUEEN_SUITED,
    THREE_FLUSH,
    THREE_ONE_PAIR,
    THREE_STRAIGHT,
    THREE_STRAIGHT_FLUSH,
    THREE_TRIPS,
    three_card,
)
from games.rounding import Pays, payout

ANTE_WINS = 0
BOTH_WIN = 1
BOTH_PUSH = 2

ACE_KING_HIGH = (HIGH_CARD << NAME_SHIFT) | ((ACE + 1) << 20) | ((KING + 1) << 16)


@kernel
def five(a: int, b: int, c: int, d: int, e: int) -> int:
    """Return the strength of five cards of one deck (P2-11)."""
    return in_one_deck(five_card(a, b, c, d, e))


@kernel
def best_three(a: int, b: int, c: int, d: int, e: int) -> int:
    """Return the strength of the best three of five cards, by three-card rank (P2-12, P2-I7)."""
    best = max(three_card(a, b, c), three_card(a, b, d), three_card(a, b, e))
    best = max(best, three_card(a, c, d), three_card(a, c, e), three_card(a, d, e))
    best = max(best, three_card(b, c, d), three_card(b, c, e), three_card(b, d, e))
    return max(best, three_card(c, d, e))


@kernel
def settle_play(mine: int, theirs: int, ante: int, play: int) -> tuple[int, int, int]:
    """Settle ante and play of a hand against the dealer's (P2-9): cents won on each, and why."""
    if mine > theirs:
        return ante, play, HIGHER
    if mine < theirs:
        return -ante, -play, LOWER
    return 0, 0, TIE


@kernel
def settle_five(
    mine: int, theirs: int, ante: int, play: int, not_qualified: int
) -> tuple[int, int, int]:
    """Settle a five-card player: the dealer needs ace-king (P2-8, P2-I6), or P2-I1 decides."""
    if theirs >= ACE_KING_HIGH:
        return settle_play(mine, theirs, ante, play)
    if not_qualified == ANTE_WINS:
        return ante, 0, NOT_QUALIFIED
    if not_qualified == BOTH_WIN:
        return ante, play, NOT_QUALIFIED
    return 0, 0, NOT_QUALIFIED


@kernel
def five_card_lines(a: int, b: int, c: int, d: int, e: int) -> int:
    """Return the lines of five cards (P2-17, P2-18) that five cards fit, one bit each.

    The lowest line is first.
    """
    copies = ranks = 0
    for card in (a, b, c, d, e):
        copies += 1 << 4 * rank(card)
        ranks |= 1 << rank(card)
    pairs = occurring(copies, 2)
    two_groups = pairs & (pairs - 1) != 0
    three = occurring(copies, 3) != 0
    suited = suited_five(a, b, c, d, e)
    runs = runs_of_five(ranks)
    return (
        (pairs >> 4 * SIX != 0) << 0
        | two_groups << 1
        | three << 2
        | (runs != 0) << 3
        | suited << 4
        | (three and two_groups) << 5
        | (occurring(copies, 4) != 0) << 6
        | (suited and runs != 0) << 7
        | (suited and runs >> 9 != 0) << 8
    )


@kernel
def three_card_lines(strength: int, *, any_suits: bool) -> int:
    """Return the lines of the three-card table (P2-17) that three cards fit, one bit each.

    The lowest line is first. `any_suits` is the interpretation of P2-I9 under which ace, king and
    queen need not be suited.
    """
    name = name_of(strength)
    top = name == ACE_KING_QUEEN_SUITED
    unsuited_top = name == THREE_STRAIGHT and top_of(strength) == ACE
    run_in_suit = top or name == THREE_STRAIGHT_FLUSH
    return (
        ((name == THREE_ONE_PAIR) | (name == THREE_TRIPS)) << 0
        | (run_in_suit or name == THREE_FLUSH) << 1
        | (run_in_suit or name == THREE_STRAIGHT) << 2
        | (name == THREE_TRIPS) << 3
        | run_in_suit << 4
        | (top or (any_suits and unsuited_top)) << 5
    )


@kernel
def lines_among_five(a: int, b: int, c: int, d: int, e: int, *, any_suits: bool) -> int:
    """Return the lines of the three-card table that five cards fit, one bit each.

    The best three are judged (P2-I4); under `any_suits`, any three of the five (P2-I9).
    """
    if not any_suits:
        return three_card_lines(best_three(a, b, c, d, e), any_suits=False)
    lines = 0
    for x, y, z in (
        (a, b, c), (a, b, d), (a, b, e), (a, c, d), (a, c, e),
        (a, d, e), (b, c, d), (b, c, e), (b, d, e), (c, d, e),
    ):  # fmt: skip
        lines |= three_card_lines(three_card(x, y, z), any_suits=True)
    return lines


@kernel
def settle_bonus_3_5(
    five_lines: int, three_lines: int, stake: int, five_pays: Pays, three_pays: Pays
) -> tuple[int, int, int]:
    """Settle the `bonus_3_5` wager on both of its tables (P2-17, P2-I3): cents, and why on each."""
    high = best_line(five_lines, five_pays.lines)
    low = best_line(three_lines, three_pays.lines)
    if high < 0 and low < 0:
        return -stake, NO_LINE, NO_LINE
    if low < 0:
        return payout(stake, five_pays.lines[high], five_pays), FIVE + high, NO_LINE
    if high < 0:
        return payout(stake, three_pays.lines[low], three_pays), NO_LINE, THREE + low
    together = five_pays.lines[high] + three_pays.lines[low]
    return payout(stake, together, five_pays), FIVE + high, THREE + low


@kernel
def settle_bonus_5(lines: int, stake: int, pays: Pays) -> tuple[int, int]:
    """Settle the optional `bonus_5` wager on all five cards (P2-18): cents won, and why."""
    if stake == 0:
        return 0, NOT_PLACED
    line = best_line(lines, pays.lines)
    if line >= 0:
        return payout(stake, pays.lines[line], pays), BONUS_5 + line
    return -stake, NO_LINE_OF_BONUS_5
