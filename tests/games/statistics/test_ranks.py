"""Places of hands within a round, the order of hands, and errors by beneficiary."""

from collections import Counter
from itertools import permutations
from math import comb, exp, log

import numpy as np
import pytest

from games.statistics.cards import Again, Draw
from games.statistics.errors import FAVORED, Errors
from games.statistics.evidence import TILTS, evidence_of
from games.statistics.order import count_alike, find_followers
from games.statistics.ranks import HandRanks, Place, rank_in_rounds

PAIR, HIGH, LOW = [0, 1, 20], [51, 46, 40], [0, 5, 10]


def test_hands_are_ranked_within_their_round():
    cards = np.array([PAIR, HIGH, LOW, LOW, PAIR], np.uint8)
    hands, weaker = rank_in_rounds(cards, np.array([1, 1, 1, 2, 2]), np.random.default_rng(1))
    assert hands.tolist() == [3, 3, 3, 2, 2]
    assert weaker.tolist() == [2, 1, 0, 0, 1]


def test_every_deal_of_hands_wins_the_bet_of_one_unit_on_average():
    # all orders in which three hands may be dealt to three seats, and two to two
    for number in (2, 3):
        of_first = [order[0] for order in permutations(range(number))]
        logs = [
            10 ** HandRanks(Counter({Place(number, weaker): 1})).figures()[0].evidence
            for weaker in of_first
        ]
        assert np.mean(logs) == pytest.approx(1)


def test_follower_is_the_hand_that_came_next_the_last_time():
    cards = np.array([LOW, HIGH, PAIR, LOW[::-1], PAIR, HIGH], np.uint8)
    round_ = np.array([1, 1, 1, 2, 2, 3])
    rows, earlier = find_followers(cards, round_, np.zeros(6, np.int64))
    assert (rows.tolist(), earlier.tolist()) == ([4], [1])
    other, _ = find_followers(cards, round_, round_)
    assert not len(other)
    alike, kinds = count_alike(np.array([PAIR, [1, 1, 60]], np.uint8), np.array([1]), np.array([0]))
    assert (alike.tolist(), kinds.tolist()) == ([2], [3])


def test_errors_that_favor_one_of_six_players_are_an_alarm():
    # each of twenty errors fell to this player, one of six with the wager: 1 in 6^20 = 10^15.6
    favors = Again(20, Counter({Draw(6, 1, 1): 20}))
    (found, _) = Errors(20, 0, favors).figures()
    assert (found.statistic, found.observed) == (FAVORED, 20)
    assert found.expected == pytest.approx(20 / 6)
    logs = [20 * (t - log(5 / 6 + exp(t) / 6)) for t in TILTS if t > 0]
    assert found.evidence == pytest.approx(float(evidence_of(np.array(logs))))
    assert found.evidence > 9
    alone = Errors(20, 0, Again(20, Counter({Draw(1, 1, 1): 20}))).figures()[0]
    assert alone.evidence == pytest.approx(0)


def test_two_errors_in_a_round_are_drawn_from_its_seats():
    # of four seats two are the player's: both errors fall to them in 1 of comb(4, 2) draws
    found = Errors(2, 0, Again(2, Counter({Draw(4, 2, 2): 1}))).figures()[0]
    mean = [(1 + 4 * exp(t) + exp(2 * t)) / comb(4, 2) for t in TILTS if t > 0]
    logs = [2 * t - log(m) for t, m in zip(TILTS[TILTS > 0], mean, strict=True)]
    assert found.evidence == pytest.approx(float(evidence_of(np.array(logs))))
