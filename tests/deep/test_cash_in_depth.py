"""Of 1,000 nights with planted rounds, each above the tolerance is named, and none is false."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.audits.table_records.nights import TABLES, TOLERANCE, play_night

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.deep, pytest.mark.django_db]


def test_every_planted_round_above_the_tolerance_is_named(
    record_property: Callable[[str, object], None],
) -> None:
    nights = int(os.environ.get("DEEP_CASH_NIGHTS", "1000"))
    planted = above = 0
    for number in range(nights):
        deltas, named = play_night(number, os.environ.get("DEEP_SEED", "deep"))
        assert named == {t: deltas[t] for t in TABLES if abs(deltas[t]) > TOLERANCE}, number
        planted += sum(delta != 0 for delta in deltas.values())
        above += len(named)
    record_property("tables that differ", f"{planted:,}, {above:,} above the tolerance")
