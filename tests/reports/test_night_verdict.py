"""The heading of a night: whether players' money is concerned, and in how many rounds."""

from __future__ import annotations

from typing import Any

import pytest

from compliance.access.scope import without_access_scope
from reports.documents.nightly import verdict
from reports.schedules.making import make_report
from tests.audits.replay.nights import dealt, on_file
from tests.compliance.controls.filing import Room
from tests.reports.nights import about, closed, inputs_of, replayed

pytestmark = pytest.mark.anywhere


def night(*weights: str, **figures: int) -> dict[str, Any]:
    nothing = {"rounds": 10, "flagged": 1, "received": 0, "owed": 0, "rejected": 0}
    return {
        "operator": "The room",
        "day": "2025-07-12",
        "logs": [{}],
        "lacking": [],
        "figures": nothing | figures,
        "issues": [{"weight": weight} for weight in weights],
    }


@pytest.mark.parametrize(
    ("figures", "heading", "money"),
    [
        (night("money", received=5000), "Apparent violations, with money", "overpaid $50.00"),
        # A void round's result has the severity of procedure, but money changed hands.
        (night("procedure", received=5000), "Apparent violations, with money", "overpaid $50.00"),
        (night("procedure"), "Apparent violations of procedure", "no player was overpaid"),
        # A wager over a limit, or the house's own, has the severity of money, but isn't a player's.
        (night("money"), "Apparent violations", "no player was overpaid"),
        (night(flagged=0), "No apparent violation", "0 have findings"),
    ],
)
def test_verdict_states_money_players_received(figures, heading, money):
    values = verdict(figures)
    assert values.heading == heading
    assert money in values.says


def test_numbers_agree_with_their_words():
    assert "1 round was audited; 1 has findings" in verdict(night("procedure", rounds=1)).says


@pytest.mark.django_db
def test_a_round_that_could_not_be_settled_is_one_with_findings():
    room = Room()
    rounds = dealt(6, tables=("T1",))
    rounds[2]["house"]["cards"] = rounds[2]["house"]["cards"][:5]  # two cards
    with without_access_scope():
        on_file(room.party, rounds)
    replayed(room.party)
    day = closed(room.party)
    with without_access_scope():
        report = make_report(kind="nightly", about=about(day))
    data = inputs_of(report)["data"]
    assert "irregular" in [each["code"] for issue in data["issues"] for each in issue["codes"]]
    assert data["figures"]["flagged"] == 1
