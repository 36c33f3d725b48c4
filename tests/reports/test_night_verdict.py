"""The rating of a night: what asks for action, whose money it is, and in how many rounds."""

from __future__ import annotations

from typing import Any

import pytest

from compliance.access.scope import without_access_scope
from reports.documents.nightly import clean, rating
from reports.schedules.making import make_report
from tests.audits.replay.nights import dealt, on_file
from tests.compliance.controls.filing import Room
from tests.reports.nights import about, closed, inputs_of, replayed

pytestmark = pytest.mark.anywhere


def issue(weight: str, code: str = "wager.missing", **money: list[int]) -> dict[str, Any]:
    nothing = {"players": [0, 0], "house": [0, 0], "table": [0, 0]}
    return {"weight": weight, "codes": [{"code": code}], "money": nothing | money}


def night(*issues: dict[str, Any], **figures: int) -> dict[str, Any]:
    counts = {"rounds": 10, "flagged": len(issues), "rejected": 0, "games": ["Pyramid Poker"]}
    return {
        "logs": [{}],
        "lacking": [],
        "performance": {"tables": [{"table": "T1", "findings": len(issues)}]},
        "figures": counts | figures,
        "issues": list(issues),
    }


@pytest.mark.parametrize(
    ("data", "heading", "money"),
    [
        (night(issue("money", players=[5000, 0])), "Action required", "Players overpaid $50.00."),
        # A void round's result has the severity of procedure, but money changed hands.
        (night(issue("procedure", players=[0, 100])), "Action required", "Players underpaid $1.00"),
        # The house's own wager and a table's balance are never added to players' money.
        (
            night(issue("money", players=[100, 0], house=[200, 0], table=[0, 300])),
            "Action required",
            "Players overpaid $1.00; the house overpaid $2.00; tables in total underpaid $3.00.",
        ),
        (night(issue("procedure")), "Action required", "No amount was paid wrong"),
        (night(issue("notice")), "Attention", "No amount was paid wrong"),
        (night(rejected=2), "Attention", "No amount was paid wrong"),
        (night(), "Satisfactory", "0 have findings."),
        (night(rounds=0), "Not audited", "No round of this day is on file."),
    ],
)
def test_rating_states_whose_money_was_paid_wrong(data, heading, money):
    values = rating(data)
    assert values.heading == f"Rating: {heading}"
    assert money in values.says


def test_numbers_agree_with_their_words():
    says = rating(night(issue("procedure"), rounds=1)).says
    assert says.startswith("1 round at 1 table (Pyramid Poker); 1 has findings, in 1 issue.")


def test_clean_names_what_has_no_finding():
    says = clean(night(issue("procedure", "wager.missing"), flagged=4))
    assert "payouts" in says
    assert "wagers" not in says
    assert says.endswith("6 rounds without any finding.")
    assert clean(night()) == "every round, at every table."


@pytest.mark.django_db
def test_unsettled_round_counts_as_having_findings():
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
