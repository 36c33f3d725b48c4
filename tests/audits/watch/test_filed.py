"""Filed games: the cards of seats are watched by the decks of their definition."""

from __future__ import annotations

from datetime import timedelta

import pytest

from audits.watch.reads import coverage, streams
from audits.watch.writes import watch_operator
from compliance.access.scope import without_access_scope
from tests.audits.replay.nights import on_file
from tests.audits.replay.test_filed_games import EVENING, SLUG, flush, open_all_day
from tests.compliance.controls.filing import Room

pytestmark = pytest.mark.django_db


def test_repeated_hand_at_filed_game_is_an_alarm():
    with without_access_scope():
        room = Room(SLUG, open_all_day())
        rounds = [
            flush(f"r{number}", "T1", EVENING + timedelta(seconds=number % 50), 4)
            for number in range(100)
        ]
        on_file(room.party, [{**each, "dealer_id": "d-1"} for each in rounds])
        assert watch_operator(room.party)
        found = {(each.name, each.figures.statistic): each for each in streams(room.party)}
    assert coverage(room.party).uncounted == 0
    for who in ("table T1", "player p-1", "dealer d-1"):
        kings = found[f"{SLUG}: {who}: players' cards", "kings"]
        assert kings.figures.observed == 100
        assert kings.figures.expected == pytest.approx(100 * 3 / 13)
        assert kings.is_alarm
