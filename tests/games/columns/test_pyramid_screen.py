"""The Pyramid Poker screen settles like `pyramid_poker.settle`, over every case that matters."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest

from games.kernel import compiled, jit
from games.pyramid_poker.house_way import house_way
from games.pyramid_poker.settle import settle_main, settle_six_card, settle_three_card
from games.rounding import Pays
from games.screens import pyramid_wagers as screen
from games.screens.pyramid import face_house, small
from games.setup import NO_LINE

THREE_PAYS = (
    Pays((1, 2, 5, 20, 30, 50)),
    Pays((1, 2, 5, 20, 50, 50)),
    Pays((7, 0, 3, 2, 1, 0)),
    Pays((0,) * 6),
    Pays((3, NO_LINE, 10, 41, NO_LINE, 1), over=2),
)
SIX_PAYS = (
    Pays((1, 2, 5, 6, 7, 10, 50, 75, 200, 1000)),
    Pays((9, 8, 7, 6, 5, 4, 3, 2, 1, 0)),
    Pays((100_000, 0, 0, 1, 0, 0, 2, 0, 3, 0)),
    Pays((3, 5, NO_LINE, 12, 14, NO_LINE, 100, 151, 400, NO_LINE), over=2),
)

house_way_of: Any = compiled(house_way)
main_of: Any = compiled(settle_main)
three_card_of: Any = compiled(settle_three_card)
six_card_of: Any = compiled(settle_six_card)


@jit
def three_cards(x, y, z, pays, out):  # type: ignore[no-untyped-def]
    for deal in range(out.size):
        out[deal] = three_card_of(x[deal], y[deal], z[deal], pays.over, pays)[0]


@jit
def six_cards(x, y, z, u, v, w, pays, out):  # type: ignore[no-untyped-def]
    for deal in range(out.size):
        out[deal] = six_card_of(
            x[deal], y[deal], z[deal], u[deal], v[deal], w[deal], pays.over, pays
        )[0]


@jit
def sets(x, y, z, split):  # type: ignore[no-untyped-def]
    """Return the House Way's low and the two others."""
    low = house_way_of(x, y, z, split)
    if low == x:
        return low, y, z
    if low == y:
        return low, x, z
    return low, x, y


@jit
def mains(own, low, theirs, both_equal, split, out):  # type: ignore[no-untyped-def]
    for deal in range(out.size):
        x, y, z = own[0][deal] >> 2, own[1][deal] >> 2, own[2][deal] >> 2
        laid = low[deal] >> 2
        a, b = (y, z) if laid == x else ((x, z) if laid == y else (x, y))
        u, v, w = sets(theirs[0][deal] >> 2, theirs[1][deal] >> 2, theirs[2][deal] >> 2, split)
        out[deal] = main_of(laid, a, b, u, v, w, 1, both_equal, True)[0]


def facing(theirs: list[np.ndarray], split: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return what a seat faces; whether the dealer is set correctly doesn't matter here."""
    face, bits = np.empty(len(theirs[0]), np.int64), np.empty(len(theirs[0]), np.int64)
    face_house(tuple(theirs), theirs[0], np.array([0, split]), face, bits)
    return face & ~(1 << 62), bits


def every(count: int, size: int) -> list[np.ndarray]:
    """Return every ordered deal of `count` cards, each any of `size`."""
    grid = np.indices((size,) * count).reshape(count, -1)
    return [np.ascontiguousarray(row.astype(np.uint8)) for row in grid]


@pytest.mark.parametrize("pays", THREE_PAYS, ids=range(len(THREE_PAYS)))
def test_three_card_is_the_same_over_every_three_cards(pays: Pays) -> None:
    cards = every(3, 52)
    expected, found = (np.empty(len(cards[0]), np.int32) for _ in range(2))
    three_cards(*cards, pays, expected)
    screen.three_card_column(*cards, small(pays).lines, np.int32(-pays.over), found)
    assert np.array_equal(found, expected)


@pytest.mark.parametrize("split", [0, 1], ids=["list", "split_at_four"])
@pytest.mark.parametrize("both_equal", [0, -1], ids=["push", "dealer_wins"])
def test_main_is_the_same_for_every_order_of_ranks(both_equal: int, split: int) -> None:
    ranks = [4 * column for column in every(3, 13)]
    for dealer in range(len(ranks[0])):
        theirs = [np.full(len(ranks[0]), column[dealer]) for column in ranks]
        face, _ = facing(theirs, split)
        for low in ranks:
            expected, found = (np.empty(len(low), np.int32) for _ in range(2))
            mains(tuple(ranks), low, tuple(theirs), both_equal, split, expected)
            screen.main_column(*ranks, low, face, np.int32(both_equal), found)
            assert np.array_equal(found, expected)


@pytest.mark.parametrize("pays", SIX_PAYS, ids=range(len(SIX_PAYS)))
@pytest.mark.parametrize("ranks", ["A23456", "9TJQKA", "258JKA"])
def test_six_card_is_the_same_over_every_six_of_a_small_shoe(ranks: str, pays: Pays) -> None:
    deck = [4 * "23456789TJQKA".index(rank) + suit for rank in ranks for suit in range(4)]
    deals = np.array(list(combinations_with_replacement(deck, 6)), np.uint8)
    chance = np.random.default_rng(7)
    deals = chance.permuted(deals, axis=1)
    compare_six([np.ascontiguousarray(column) for column in deals.T], pays)


@pytest.mark.parametrize("pays", SIX_PAYS, ids=range(len(SIX_PAYS)))
def test_six_card_is_the_same_over_random_shoes(pays: Pays) -> None:
    chance = np.random.default_rng(11)
    for suits, ranks in ((4, 13), (2, 13), (1, 13), (4, 3), (1, 6)):
        cards = 4 * chance.integers(0, ranks, (6, 1 << 18)) + chance.integers(
            0, suits, (6, 1 << 18)
        )
        compare_six([np.ascontiguousarray(column) for column in cards.astype(np.uint8)], pays)


def compare_six(cards: list[np.ndarray], pays: Pays) -> None:
    expected, found = (np.empty(len(cards[0]), np.int32) for _ in range(2))
    six_cards(*cards, pays, expected)
    face, bits = facing(cards[3:])
    own = np.empty(len(cards[0]), np.int64)
    screen.card_bits(*cards[:3], own)
    lines, loses = small(pays).lines, np.int32(-pays.over)
    screen.suited_run_column(own, bits, lines[7], lines[8], loses, found)
    screen.group_column(*cards[:3], face, lines, loses, found)
    screen.straight_or_flush_column(*cards[:3], face, lines, loses, found)
    assert np.array_equal(found, expected)
