"""Engine and second reading over `DEEP_ROUNDS` rounds."""

from __future__ import annotations

import os

import pytest

from tests.games.both_readings import assert_agreement
from tests.games.rounds.batches import MIXED, deal_batch
from tests.games.rounds.mutilation import mutilated_batch
from tests.games.rounds.table import GAMES

ROUNDS = int(os.environ.get("DEEP_ROUNDS", "100000"))
SEED = os.environ.get("DEEP_SEED", "deep")
EACH = 2000


@pytest.mark.deep
@pytest.mark.parametrize("game", [*GAMES, MIXED])
def test_both_readings_agree_in_depth(game, tmp_path):
    for number in range(-(-ROUNDS // (EACH * (len(GAMES) + 1)))):
        assert_agreement(deal_batch(game, f"{SEED} {number}", EACH, fault_rate=0.3), tmp_path)


@pytest.mark.deep
@pytest.mark.parametrize("game", GAMES)
def test_both_readings_agree_on_mutilated_lines_in_depth(game, tmp_path):
    for number in range(-(-ROUNDS // (EACH * len(GAMES)))):
        assert_agreement(mutilated_batch(game, f"{SEED} {number}", EACH), tmp_path)
