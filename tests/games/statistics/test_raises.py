"""Wagers that grow with the shoe are found; wagers that follow anything else are not."""

import numpy as np
import pytest

from games.statistics.cards import Draw, distribution
from games.statistics.evidence import ALARM, TILTS
from games.statistics.raises import MILLIONTH, Raises, later_raises, weigh_rounds

SEEDED = 20251120
ROUNDS, SEATS = 12, 6
"""Rounds of a shoe of six decks; six players and the dealer have three cards each."""


def deal(shoes, wager):
    """Return the evidence on the first player, whose wager follows from what it has seen."""
    chance = np.random.default_rng(SEEDED)
    amounts, shoe_of, seen, draws = [], [], [], []
    for shoe in range(shoes):
        high = (chance.permutation(312) < 120)[: ROUNDS * 3 * (SEATS + 1)]
        hands = high.reshape(ROUNDS, SEATS + 1, 3).sum(axis=2)
        for round_ in range(ROUNDS):
            before = int(hands[:round_].sum())
            own = int(hands[round_, 0] + hands[round_, SEATS])
            amounts.append(wager(before, round_, hands[round_ - 1] if round_ else None))
            shoe_of.append(shoe)
            seen.append(int(hands[round_, 1:SEATS].sum()))
            draws.append((312 - 21 * round_ - 6, 120 - before - own, 3 * (SEATS - 1)))
    raises = weigh_rounds(later_raises(amounts, shoe_of), np.array(seen), np.array(draws))
    return raises.figures()[0]


def counting(before, round_, _last):
    return 10_000 if before < 21 * round_ * 120 / 312 - 2 else 2_500


def against_high_cards(before, round_, _last):
    return 2_500 if before < 21 * round_ * 120 / 312 - 2 else 10_000


@pytest.mark.parametrize(("wager", "sign"), [(counting, 1), (against_high_cards, -1)])
def test_wagers_that_follow_the_shoe_are_found(wager, sign):
    figures = deal(150, wager)
    assert figures.evidence > ALARM
    assert figures.observed * sign > 0


@pytest.mark.parametrize(
    "wager",
    [
        lambda before, round_, last: 2_500,
        lambda before, round_, last: 2_500 * (1 + round_ % 4),
        # raises after a hand better than the dealer's, as a player who follows luck does
        lambda before, round_, last: 10_000 if last is not None and last[0] > last[-1] else 2_500,
    ],
    ids=["always alike", "by the clock", "after a good hand"],
)
def test_wagers_that_do_not_are_no_evidence(wager):
    assert deal(400, wager).evidence < 3


def test_fair_round_wins_nothing_on_average():
    # the mean of each tilt's ratio over all that others may be dealt is 1
    draw, weight = Draw(200, 80, 15), np.array([0.5])
    values, chances = distribution(draw)
    logs = []
    for seen in values.astype(int):
        raises = weigh_rounds(weight, np.array([seen]), np.array([[200, 80, 15]]))
        logs.append((raises.away * TILTS - raises.sums[1:]) / MILLIONTH)
    assert np.exp(logs).T @ chances == pytest.approx(np.ones(len(TILTS)), rel=1e-4)


def test_what_counts_is_wagered_later_in_the_same_shoe():
    # usual is 100, 100, and then the cube root of 2 million: raises of 4 and -1 eighths
    found = later_raises([100, 100, 200, 100], [0, 0, 0, 1])
    raised = np.array([0, 0, 4, -1]) / 8
    raised -= raised.mean()
    expected = [-(raised[1] + raised[2]) / 3, -raised[2] / 3, 0, 0]
    assert found == pytest.approx(np.array(expected))


def test_raises_are_subtracted_exactly():
    one = Raises(500_000, np.arange(1 + len(TILTS)))
    total = Raises()
    total.add(one)
    total.add(one)
    total.add(one, -1)
    assert total.away == one.away
    assert (total.sums == one.sums).all()
