"""Controls name a game that a supplier filed, with the wagers and pay tables of its definition."""

from __future__ import annotations

import json

import pytest
from django.core.management import call_command
from django.urls import reverse

from compliance.access.scope import without_access_scope
from compliance.filings.controls.reads import find_problems
from compliance.in_effect.reads import find_terms
from games.commands.definitions import definition_named
from tests.compliance.controls.filing import Room, local, only_three_card_poker
from tests.compliance.pages.browsing import browser_of, words

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
SLUG = "three-card-poker"
NIGHT = local(2025, 7, 12, 22)


@pytest.fixture
def room():
    with without_access_scope():
        yield Room(SLUG, only_three_card_poker())


def says(room, content):
    return {each.place: each.says for each in find_problems(room.party, content, NIGHT.date())}


def test_terms_name_the_definition_and_each_tables_pay_table(room):
    found = {
        table: find_terms(operator=room.party, game=SLUG, table=table, at=NIGHT)
        for table in ("T1", "T2")
    }
    assert [each.authorized for each in found.values()] == [True, True]
    names = [each.pay_tables["pair_plus"].name for each in found.values()]
    assert names == ["standard", "flush_3"]
    assert found["T1"].definition == definition_named(SLUG).digest
    assert found["T2"].limits["pair_plus"] == (100, 5_000)


def test_command_answers_for_a_filed_game(room, capsys):
    call_command(
        "in_effect",
        operator=room.party.code,
        game=SLUG,
        table="T2",
        at=NIGHT.isoformat(),
        json=True,
    )
    found = json.loads(capsys.readouterr().out)
    assert (found["v"], found["authorized"]) == (2, True)
    assert found["definition"] == definition_named(SLUG).digest
    assert found["pay_tables"]["pair_plus"]["name"] == "flush_3"
    assert found["interpretations"] == {"TC-I1": "push"}


def test_unknown_wager_and_table_without_limits_are_named(room):
    content = only_three_card_poker()
    content["games"][SLUG]["tables"]["T1"] = {"ante": [500, 1000], "main": [500, 1000]}
    content["games"]["faro"] = {"tables": {"T9": {}}}
    found = says(room, content)
    assert found[f"games.{SLUG}.tables.T1.main"] == "Three Card Poker has no wager “main”."
    assert found["games.faro"] == "No game “faro” is approved. Take it out."


def test_limit_above_the_cap_of_the_law_is_a_problem(room):
    content = only_three_card_poker()
    content["games"][SLUG]["tables"]["T1"]["ante"] = [500, 40_001]
    assert "$400.01 is above the cap" in says(room, content)[f"games.{SLUG}.tables.T1.ante"]


def test_draft_offers_the_game_and_its_form(room):
    client = browser_of(room.manager)
    page = words(client.get(reverse("controls_draft", args=[room.party.code])))
    assert "Three Card Poker" in page
    section = reverse("controls_section", args=[room.party.code, f"games.{SLUG}"])
    answer = client.get(section)
    assert "minimum of pair plus in dollars" in answer.content.decode()
    page = words(answer)
    assert "flush_3" in page
    assert "TC-I1: Do equal hands return the ante and play wagers?" in page
    unknown = reverse("controls_section", args=[room.party.code, "games.faro"])
    assert client.get(unknown).status_code == 404
