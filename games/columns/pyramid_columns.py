"""The screen of Pyramid Poker over columns: blocks of seats through small vectorised loops."""

from __future__ import annotations

from typing import Any

import numpy as np

from games.columns.pyramid_screen import (
    group_pays,
    high_of,
    house_low,
    main_pays,
    others_alike,
    straight_or_flush_pays,
    suited_run_pays,
    three_card_pays,
)
from games.kernel import compiled, jit

BLOCK = 1024

_high_of: Any = compiled(high_of)
_house_low: Any = compiled(house_low)
_main_pays: Any = compiled(main_pays)
_three_card_pays: Any = compiled(three_card_pays)
_group_pays: Any = compiled(group_pays)
_others_alike: Any = compiled(others_alike)
_straight_or_flush_pays: Any = compiled(straight_or_flush_pays)
_suited_run_pays: Any = compiled(suited_run_pays)


@jit
def rank_order(x, y, z):  # type: ignore[no-untyped-def]
    """Ranks of three cards in descending order."""
    a, b, c = np.int32(x) >> 2, np.int32(y) >> 2, np.int32(z) >> 2
    top, bottom = max(a, max(b, c)), min(a, min(b, c))
    return top, a + b + c - top - bottom, bottom


@jit
def main_column(x, y, z, low, facing, both_equal, out):  # type: ignore[no-untyped-def]
    """What every seat's main wager wins per cent against what it faces."""
    for seat in range(out.size):
        top, middle, bottom = rank_order(x[seat], y[seat], z[seat])
        theirs = np.int32(facing[seat] >> 24)
        out[seat] = _main_pays(
            np.int32(low[seat]) >> 2, top, middle, bottom, theirs & 15, theirs >> 4, both_equal
        )


@jit
def three_card_column(x, y, z, pays, out):  # type: ignore[no-untyped-def]
    """What every seat's three_card wager wins per cent."""
    for seat in range(out.size):
        a, b, c = x[seat], y[seat], z[seat]
        top, middle, bottom = rank_order(a, b, c)
        out[seat] = _three_card_pays(
            np.int32(a), np.int32(b), np.int32(c), top, middle, bottom, pays
        )


@jit
def card_bits(x, y, z, out):  # type: ignore[no-untyped-def]
    """Every seat's cards as a set, one bit each."""
    for seat in range(out.size):
        out[seat] = (1 << np.int64(x[seat])) | (1 << np.int64(y[seat])) | (1 << np.int64(z[seat]))


@jit
def suited_run_column(own, house, straight_flush, royal, out):  # type: ignore[no-untyped-def]
    """What a straight flush in every seat's six cards pays."""
    for seat in range(out.size):
        out[seat] = _suited_run_pays(own[seat] | house[seat], straight_flush, royal)


@jit
def group_column(x, y, z, facing, pays, out):  # type: ignore[no-untyped-def]
    """What equal ranks among every seat's six cards pay, where it is more than `out` holds."""
    for seat in range(out.size):
        house = np.int32(facing[seat])
        p, q, r = np.int32(x[seat]) >> 2, np.int32(y[seat]) >> 2, np.int32(z[seat]) >> 2
        s, t, u = (house >> 2) & 15, (house >> 10) & 15, (house >> 18) & 15
        like_p, like_q = _others_alike(p, q, r, s, t, u), _others_alike(q, p, r, s, t, u)
        like_r, like_s = _others_alike(r, p, q, s, t, u), _others_alike(s, p, q, r, t, u)
        like_t, like_u = _others_alike(t, p, q, r, s, u), _others_alike(u, p, q, r, s, t)
        most = max(max(max(like_p, like_q), max(like_r, like_s)), max(like_t, like_u))
        likenesses = like_p + like_q + like_r + like_s + like_t + like_u
        out[seat] = max(out[seat], _group_pays(likenesses, most, pays))


@jit
def straight_or_flush_column(x, y, z, facing, pays, out):  # type: ignore[no-untyped-def]
    """What five in turn or of a suit in six cards pay, where it is more than `out` holds."""
    for seat in range(out.size):
        house = np.int32(facing[seat])
        best = _straight_or_flush_pays(
            np.int32(x[seat]), np.int32(y[seat]), np.int32(z[seat]),
            house & 63, (house >> 8) & 63, (house >> 16) & 63, pays,
        )  # fmt: skip
        out[seat] = max(out[seat], best)


@jit
def compare_column(pays, wager, result, right):  # type: ignore[no-untyped-def]
    """Leaves right only the seats whose logged result is what the wager wins."""
    for seat in range(right.size):
        right[seat] &= result[seat] == np.int64(pays[seat]) * wager[seat]
