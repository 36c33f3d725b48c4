"""Pyramid Poker's wagers once more, without a branch, so that a loop over columns is vectorised.

Each function returns what a wager wins per cent staked, as `pyramid_poker.settle` would; a test
compares the two over every deal that matters. They may only be used to say that a log is right:
what does not agree is settled by `pyramid_poker.settle`.
"""

from __future__ import annotations

from games.kernel import kernel

LOSES = -1
PAIR = 200
"""Strength of a pair over the strongest two unpaired cards, 13 * 12 + 11."""


@kernel
def high_of(low: int, top: int, middle: int, bottom: int) -> int:
    """Strength of the two ranks beside `low`, which is one of three ranks in descending order."""
    a = middle if low == top else top
    b = middle if low == bottom else bottom
    return PAIR + a if a == b else 13 * a + b


@kernel
def house_low(top: int, middle: int, bottom: int, split: int) -> int:
    """The House Way's low of three ranks in descending order; `split` is 1 under `split_at_four`.

    The middle rank is always one of a pair.
    """
    third = bottom if top == middle else top
    apart = (middle >= 9) & (third < middle - 4 + split)
    paired = (top == middle) | (middle == bottom)
    return third if paired & (not apart) & (top != bottom) else middle


@kernel
def main_pays(low: int, top: int, middle: int, bottom: int, their_low: int, their_high: int,
              both_equal: int) -> int:  # fmt: skip
    """The main wager of three ranks in descending order, one of them set low (PP-6 to PP-11)."""
    high = high_of(low, top, middle, bottom)
    ahead = (low > their_low) | (high > their_high)
    behind = (low < their_low) | (high < their_high)
    pays = both_equal
    pays = 1 if ahead & (not behind) else pays
    pays = LOSES if behind & (not ahead) else pays
    pays = 0 if ahead & behind else pays
    pays = LOSES if (low == top) & (middle != bottom) & (low != middle) else pays
    return 3 if top == bottom else pays


@kernel
def three_card_pays(a: int, b: int, c: int, top: int, middle: int, bottom: int,
                    pays: tuple[int, ...]) -> int:  # fmt: skip
    """The `three_card` wager of three cards and their ranks in descending order (PP-28)."""
    suited = (((a ^ b) | (a ^ c)) & 3) == 0
    in_turn = (top - middle == 1) & (middle - bottom == 1)
    run = in_turn | ((top == 12) & (middle == 1) & (bottom == 0))
    best = 0 if top <= 5 else LOSES
    best = max(best, pays[0]) if (top == middle) | (middle == bottom) else best
    best = max(best, pays[1]) if suited else best
    best = max(best, pays[2]) if run else best
    best = max(best, pays[3]) if top == bottom else best
    best = max(best, pays[4]) if run & suited else best
    return max(best, pays[5]) if in_turn & suited & (top == 12) else best


@kernel
def suited_run_pays(cards: int, straight_flush: int, royal: int) -> int:
    """What five suited in turn pay, of a set of cards with one bit each; the ace is also low."""
    both_aces = (cards << 4) | (cards >> 48)
    runs = both_aces & (both_aces >> 4) & (both_aces >> 8) & (both_aces >> 12) & (both_aces >> 16)
    best = straight_flush if runs != 0 else LOSES
    return max(best, royal) if runs >> 36 != 0 else best


@kernel
def others_alike(p: int, q: int, r: int, s: int, t: int, u: int) -> int:
    """How many of the other five are of the first one's rank."""
    return int(p == q) + int(p == r) + int(p == s) + int(p == t) + int(p == u)


@kernel
def group_pays(likenesses: int, most: int, pays: tuple[int, ...]) -> int:
    """What equal ranks among six cards pay, at most (PP-29).

    `likenesses` counts for every card the others of its rank, `most` is the highest count. The
    largest group alone accounts for most * (most + 1) of them; what goes beyond is another group.
    """
    groups = likenesses > most * (most + 1)
    best = pays[0] if groups else LOSES
    best = max(best, pays[1]) if most >= 2 else best
    best = max(best, pays[4]) if (most >= 2) & groups else best
    best = max(best, pays[5]) if most >= 3 else best
    best = max(best, pays[6]) if most >= 4 else best
    return max(best, pays[9]) if most >= 5 else best


@kernel
def straight_or_flush_pays(a: int, b: int, c: int, d: int, e: int, f: int,
                           pays: tuple[int, ...]) -> int:  # fmt: skip
    """What any five of six cards in turn, or of one suit, pay, at most (PP-I6)."""
    ranks = (
        (1 << ((a >> 2) & 15)) | (1 << ((b >> 2) & 15)) | (1 << ((c >> 2) & 15))
        | (1 << ((d >> 2) & 15)) | (1 << ((e >> 2) & 15)) | (1 << ((f >> 2) & 15))
    )  # fmt: skip
    both_aces = (ranks << 1) | (ranks >> 12)
    runs = both_aces & (both_aces >> 1) & (both_aces >> 2) & (both_aces >> 3) & (both_aces >> 4)
    suits = (
        (1 << ((a & 3) << 2)) + (1 << ((b & 3) << 2)) + (1 << ((c & 3) << 2))
        + (1 << ((d & 3) << 2)) + (1 << ((e & 3) << 2)) + (1 << ((f & 3) << 2))
    )  # fmt: skip
    best = pays[2] if runs != 0 else LOSES
    return max(best, pays[3]) if (suits + 0x3333) & 0x8888 != 0 else best
