"""Hints: what is unusual about the times and amounts of a log, and never an alarm."""

from collections import Counter

import numpy as np
import pytest

from games.statistics.records import Amount, Records

CHANCE = np.random.default_rng(20251120)


def usual(rounds=2_000):
    seconds = CHANCE.integers(0, 10, rounds).tolist()
    steps = CHANCE.integers(40, 120, rounds - 1).tolist()
    return Records(
        rounds=rounds, seconds=sum(steps), ends=Counter(seconds), steps=Counter(steps),
        amounts=Counter(Amount(3, digit) for digit in CHANCE.integers(1, 10, rounds).tolist()),
    )  # fmt: skip


def hints(records):
    return [each.what for each in records.hints()]


def test_usual_table_has_no_hints():
    assert hints(usual()) == []


def test_times_at_full_minutes_are_named():
    records = usual()
    records.ends, records.steps = Counter({0: 2_000}), Counter({60: 1_500, 120: 499})
    assert hints(records) == ["Round times", "Equal times between rounds"]


def test_pace_that_no_dealer_has_is_named():
    records = usual()
    records.seconds = 2_000 * 20
    assert hints(records) == ["Rounds per hour"]


def test_few_rounds_show_nothing():
    assert hints(Records(rounds=50, seconds=50, ends=Counter({0: 50}))) == []


def test_benford_applies_only_to_amounts_of_many_sizes():
    fits = Counter(
        Amount(size, digit)
        for size in range(3, 7)
        for digit in range(1, 10)
        for _ in range(round(1_000 * np.log10(1 + 1 / digit)))
    )
    assert Records(amounts=fits).from_benford() == pytest.approx(0, abs=0.001)
    assert Records(amounts=Counter({Amount(3, 5): 5_000})).from_benford() is None
    even = Counter({Amount(size, digit): 300 for size in range(3, 7) for digit in range(1, 10)})
    # |1/9 - log10(1 + 1/d)| over the nine digits
    assert Records(amounts=even).from_benford() == pytest.approx(0.0598, abs=0.0005)
    assert hints(Records(amounts=even)) == ["First digits of amounts"]


def test_hold_and_its_spread_come_from_the_rounds():
    # the house won $10 and lost $4 in two rounds, of $100 wagered; the mean is $3, so $7 away each
    records = Records(rounds=2, wagered=10_000, won=600, squares=10**2 + 4**2)
    assert records.hold == pytest.approx(0.06)
    assert records.spread == pytest.approx(100 * 7 * 2**0.5)
