"""`rules GAME` prints everything in the rule set, in narrow windows too."""

import json

import pytest

from games.commands import rules
from games.commands.rules import rules_page
from games.rule_set import SLUGS, rule_set


@pytest.mark.parametrize("game", SLUGS)
def test_every_clause_wager_line_and_reading_is_printed(game, capsys):
    assert rules.run([game]) == 0
    page = " ".join(capsys.readouterr().out.split())
    rule_set_ = rule_set(game)
    for clause in rule_set_.clauses.values():
        assert f"{clause.id} {clause.says}" in page
    for item in rule_set_.interpretations.values():
        assert f"{item.id} {item.asks}" in page
        for name, says in item.readings.items():
            assert f"- {name}" in page
            assert says in page
    for table in rule_set_.pay_tables.values():
        for line, to in table.lines.items():
            assert f"{line} {to} to 1" in page
    for points in rule_set_.points.values():
        for line, to in points.lines.items():
            assert f"{line} {to}" in page


def test_a_layout_that_differs_is_shown_as_not_approved(capsys):
    rules.run(["pyramid-poker"])
    page = " ".join(capsys.readouterr().out.split())
    assert "The layout drawing, not approved, prints straight_flush 50 to 1 (PP-30)." in page


@pytest.mark.parametrize("game", SLUGS)
@pytest.mark.parametrize("width", [40, 80])
def test_no_line_is_wider_than_the_window(game, width):
    wide = [line for line in rules_page(rule_set(game), width) if len(line) > width]
    # a digest can't be broken, nor the few rows of a table with long names
    assert [line for line in wide if not line.startswith(("Rule set ", "  "))] == []


@pytest.mark.parametrize("game", SLUGS)
def test_as_data_the_digest_names_the_rule_set(game, capsys):
    assert rules.run([game, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["digest"] == rule_set(game).digest
    assert [clause["id"] for clause in data["clauses"]] == list(rule_set(game).clauses)


def test_unknown_game_is_rejected_with_the_known_ones(capsys):
    with pytest.raises(SystemExit) as refused:
        rules.run(["poker"])
    assert refused.value.code == 2
    assert "chinese-poker" in capsys.readouterr().err
