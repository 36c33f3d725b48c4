"""Confidence sequences: right at all times at once, and no wider than they must be."""

import numpy as np
import pytest

from games.statistics.bounds import hold_bounds, rate_bounds


def test_rate_is_within_bounds_at_all_times():
    # 300 streams of a rate of 0.3, looked at 40 times: of 95 percent, the bounds never let go
    rng = np.random.default_rng(5)
    hits = rng.binomial(25, 0.3, size=(300, 40)).cumsum(axis=1)
    right = [
        all(low <= 0.3 <= high for low, high in
            (rate_bounds(int(seen), 25 * look) for look, seen in enumerate(row, 1)))
        for row in hits
    ]  # fmt: skip
    assert np.mean(right) >= 0.95


def test_bounds_are_where_the_evidence_reaches_twenty():
    # of no hits in 99: the mixture is 1/100, so (1 - p)^99 = 1/2000 at the upper bound
    assert rate_bounds(0, 99) == (0.0, pytest.approx(1 - 2000 ** (-1 / 99)))
    assert rate_bounds(99, 99) == (pytest.approx(2000 ** (-1 / 99)), 1.0)
    assert rate_bounds(0, 0) == (0.0, 1.0)


def test_hold_is_bounded_by_its_outcomes():
    # 40 percent won at even money: the house keeps 20 percent
    low, high = hold_bounds([(1.0, 40_000), (-1.0, 60_000)])
    assert low < 0.2 < high < low + 0.05
