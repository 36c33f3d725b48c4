"""Findings in words: where they apply, and amounts as money."""

import pytest

from games.explanation.findings import describe_finding


@pytest.mark.parametrize(
    ("logged", "expected", "says"),
    [
        (5000, 3000, "Logged $50.00, expected $30.00: $20.00 overpaid."),
        (-100, 0, "Logged −$1.00, expected $0.00: $1.00 underpaid."),
        (123_456_789, 0, "Logged $1,234,567.89, expected $0.00: $1,234,567.89 overpaid."),
    ],
)
def test_payout_error_reads_in_dollars(logged, expected, says):
    delta = logged - expected
    words = describe_finding(
        "settlement.main", seat=1, wager="main", logged=logged, expected=expected, delta=delta
    )
    assert (words.title, words.where, words.sentence) == ("Payout error", "Seat 1, main", says)


@pytest.mark.parametrize(
    ("code", "logged", "expected", "says"),
    [
        ("limit.players", 10, 9, "Logged 10, expected 9."),
        ("limit.table_min", 400, 500, "Logged $4.00, expected $5.00."),
        ("void.result", "1234", "0", "Logged $12.34, expected $0.00."),
        ("bank.turn", None, None, ""),
    ],
)
def test_only_amounts_read_in_dollars(code, logged, expected, says):
    assert describe_finding(code, logged=logged, expected=expected).sentence == says


def test_engine_names_of_wagers_are_not_shown():
    assert describe_finding("wager.missing", seat=2, wager="bonus_3_5").where == "Seat 2, 3-5 bonus"
