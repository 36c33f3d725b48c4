"""Simulated play over `DEEP_ROUNDS` rounds: what was planted is found, and no more."""

from __future__ import annotations

import os
from fractions import Fraction

import pytest

from games.rule_set import SLUGS
from games.simulator.plan import FaultPlan
from tests.games.dealing.plans import SETUPS, dealt, found, must_be_found

ROUNDS = int(os.environ.get("DEEP_ROUNDS", "100000"))
SEED = os.environ.get("DEEP_SEED", "deep")
EACH = 10_000


@pytest.mark.deep
@pytest.mark.parametrize("rate", [Fraction(0), Fraction(1, 50)], ids=["clean", "planted"])
@pytest.mark.parametrize("game", SLUGS)
def test_everything_planted_is_found_in_depth(game, rate):
    for number in range(-(-ROUNDS // (2 * EACH))):
        setup = list(SETUPS.values())[number % len(SETUPS)]
        rounds = dealt(game, EACH, setup, seed=f"{SEED} {number}", faults=(FaultPlan(rate=rate),))
        assert found(rounds, setup) == must_be_found(rounds)
