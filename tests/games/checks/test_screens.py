"""A screen never passes a round that its check flags; of whole runs, planted faults prove it."""

from __future__ import annotations

import io
import json
from collections import Counter
from fractions import Fraction
from importlib import import_module

import numpy as np
import pytest

from games.checks import CHECKS
from games.log.reader import ColumnReader
from games.rule_set import SLUGS
from games.screens.run import SCREENS
from games.screens.words import Words
from games.setup import read_setup
from games.simulator.plan import FaultPlan
from games.terms import ColumnTerms, Terms
from tests.games.dealing.plans import SETUPS, dealt, log_of
from tests.games.rounds.batches import deal_batch

SCREENED = [check for check in CHECKS if check.screen is not None]


def logs_of(game):
    """Yield logs with planted faults, and with rounds of random set-ups."""
    for setup in SETUPS.values():
        faults = tuple(FaultPlan(name=one.code, rate=Fraction(1, 10)) for one in SCREENED)
        yield log_of(dealt(game, 300, setup, seed="screens", faults=faults)), setup
    for seed in ("one", "two"):
        batch = deal_batch(game, f"screens {seed}", 150, fault_rate=0.4)
        yield b"".join(batch.lines), batch.setup


def flagged(check, columns, terms):
    """Return which rounds a check flags, whatever came before them."""
    one = Terms(terms.setup, terms.rules)
    return np.array([any(True for _ in check.find(columns.round(row), one))
                     for row in range(len(columns))])  # fmt: skip


@pytest.mark.parametrize("game", SLUGS)
def test_screen_passes_nothing_its_check_flags(game):
    counts = Counter()
    for log, given in logs_of(game):
        setup = read_setup(json.dumps(given))
        whole = import_module(f"games.screens.{SCREENS[game]}").Screen(setup)
        for block in ColumnReader(io.BytesIO(log)).blocks():
            for columns in block.columns:
                words = Words()
                tables = words.codes(columns.rounds.texts["table"])
                terms = ColumnTerms(setup, setup.rules(game), tables, words.words())
                all_certain = np.ones(len(columns), np.uint8)
                for check in SCREENED:
                    certain = np.ones(len(columns), np.uint8)
                    check.screen(columns, terms, certain)
                    all_certain &= certain
                    if (game, check.code) != ("pyramid-poker", "deal.duplicate"):  # in its own
                        assert not (flagged(check, columns, terms) & (certain == 1)).any()
                whole.sift(columns, all_certain)
                for check in CHECKS:
                    wrong = flagged(check, columns, terms)
                    assert not (wrong & (all_certain == 1)).any(), check.code
                    counts[check.code] += int(wrong.sum())
                counts["certain"] += int(all_certain.sum())
    assert sum(counts[check.code] for check in SCREENED) > 50
    assert counts["certain"] > 500
