"""Rules as data: read once, frozen, digested; anything the code lacks is rejected by name."""

from __future__ import annotations

import re

import pytest

from games.rule_set import GAMES, SLUGS, RuleSetError, every_game, read_rule_set, rule_set

PYRAMID = (GAMES / "pyramid_poker" / "rules.toml").read_text("utf-8")


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


@pytest.mark.parametrize("slug", ["pyramid-poker", "chinese-poker", "pick-2-poker"])
def test_the_commissions_games_are_approved(slug):
    assert rule_set(slug).approved


@pytest.mark.parametrize("slug", ["showdown", "casino-version"])
def test_the_designs_of_2017_are_not(slug):
    assert not rule_set(slug).approved


def test_pyramid_pokers_clauses_and_questions_are_numbered_without_a_gap():
    rules = rule_set("pyramid-poker")
    assert list(rules.clauses) == [f"PP-{number}" for number in range(1, 32)]
    questions = [id_ for id_ in rules.interpretations if id_.startswith("PP")]
    assert questions == [f"PP-I{number}" for number in range(1, 18)]


def test_pick_2_pokers_clauses_and_questions_are_numbered_without_a_gap():
    rules = rule_set("pick-2-poker")
    assert list(rules.clauses) == [f"P2-{number}" for number in range(1, 20)]
    questions = [id_ for id_ in rules.interpretations if id_.startswith("P2")]
    assert questions == [f"P2-I{number}" for number in range(1, 12)]


def test_the_limits_of_wagers_stand_in_a_regulation_and_the_rules_only_point_to_it():
    # PP-3, P2-13
    assert "230-15-140" in rule_set("pyramid-poker").clauses["PP-3"].says
    assert "230-15-140" in rule_set("pick-2-poker").clauses["P2-13"].says


def test_pai_gow_is_named_in_one_document_only():
    # PP-31
    sources = rule_set("pyramid-poker").clauses["PP-31"].sources
    assert [source.document for source in sources] == ["000"]


def test_a_digest_is_that_of_the_rules_and_not_of_their_spelling():
    rules = read_rule_set(PYRAMID)
    assert rules == rule_set("pyramid-poker")
    assert read_rule_set("# a remark\n" + PYRAMID).digest == rules.digest
    assert read_rule_set(PYRAMID.replace("straight_flush = 30", "straight_flush = 31")).digest != (
        rules.digest
    )


def test_a_rule_set_is_frozen():
    with pytest.raises(AttributeError):
        rule_set("pyramid-poker").name = "Other"
    with pytest.raises(TypeError):
        rule_set("pyramid-poker").pay_tables["three_card"].lines["flush"] = 5


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('name = "Pyramid Poker"', 'nam = "Pyramid Poker"', "`game.name` is missing"),
        ('name = "Pyramid Poker"', 'name = "Pyramid Poker"\nowner = 1', "`game.owner` is no key"),
        ('name = "Pyramid Poker"', "name = 5", "`game.name` is a text"),
        ("approved = true", 'approved = "yes"', "`game.approved` is true or false"),
        ('banked_by = "house"', 'banked_by = "nobody"', "`nobody`"),
        ('slug = "pyramid-poker"', 'slug = "poker"', "`poker`"),
        ("decks = { at_least = 6", "decks = { at_least = 6, most = 9", "`game.decks.most`"),
        ("decks = { at_least = 6", "decks = { least = 6", "`game.decks.exactly` is missing"),
        ('id = "PP-2"', 'id = "PP-1"', "`PP-1` stands twice"),
        ("mandatory = true", "mandatory = true\nspot = 1", "`wager.main.spot`"),
        ("[wager.main]", "[wagers.main]", "`wagers` is no key"),
        ("flush = 2\n", "flush = 2\nfull_house = 3\n", "full_house` is no line"),
        ("flush = 2\n", "", "`pay_table.three_card.lines.flush` is missing"),
        ("flush = 2\n", "flush = 200000\n", "N from 0 to 100,000"),
        ("flush = 2\n", "flush = -1\n", "N from 0 to 100,000"),
        ("flush = 2\n", "flush = 2.5\n", "a whole number"),
        ("[pay_table.six_card", "[pay_table.seven_card", "`seven_card` is unknown"),
        ("[layout.three_card]", "[layout.main]", "`layout.main` is no pay table"),
        ("{ straight_flush = 50 }", "{ royal = 50 }", "royal` is no line"),
        ('default = "push"', 'default = "copy"', "`copy`"),
        ("dealer_wins =", "players_win =", "`players_win` is unknown"),
        ('default = "list"', 'default = "list"\nmost = 1', "`interpretation.PP-I13.most`"),
        ("[game]", "[game", "no TOML"),
        ("{ straight_flush = 50 }", "5", "`layout.three_card.lines` is a table"),
    ],
)
def test_a_rule_set_that_says_more_or_less_than_the_code_knows_is_refused(old, new, named):
    assert old in PYRAMID
    with pytest.raises(RuleSetError, match=re.escape(named)):
        read_rule_set(PYRAMID.replace(old, new, 1) if old != "[wager.main]" else
                      PYRAMID + "\n[wagers.main]\nx = 1\n")  # fmt: skip


def test_a_choice_of_the_code_that_the_file_does_not_offer_is_missing():
    start = PYRAMID.index("[interpretation.PP-I13]")
    end = PYRAMID.index("[interpretation.PP-I14]")
    with pytest.raises(RuleSetError, match="`PP-I13` is missing"):
        read_rule_set(PYRAMID[:start] + PYRAMID[end:])


def test_no_other_game_is_known():
    with pytest.raises(RuleSetError, match="pai-gow"):
        rule_set("pai-gow")


def test_how_many_decks_a_shoe_may_hold():
    assert [rule_set("pyramid-poker").decks.allows(decks) for decks in (5, 6, 7, 100)] == [
        False, True, True, True,
    ]  # fmt: skip
    assert [rule_set("pick-2-poker").decks.allows(decks) for decks in (1, 2)] == [True, False]
