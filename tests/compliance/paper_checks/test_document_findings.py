"""The differences inside the filings of 2008, as the documents show them."""

from datetime import date

import pytest

from compliance.filings.games.checks import (
    Citation,
    OddsWager,
    aggregate_floor,
    find_low_maximum,
    find_outdated_citations,
    find_pay_table_differences,
    printed_maximum,
)
from compliance.law.values import shipped_rules
from games.rule_set import rule_set

LETTERS = date(2008, 5, 21)


def printed(slug, table, **lines):
    return {table: {**rule_set(slug).pay_tables[table].lines, **lines}}


def test_pyramid_layout_prints_fifty_for_straight_flush():
    rules = rule_set("pyramid-poker")
    layout = printed("pyramid-poker", "three_card", straight_flush=50)
    (found,) = find_pay_table_differences(rules, {"layout": layout})
    assert found.code == "document.pay_table"
    assert "straight flush is printed with 50 to 1; the rules pay 30 to 1" in found.says
    assert set(found.cites) == {"PP-28", "PP-30"}


def test_the_pick_2_layout_differs_in_two_lines():
    rules = rule_set("pick-2-poker")
    layout = {
        **printed("pick-2-poker", "bonus_3_5_five", three_of_a_kind=4),
        **printed("pick-2-poker", "bonus_3_5_three", ace_king_queen_suited=3),
    }
    says = [found.says for found in find_pay_table_differences(rules, {"layout": layout})]
    assert len(says) == 2
    assert any("three of a kind is printed with 4 to 1; the rules pay 1 to 1" in s for s in says)
    assert any("3 to 1; the rules pay 10 to 1" in s for s in says)


def test_rules_as_filed_print_every_table_and_no_other():
    rules = rule_set("pyramid-poker")
    tables = {name: dict(table.lines) for name, table in rules.pay_tables.items()}
    assert find_pay_table_differences(rules, {"rules": tables}) == []
    lacking = {"three_card": tables["three_card"], "seven_card": {"flush": 1}}
    says = " ".join(found.says for found in find_pay_table_differences(rules, {"rules": lacking}))
    assert "lack the pay table six card" in says
    assert "print a pay table seven card" in says


def test_a_missing_and_an_added_line_are_named():
    rules = rule_set("pyramid-poker")
    lines = dict(rules.pay_tables["three_card"].lines)
    del lines["flush"]
    lines["royal_pair"] = 7
    says = [f.says for f in find_pay_table_differences(rules, {"layout": {"three_card": lines}})]
    assert any("flush is missing; the rules pay 2 to 1" in each for each in says)
    assert any("royal pair is printed with 7 to 1; the rules have no such" in each for each in says)


def test_lines_that_a_table_lacks_stand_in_one_sentence():
    rules = rule_set("pyramid-poker")
    layout = {"three_card": {"straight_flush": 50, "straight": 5, "flush": 2, "one_pair": 1}}
    wrong, missing = (found.says for found in find_pay_table_differences(rules, {"layout": layout}))
    assert wrong == (
        "The layout drawing: three card, straight flush is printed with 50 to 1; "
        "the rules pay 30 to 1."
    )
    assert missing == (
        "The layout drawing: three card, 2 lines that the rules pay are missing: "
        "ace king queen suited (50 to 1), three of a kind (20 to 1)."
    )


def test_230_15_040_had_no_wager_limit_in_2008():
    limits = ("wager_house_banked",)
    cited = [Citation("WAC 230-15-040", limits), Citation("WAC 230-15-140", limits)]
    (found,) = find_outdated_citations(cited, shipped_rules(), LETTERS)
    assert found.code == "document.citation"
    assert found.cites[0] == "WAC 230-15-040"
    assert "on 2008-05-21 that stood in WAC 230-15-140(1)" in found.says


def test_law_before_recodification_had_no_wager_limit_there():
    cited = [Citation("WAC 230-15-140", ("wager_house_banked",))]
    (found,) = find_outdated_citations(cited, shipped_rules(), date(2007, 12, 31))
    assert "WAC 230-40-120" in found.says


def test_the_five_thousand_dollar_sign_fits_only_some_limits():
    (found,) = printed_maximum(500_000, "PP-30", shipped_rules(), 1_000, LETTERS)
    assert found.code == "document.limit"
    # $5,000 / 50 = $100; $5,000 / 1,000 = $5: from the rule of 2008
    assert "up to $100.00 and a smallest wager of $5.00" in found.says
    (today,) = printed_maximum(500_000, "PP-30", shipped_rules(), 1_000, date(2025, 7, 12))
    assert today.says.endswith("only for wagers up to $100.00.")


@pytest.mark.parametrize(
    ("largest", "floor"),
    [(10_000, 500_000), (20_000, 1_000_000), (30_000, 1_500_000), (40_000, 2_000_000)],
)
def test_the_floor_is_fifty_times_the_largest_wager(largest, floor):
    # the code's own example: $300 gives $15,000
    assert aggregate_floor(OddsWager("six_card", 500, largest, 1_000), "per_prize", 50) == floor


def test_minimum_wager_could_raise_the_floor_before_2021():
    wager = OddsWager("six_card", 1_000, 10_000, 1_000)
    assert aggregate_floor(wager, "per_player_and_table", 50) == 1_000_000


def test_maximum_below_floor_or_not_allowed_is_found():
    law, day = shipped_rules(), date(2025, 7, 12)
    (low,) = find_low_maximum(499_999, OddsWager("six_card", 500, 10_000, 1_000), law, day)
    assert "under $5,000.00" in low.says
    assert find_low_maximum(500_000, OddsWager("six_card", 500, 10_000, 1_000), law, day) == []
    (none,) = find_low_maximum(9_999_999, OddsWager("three_card", 500, 10_000, 40), law, day)
    assert "there may be no maximum aggregate" in none.says
