"""Pyramid Poker's wagers once more, without branches, so that loops over columns are vectorized.

Each kernel returns what a wager wins per cent staked, as `pyramid_poker.settle` would, or in parts
of a cent (`Pays.over`), of which `loses` is minus one cent; a test compares the two over every deal
that matters. Use them only to confirm that a log is right:
anything that differs is settled by `pyramid_poker.settle`. The loops go over blocks of seats.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from games.kernel import compiled, jit, kernel
from games.rounding import rounded

LOSES = -1
PAIR = 200
"""Strength of a pair over the strongest two unpaired cards, 13 * 12 + 11."""


@kernel
def high_of(low: int, top: int, middle: int, bottom: int) -> int:
    """Return the strength of the two ranks other than `low`, one of three in descending order."""
    a = middle if low == top else top
    b = middle if low == bottom else bottom
    return PAIR + a if a == b else 13 * a + b


@kernel
def house_low(top: int, middle: int, bottom: int, split: int) -> int:
    """Return the House Way's low of three descending ranks; `split` is 1 under `split_at_four`.

    The middle rank is always one of a pair.
    """
    third = bottom if top == middle else top
    gapped = (middle >= 9) & (third < middle - 4 + split)
    paired = (top == middle) | (middle == bottom)
    return third if paired & (not gapped) & (top != bottom) else middle


@kernel
def main_pays(low: int, top: int, middle: int, bottom: int, their_low: int, their_high: int,
              both_equal: int) -> int:  # fmt: skip
    """Return the main wager of three descending ranks, one of them set low (PP-6 to PP-11)."""
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
                    pays: tuple[int, ...], loses: int) -> int:  # fmt: skip
    """Return the `three_card` wager of three cards and their descending ranks (PP-28)."""
    suited = (((a ^ b) | (a ^ c)) & 3) == 0
    in_turn = (top - middle == 1) & (middle - bottom == 1)
    run = in_turn | ((top == 12) & (middle == 1) & (bottom == 0))
    best = 0 if top <= 5 else loses
    best = max(best, pays[0]) if (top == middle) | (middle == bottom) else best
    best = max(best, pays[1]) if suited else best
    best = max(best, pays[2]) if run else best
    best = max(best, pays[3]) if top == bottom else best
    best = max(best, pays[4]) if run & suited else best
    return max(best, pays[5]) if in_turn & suited & (top == 12) else best


@kernel
def suited_run_pays(cards: int, straight_flush: int, royal: int, loses: int) -> int:
    """Return what five suited in sequence pay in a set, one bit per card; the ace is also low."""
    both_aces = (cards << 4) | (cards >> 48)
    runs = both_aces & (both_aces >> 4) & (both_aces >> 8) & (both_aces >> 12) & (both_aces >> 16)
    best = straight_flush if runs != 0 else loses
    return max(best, royal) if runs >> 36 != 0 else best


@kernel
def others_alike(p: int, q: int, r: int, s: int, t: int, u: int) -> int:
    """Return how many of the other five have the first one's rank."""
    return int(p == q) + int(p == r) + int(p == s) + int(p == t) + int(p == u)


@kernel
def group_pays(likenesses: int, most: int, pays: tuple[int, ...], loses: int) -> int:
    """Return the most that equal ranks among six cards pay (PP-29).

    `likenesses` counts for every card the others of its rank, `most` is the highest count. The
    largest group alone accounts for most * (most + 1) of them; any excess is another group.
    """
    groups = likenesses > most * (most + 1)
    best = pays[0] if groups else loses
    best = max(best, pays[1]) if most >= 2 else best
    best = max(best, pays[4]) if (most >= 2) & groups else best
    best = max(best, pays[5]) if most >= 3 else best
    best = max(best, pays[6]) if most >= 4 else best
    return max(best, pays[9]) if most >= 5 else best


@kernel
def straight_or_flush_pays(a: int, b: int, c: int, d: int, e: int, f: int,
                           pays: tuple[int, ...], loses: int) -> int:  # fmt: skip
    """Return the most that any five of six cards in sequence or of one suit pay (PP-I6)."""
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
    best = pays[2] if runs != 0 else loses
    return max(best, pays[3]) if (suits + 0x3333) & 0x8888 != 0 else best


BLOCK = 1024

_high_of: Any = compiled(high_of)
_house_low: Any = compiled(house_low)
_main_pays: Any = compiled(main_pays)
_three_card_pays: Any = compiled(three_card_pays)
_group_pays: Any = compiled(group_pays)
_others_alike: Any = compiled(others_alike)
_straight_or_flush_pays: Any = compiled(straight_or_flush_pays)
_suited_run_pays: Any = compiled(suited_run_pays)
_rounded: Any = compiled(rounded)


