"""The demonstration night at full size, audited as a user does it: by `manage.py audit`."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from audits.demonstration.plan import NIGHT, PACE, logs, on
from tests.project.demonstration import alarms_of, assert_found_what_was_planted

if TYPE_CHECKING:
    from tests.installation import Installation

pytestmark = pytest.mark.usefixtures("kernels")

LEAST_ROUNDS = 200_000


@pytest.mark.deep
def test_whole_night_finds_exactly_the_planted_faults(
    installation: Installation,
) -> None:
    rounds = sum(
        1
        for log in logs()
        for sheet, _ in log.rounds()
        if on(NIGHT, 6) <= sheet.plan.opening < on(NIGHT, 6) + timedelta(days=1)
    )
    assert rounds >= LEAST_ROUNDS
    audited = installation.manage("audit", seconds=1800)
    assert audited.returncode == 0, audited.stderr
    assert f"Rounds audited    {rounds:,} at 18 tables" in audited.stdout
    assert_found_what_was_planted(installation, PACE)
    # two aces of spades are gone from the shoe of one table: no rule is broken, the watch sees it
    cards = {each for each in alarms_of(installation) if each[1] == "watch.cards"}
    assert ("harbor", "watch.cards", "pyramid-poker: table H1: all cards") in cards
    assert {operator for operator, _, _ in cards} == {"harbor"}
