"""Rule sets of the built-in games: complete, frozen, and of known games only."""

from __future__ import annotations

import pytest

from games.rule_set import SLUGS, RuleSetError, every_game, rule_set


@pytest.mark.parametrize("slug", SLUGS)
def test_a_games_rules_are_read(slug):
    rules = rule_set(slug)
    assert rules.slug == slug
    assert all(clause.id.startswith(rules.letters + "-") for clause in rules.clauses.values())
    assert all(clause.says.endswith(".") for clause in rules.clauses.values())
    assert all(clause.sources for clause in rules.clauses.values())
    assert set(every_game()) <= set(rules.interpretations)
    for table in rules.pay_tables.values():
        assert table.clause in rules.clauses


@pytest.mark.parametrize("slug", ["pyramid-poker", "pick-2-poker"])
def test_a_pay_table_belongs_to_a_wager_on_odds(slug):
    rules = rule_set(slug)
    assert {table.wager for table in rules.pay_tables.values()} == {
        key for key, wager in rules.wagers.items() if wager.odds_based
    }


def test_pyramid_poker_clauses_are_numbered_without_gaps():
    rules = rule_set("pyramid-poker")
    assert list(rules.clauses) == [f"PP-{number}" for number in range(1, 32)]
    questions = [id_ for id_ in rules.interpretations if id_.startswith("PP")]
    assert questions == [f"PP-I{number}" for number in range(1, 18)]


def test_pick_2_clauses_are_numbered_without_gaps():
    rules = rule_set("pick-2-poker")
    assert list(rules.clauses) == [f"P2-{number}" for number in range(1, 20)]
    questions = [id_ for id_ in rules.interpretations if id_.startswith("P2")]
    assert questions == [f"P2-I{number}" for number in range(1, 12)]


def test_wager_limits_are_law_and_rules_only_cite_them():
    # PP-3, P2-13
    assert "230-15-140" in rule_set("pyramid-poker").clauses["PP-3"].says
    assert "230-15-140" in rule_set("pick-2-poker").clauses["P2-13"].says


def test_a_rule_set_is_frozen():
    with pytest.raises(AttributeError):
        rule_set("pyramid-poker").name = "Other"
    with pytest.raises(TypeError):
        rule_set("pyramid-poker").pay_tables["three_card"].lines["flush"] = 5


def test_no_other_game_is_known():
    with pytest.raises(RuleSetError, match="pai-gow"):
        rule_set("pai-gow")


def test_how_many_decks_a_shoe_may_hold():
    assert [rule_set("pyramid-poker").decks.allows(decks) for decks in (5, 6, 7, 100)] == [
        False, True, True, True,
    ]  # fmt: skip
    assert [rule_set("pick-2-poker").decks.allows(decks) for decks in (1, 2)] == [True, False]
