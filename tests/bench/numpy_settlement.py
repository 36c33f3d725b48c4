"""Pyramid Poker settled, compared and flagged in plain NumPy, without tables: what a user would
write who knows the rules but has no compiler."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


def flags(
    cards: list[Array], low: Array, house: list[Array], wagers: list[Array], results: list[Array]
) -> Array:
    """Flag each seat whose logged result isn't what the rules give. House-banked, defaults."""
    expected = (
        main(cards, low, house) * wagers[0],
        three_card(cards) * wagers[1],
        six_card([*cards, *house]) * wagers[2],
    )
    wrong = np.zeros(len(low), bool)
    for result, amount in zip(results, expected, strict=True):
        wrong |= result != amount
    return wrong


def main(cards: list[Array], low: Array, house: list[Array]) -> Array:
    """Return what the main wager wins per cent."""
    ranks = np.sort(np.stack([card >> 2 for card in cards]).astype(np.int64), axis=0)
    mine, high = low.astype(np.int64) >> 2, _high(ranks, low.astype(np.int64) >> 2)
    dealer = np.sort(np.stack([card >> 2 for card in house]).astype(np.int64), axis=0)
    theirs = _house_way(dealer)
    their_high = _high(dealer, theirs)
    ahead = (mine > theirs).astype(np.int64) + (high > their_high)
    behind = (mine < theirs).astype(np.int64) + (high < their_high)
    pays = np.sign(np.where((ahead > 0) & (behind > 0), 0, ahead - behind))
    fouled = (mine == ranks[2]) & (mine != ranks[1]) & (ranks[0] != ranks[1])
    pays = np.where(fouled, -1, pays)
    return np.where(ranks[0] == ranks[2], 3, pays)


def _high(ranks: Array, low: Array) -> Array:
    upper = np.where(low == ranks[2], ranks[1], ranks[2])
    lower = np.where(low == ranks[0], ranks[1], ranks[0])
    return np.where(upper == lower, 200 + upper, 13 * upper + lower)


def _house_way(ranks: Array) -> Array:
    paired = ((ranks[0] == ranks[1]) | (ranks[1] == ranks[2])) & (ranks[0] != ranks[2])
    third = np.where(ranks[0] == ranks[1], ranks[2], ranks[0])
    together = (ranks[1] < 9) | (third >= ranks[1] - 4)
    return np.where(paired & together, third, ranks[1])


def three_card(cards: list[Array]) -> Array:
    """Return what three_card wins per cent."""
    ranks = np.sort(np.stack([card >> 2 for card in cards]), axis=0).astype(np.int64)
    suits = [card & 3 for card in cards]
    suited = (suits[0] == suits[1]) & (suits[1] == suits[2])
    in_turn = (ranks[2] - ranks[1] == 1) & (ranks[1] - ranks[0] == 1)
    low_ace = (ranks[2] == 12) & (ranks[0] == 0) & (ranks[1] == 1)
    pair = (ranks[0] == ranks[1]) != (ranks[1] == ranks[2])
    lines = (
        (pair, 1),
        (suited, 2),
        (in_turn | low_ace, 5),
        (ranks[0] == ranks[2], 20),
        ((in_turn | low_ace) & suited, 30),
        (in_turn & suited & (ranks[2] == 12), 50),
    )
    pays = np.where(ranks[2] <= 5, 0, -1)
    for fits, to_one in lines:
        pays = np.where(fits, np.maximum(pays, to_one), pays)
    return pays


def six_card(cards: list[Array]) -> Array:
    """Return what six_card wins per cent."""
    ranks = np.stack([card >> 2 for card in cards]).astype(np.int64)
    suits = np.stack([card & 3 for card in cards])
    counts = np.stack([(ranks == rank).sum(axis=0) for rank in range(13)])
    most = counts.max(axis=0)
    groups = (counts >= 2).sum(axis=0)
    present = counts > 0
    ranks_twice = np.concatenate([present[12:], present])
    run = _runs(ranks_twice)
    in_suit = [(suits == suit) for suit in range(4)]
    flush = np.stack([mine.sum(axis=0) for mine in in_suit]).max(axis=0) >= 5
    straight_flush = np.zeros(len(most), bool)
    royal = np.zeros(len(most), bool)
    for mine in in_suit:
        own = np.stack([((ranks == rank) & mine).any(axis=0) for rank in range(13)])
        suit_ranks_twice = np.concatenate([own[12:], own])
        straight_flush |= _runs(suit_ranks_twice)
        royal |= suit_ranks_twice[9:].all(axis=0)
    pays = np.full(len(most), -1)
    for fits, to_one in (
        (groups >= 2, 1), (most >= 3, 2), (run, 5), (flush, 6), ((most >= 3) & (groups >= 2), 7),
        (most >= 4, 10), (most >= 5, 50), (straight_flush, 75), (royal, 200), (most >= 6, 1000),
    ):  # fmt: skip
        pays = np.where(fits, np.maximum(pays, to_one), pays)
    return pays


def _runs(ranks_twice: Array) -> Array:
    found = np.zeros(ranks_twice.shape[1], bool)
    for lowest in range(10):
        found |= ranks_twice[lowest : lowest + 5].all(axis=0)
    return found
