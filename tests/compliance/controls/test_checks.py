"""Each check finds what it is for, cites its rule, and is silent on good controls."""

from datetime import date

import pytest

from compliance.filings.controls.checks import CheckedControls, problems_of
from compliance.filings.controls.content import read_content
from compliance.law.values import shipped_rules
from games.rule_set import SLUGS, rule_set
from tests.compliance.controls.examples import GOOD, changed

DAY = date(2025, 7, 12)
SIX = "games/pyramid-poker/tables/T1/six_card"


RULES = {slug: rule_set(slug) for slug in SLUGS}


def problems(data, on=DAY, *, tribal=False, cap=None):
    content, unreadable = read_content(data)
    assert unreadable == []
    checked = CheckedControls(
        content=content, law=shipped_rules(), on=on, tribal=tribal, cap=cap, rules=RULES
    )
    return problems_of(checked)


def test_good_controls_have_no_problem():
    assert problems(GOOD) == []


@pytest.mark.parametrize(
    ("path", "value", "place", "cites"),
    [
        ("texts/surveillance", "", "texts.surveillance", "WAC 230-15-430"),
        ("texts/tips", ..., "texts.tips", "WAC 230-15-430"),
        ("hours", {}, "hours", "WAC 230-15-025"),
        (  # Friday continues until four on Saturday
            "hours/saturday",
            ["03:59", "12:00"],
            "hours.saturday",
            "WAC 230-15-025",
        ),
        ("games", {}, "games", "WAC 230-15-425"),
        ("games/star-poker", {"tables": {"T9": {}}}, "games.star-poker", ""),
        ("games/pyramid-poker/tables", {}, "games.pyramid-poker.tables", ""),
        (SIX, ..., "games.pyramid-poker.tables.T1.six_card", "WAC 230-15-060"),
        (
            "games/pyramid-poker/tables/T1/seven_card",
            [1, 2],
            "games.pyramid-poker.tables.T1.seven_card",
            "",
        ),
        (
            "games/pyramid-poker/tables/T1/main",
            [500, 40_001],
            "games.pyramid-poker.tables.T1.main",
            "WAC 230-15-140(1)",
        ),
        (
            "games/pick-2-poker/tables/T2/ante",
            [500, 20_001],
            "games.pick-2-poker.tables.T2.ante",
            "WAC 230-15-140(1), P2-4",
        ),
        (
            "games/pyramid-poker/interpretations",
            {"PP-I1": "player_wins"},
            "games.pyramid-poker.interpretations.PP-I1",
            "",
        ),
        (
            "games/pyramid-poker/interpretations",
            {"P2-I1": "both_win"},
            "games.pyramid-poker.interpretations.P2-I1",
            "",
        ),
        (
            "games/pyramid-poker/max_aggregate",
            500_000,
            "games.pyramid-poker.max_aggregate",
            "WAC 230-15-490(2), (3)(a)",
        ),
        (
            "games/pyramid-poker/max_aggregate",
            {"six_card": 499_999},
            "games.pyramid-poker.max_aggregate.six_card",
            "WAC 230-15-490(3)(b)",
        ),
        (
            "games/pyramid-poker/max_aggregate",
            {"main": 500_000},
            "games.pyramid-poker.max_aggregate.main",
            "",
        ),
        (
            "games/chinese-poker",
            {"tables": {"T3": {}}},
            "games.chinese-poker.chinese",
            "CP-13",
        ),
        (
            "games/chinese-poker",
            {"tables": {"T3": {}}, "chinese": {"largest_unit": 1_001}},
            "games.chinese-poker.chinese.largest_unit",
            "CP-3",
        ),
        (
            "games/chinese-poker",
            {"tables": {"T3": {}}, "chinese": {"scoring": ["3-9"]}},
            "games.chinese-poker.chinese.scoring",
            "CP-8",
        ),
    ],
)
def test_one_fault_is_one_problem_with_place_and_rule(path, value, place, cites):
    found = problems(changed(path, value))
    assert [(each.place, each.cites) for each in found] == [(place, cites)]
    assert found[0].says.endswith(".")


def test_the_antes_ceiling_is_half_the_cap_of_its_day():
    # half of $300 before 2023-09-25, half of $400 since: from the regulation's own arithmetic
    data = changed("games/pick-2-poker/tables/T2/ante", [500, 15_001])
    data["games"] = {"pick-2-poker": data["games"]["pick-2-poker"]}
    data["games"]["pick-2-poker"]["tables"]["T2"]["play"] = [500, 30_000]
    assert problems(data, date(2023, 9, 25)) == []
    (found,) = problems(data, date(2023, 9, 24))
    assert "above the cap of $300.00" in found.says


def test_tribal_limits_follow_the_compact_alone():
    data = changed("games/pyramid-poker/tables/T1/main", [500, 50_000])
    assert problems(data, tribal=True, cap=50_000) == []
    (found,) = problems(data, tribal=True, cap=49_999)
    assert found.cites == "the compact"


def test_an_unknown_cap_is_neither_kept_nor_broken():
    data = changed("games/pyramid-poker/tables/T1/main", [500, 99_900])
    data["games"]["pyramid-poker"]["max_aggregate"] = None
    del data["games"]["pick-2-poker"]
    assert problems(data, date(2005, 6, 1)) == []


@pytest.mark.parametrize(
    ("data", "place"),
    [
        ([], ""),
        ({"texts": []}, "texts"),
        ({"texts": {"poetry": "x"}}, "texts.poetry"),
        ({"texts": {"tips": 5}}, "texts.tips"),
        ({"texts": {"tips": "x" * 100_001}}, "texts.tips"),
        ({"hours": {"funday": None}}, "hours.funday"),
        ({"hours": {"friday": ["10:00"]}}, "hours.friday"),
        ({"hours": {"friday": ["25:00", "26:00"]}}, "hours.friday.0"),
        ({"cut_off": 6}, "cut_off"),
        ({"submission_hours": 6.5}, "submission_hours"),
        ({"submission_hours": True}, "submission_hours"),
        ({"void_reasons": "power"}, "void_reasons"),
        ({"games": {"pyramid-poker": 7}}, "games.pyramid-poker"),
        (
            {"games": {"pyramid-poker": {"tables": {"T1": {"main": [9, 1]}}}}},
            "games.pyramid-poker.tables.T1.main",
        ),
        (
            {"games": {"pyramid-poker": {"tables": {"T1": {"main": [1.5, 2]}}}}},
            "games.pyramid-poker.tables.T1.main.0",
        ),
        ({"color": "red"}, "color"),
    ],
    ids=range(16),
)
def test_what_cannot_be_read_is_named_by_its_place(data, place):
    _, unreadable = read_content(data)
    assert place in {each.place for each in unreadable}
