"""The generated rounds are as described: clean, rich, faulty, damaged."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.games.rounds import bad_lines, faults
from tests.games.rounds.batches import deal_batch
from tests.games.rounds.setups import random_setup
from tests.games.rounds.table import GAMES, as_line, deal_table
from tests.games.second_reading import judge_lines


@pytest.mark.parametrize("game", GAMES)
def test_a_batch_without_faults_has_no_finding(game):
    for seed in range(3):
        batch = deal_batch(game, f"clean {seed}", 30, 0)
        for line, answer in zip(batch.lines, judge_lines(batch.lines, batch.setup), strict=True):
            cites = [cite for finding in answer["findings"] for cite in finding["cites"]]
            all_fouled = cites == ["SD-I14"]  # players may do so, and nothing else is wrong
            assert answer["status"] == "ok" or all_fouled, (line, answer)


@pytest.mark.parametrize("game", GAMES)
def test_every_way_to_spoil_a_line_spoils_it(game):
    rng = Random(f"spoil {game}")
    rounds = deal_table(rng, game, "T1", 20, {})
    spoiled: Counter[str] = Counter()
    for _ in range(20):
        for round_ in rounds:
            name, line = bad_lines.spoil(rng, round_)
            spoiled[name] += 1
            assert judge_lines([line])[0]["status"] == "rejected", (name, line)
    assert len(spoiled) >= 30


@pytest.mark.parametrize("planted", faults.FAULTS, ids=lambda one: f"{one.code}-{one.name}")
def test_every_planted_fault_is_found_by_its_code(planted):
    """Eventually: a card may be replaced by its equal, and not every set-up has limits."""
    for game in planted.games:
        assert any(finds(planted, game, seed) for seed in range(150)), game


def finds(planted: faults.Fault, game: str, seed: int) -> bool:
    """Return whether the fault's own code is found in the round where it was planted."""
    rng = Random(f"{planted.name} {game} {seed}")
    setup = random_setup(rng, game, ["T1"])
    rounds = deal_table(rng, game, "T1", 3, setup)
    place = rng.randrange(1, 3)
    if not planted.plant(rng, rounds[place]):
        return False
    answer = judge_lines(map(as_line, rounds), setup)[place]
    codes = [finding["code"] for finding in answer["findings"]]
    return planted.code == "none" or any(code.startswith(planted.code) for code in codes)