@jit
def rank_order(x, y, z):  # type: ignore[no-untyped-def]
    """Return the ranks of three cards in descending order."""
    a, b, c = np.int32(x) >> 2, np.int32(y) >> 2, np.int32(z) >> 2
    top, bottom = max(a, max(b, c)), min(a, min(b, c))
    return top, a + b + c - top - bottom, bottom


@jit
def main_column(x, y, z, low, facing, both_equal, out):  # type: ignore[no-untyped-def]
    """Compute what every seat's main wager wins per cent against what it faces."""
    for seat in range(out.size):
        top, middle, bottom = rank_order(x[seat], y[seat], z[seat])
        theirs = np.int32(facing[seat] >> 24)
        out[seat] = _main_pays(
            np.int32(low[seat]) >> 2, top, middle, bottom, theirs & 15, theirs >> 4, both_equal
        )


@jit
def three_card_column(x, y, z, pays, loses, out):  # type: ignore[no-untyped-def]
    """Compute what every seat's three_card wager wins per cent."""
    for seat in range(out.size):
        a, b, c = x[seat], y[seat], z[seat]
        top, middle, bottom = rank_order(a, b, c)
        out[seat] = _three_card_pays(
            np.int32(a), np.int32(b), np.int32(c), top, middle, bottom, pays, loses
        )


@jit
def card_bits(x, y, z, out):  # type: ignore[no-untyped-def]
    """Compute every seat's cards as a set, one bit each."""
    for seat in range(out.size):
        out[seat] = (1 << np.int64(x[seat])) | (1 << np.int64(y[seat])) | (1 << np.int64(z[seat]))


@jit
def suited_run_column(own, house, straight_flush, royal, loses, out):  # type: ignore[no-untyped-def]
    """Compute what a straight flush in every seat's six cards pays."""
    for seat in range(out.size):
        out[seat] = _suited_run_pays(own[seat] | house[seat], straight_flush, royal, loses)


@jit
def group_column(x, y, z, facing, pays, loses, out):  # type: ignore[no-untyped-def]
    """Compute what equal ranks in every seat's six cards pay, if more than `out` has."""
    for seat in range(out.size):
        house = np.int32(facing[seat])
        p, q, r = np.int32(x[seat]) >> 2, np.int32(y[seat]) >> 2, np.int32(z[seat]) >> 2
        s, t, u = (house >> 2) & 15, (house >> 10) & 15, (house >> 18) & 15
        like_p, like_q = _others_alike(p, q, r, s, t, u), _others_alike(q, p, r, s, t, u)
        like_r, like_s = _others_alike(r, p, q, s, t, u), _others_alike(s, p, q, r, t, u)
        like_t, like_u = _others_alike(t, p, q, r, s, u), _others_alike(u, p, q, r, s, t)
        most = max(max(max(like_p, like_q), max(like_r, like_s)), max(like_t, like_u))
        likenesses = like_p + like_q + like_r + like_s + like_t + like_u
        out[seat] = max(out[seat], _group_pays(likenesses, most, pays, loses))


@jit
def straight_or_flush_column(x, y, z, facing, pays, loses, out):  # type: ignore[no-untyped-def]
    """Compute what a straight or flush in six cards pays, if more than `out` has."""
    for seat in range(out.size):
        house = np.int32(facing[seat])
        best = _straight_or_flush_pays(
            np.int32(x[seat]), np.int32(y[seat]), np.int32(z[seat]),
            house & 63, (house >> 8) & 63, (house >> 16) & 63, pays, loses,
        )  # fmt: skip
        out[seat] = max(out[seat], best)


@jit
def compare_column(pays, wager, result, right):  # type: ignore[no-untyped-def]
    """Keep right only the seats whose logged result is what the wager wins."""
    for seat in range(right.size):
        right[seat] &= result[seat] == np.int64(pays[seat]) * wager[seat]


@jit
def compare_payouts(odds, wager, result, pays, right):  # type: ignore[no-untyped-def]
    """Keep right only the seats whose logged result is what the wager wins by its pay table."""
    if pays.over == 1:
        compare_column(odds, wager, result, right)
        return
    for seat in range(right.size):
        due = _rounded(wager[seat], np.int64(odds[seat]), pays.over, pays.step, pays.direction)
        right[seat] &= result[seat] == due
