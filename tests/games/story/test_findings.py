"""Findings in plain words: every code of a round has them, and amounts read as money."""

import pytest

from games.judge.finding import CODES, SETTLEMENTS, Finding
from games.story.findings import WORDS, finding_in_words, heading

OF_A_ROUND = {code for code in CODES if not code.startswith(("night.", "document."))}


def test_every_finding_of_a_round_has_words():
    told_with_amounts = {f"settlement.{key}" for key in SETTLEMENTS}
    assert set(WORDS) == OF_A_ROUND - told_with_amounts


@pytest.mark.parametrize(
    ("logged", "expected", "says"),
    [
        (5000, 3000, "The log has $50.00, the rules give $30.00: $20.00 too much."),
        (-100, 0, "The log has −$1.00, the rules give $0.00: $1.00 too little."),
        (
            123_456_789,
            0,
            "The log has $1,234,567.89, the rules give $0.00: $1,234,567.89 too much.",
        ),
    ],
)
def test_a_wrong_settlement_is_told_in_dollars(logged, expected, says):
    finding = Finding("settlement.main", 1, "main", logged, expected, logged - expected)
    assert finding_in_words(finding) == says
    assert heading(finding) == "settlement.main (money, seat 1, main)"


def test_numbers_that_are_no_money_are_told_as_they_are():
    finding = Finding("limit.players", logged=10, expected=9)
    assert finding_in_words(finding).endswith("(logged 10, expected 9)")
    finding = Finding("limit.table_min", 2, "main", 400, 500)
    assert finding_in_words(finding).endswith("(logged $4.00, expected $5.00)")
    assert heading(finding) == "limit.table_min (money, seat 2, main)"
