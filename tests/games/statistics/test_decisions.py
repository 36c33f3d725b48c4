"""Folding by the dealer's hidden hand is found; folding by one's own is not."""

from collections import Counter

import numpy as np
import pytest

from games.cards import TEN
from games.statistics.decisions import DRAWN, LOG_MGF, VALUES, Decision, Decisions, rank_hands
from games.statistics.evidence import ALARM, TILTS, UPWARD, evidence_of

SEEDED = 20251120


def deals(rounds, decks=1):
    """Return the cards of four seats and of the dealer, and what no player was dealt."""
    chance = np.random.default_rng(SEEDED)
    shoes = np.array([chance.permutation(np.repeat(np.arange(52), decks)) for _ in range(rounds)])
    seats, house = shoes[:, :20], shoes[:, 20:25]
    left = np.full((rounds, 53), decks)
    left[:, 52] = 0
    np.subtract.at(left, (np.arange(rounds)[:, None], seats), 1)
    return seats, house, left


def played(strategy, rounds):
    """Return the evidence of one player's decisions."""
    seats, house, left = deals(rounds)
    ranks = rank_hands(house, left, np.random.default_rng(SEEDED + 1))
    signs = [1 if strategy(*each) else -1 for each in zip(seats, house, strict=True)]
    made = Counter(Decision(sign, rank) for sign, rank in zip(signs, ranks.tolist(), strict=True))
    return Decisions(made).figures()[0].evidence


def pairs(house):
    return len(set((house // 4).tolist())) < 5


def test_player_who_knows_of_the_dealers_pairs_is_found():
    assert played(lambda _, house: pairs(house), 150) > ALARM


@pytest.mark.parametrize(
    "strategy",
    [
        lambda seats, _: (seats[:5] // 4 >= TEN).sum() < 2,
        lambda seats, _: (seats // 4 >= TEN).sum() > 8,  # has seen everybody's cards
        lambda *_: True,
    ],
    ids=["own cards", "all players' cards", "always"],
)
def test_player_who_does_not_know_is_not_found(strategy):
    assert played(strategy, 3_000) < 3


def test_every_rank_is_as_likely_as_any_other():
    _, house, left = deals(8_000, decks=2)
    often = np.bincount(rank_hands(house, left, np.random.default_rng(SEEDED)))
    assert len(often) == DRAWN + 1
    assert ((often - 1_000) ** 2 / 1_000).sum() < 30  # seven degrees of freedom: once in 10,000


def test_fair_decisions_win_nothing_on_average():
    ratios = 10 ** evidence_of((np.outer(VALUES, TILTS) - LOG_MGF)[:, UPWARD])
    assert ratios.mean() == pytest.approx(1)
