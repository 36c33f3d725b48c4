"""Odds of a filed definition: counted in the background, and shown before it is approved."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.urls import reverse

from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.filings.games.models import DefinitionOdds, RuleVersion
from compliance.filings.games.odds import (
    TOO_LONG,
    add_odds_jobs,
    combinations_of,
)
from compliance.filings.games.odds_tables import TOO_LARGE, odds_of_version
from compliance.jobs.work import do_jobs
from tests.compliance.games.filing import filed_definition, filed_rules
from tests.compliance.pages.browsing import browser_of, words
from tests.compliance.people import person_as

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
TEXT = (Path(__file__).parents[2] / "games" / "families" / "gold_rush.toml").read_text("utf-8")
GENEROUS = """
[pay_table.ante.generous]
clause = "G-2"
lines = { straight_flush = 40, three_of_a_kind = 30, straight = 6, flush = 4, pair = 2 }
"""


def filed(text: str) -> RuleVersion:
    return filed_definition(person_as(Role.SUPPLIER, "maker"), "gold-rush", text)


def test_odds_are_shown_with_a_warning_where_the_player_gains() -> None:
    with without_access_scope():
        version = filed(TEXT + GENEROUS)
        page = reverse("rule_version", args=[version.uuid])
        client = browser_of(person_as(Role.LICENSING))
        assert "Not computed yet" in words(client.get(page))
        assert add_odds_jobs()
        assert do_jobs({DefinitionOdds.JOB}) == 1
        shown = words(client.get(page))
    # 1 - 2.3167 % is returned by the published table; 3,744 of 22,100 hands are pairs
    assert "2.3167 % of the wager" in shown
    assert "-14.6244 % of the wager" in shown
    warning = "The player has the edge: Ante, under “Pay table of ante: generous”."
    assert warning in shown
    assert "Envy bonuses, jackpots and maximum payouts are not counted." in shown


def test_wager_without_a_figure_says_why() -> None:
    with without_access_scope():
        version = filed(TEXT)
        assert add_odds_jobs()
        DefinitionOdds.objects.update(
            state=DefinitionOdds.State.DONE,
            figures=[
                {"tables": {}, "readings": {}, "odds": [], "problem": ""},
                {"tables": {}, "readings": {}, "odds": [], "problem": TOO_LONG},
            ],
        )
        odds = odds_of_version(version)
    assert odds is not None
    assert odds.table is not None
    assert [row.record["how"] for row in odds.table.rows] == [TOO_LARGE, TOO_LARGE, TOO_LONG]


def test_game_between_players_has_no_odds_at_review() -> None:
    with without_access_scope():
        version = filed_rules(person_as(Role.SUPPLIER, "maker"), "texas-holdem")
        shown = words(
            browser_of(person_as(Role.LICENSING)).get(reverse("rule_version", args=[version.uuid]))
        )
    assert "Players play each other, so the house has no edge" in shown
    assert "Not computed yet" not in shown


def test_choices_that_move_money_are_counted_together() -> None:
    def counted(edge: str, **readings: str) -> dict[str, object]:
        odds = [{"wager": "main", "strategy": "none", "edge": edge}]
        return {"tables": {}, "readings": readings, "odds": odds, "problem": ""}

    # the second question changes nothing, so it is in no combination
    figures = [
        counted("0.01"),
        counted("0.02", A="one"),
        counted("0.03", A="two"),
        counted("0.01", B="other"),
        counted("0.05", C="third"),
    ]
    assert list(combinations_of(figures)) == [
        ({}, {"A": "one", "C": "third"}),
        ({}, {"A": "two", "C": "third"}),
    ]
