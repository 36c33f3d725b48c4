"""A definition is filed as data, checked with every problem shown, and approved by its digest."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.digests import state_digest
from compliance.filings.documents.models import Document
from compliance.filings.documents.writes import file_document
from compliance.filings.games.models import Game, RuleVersion
from compliance.filings.games.named_tables import named_pay_tables, odds_in_words
from compliance.filings.games.writes import file_game
from compliance.filings.licenses.models import LicenseClass
from compliance.filings.requests.writes import approve_request, take_step
from compliance.in_effect.reads import find_terms
from compliance.retention.verification import kept_files
from games.definition import read_definition
from games.rule_set import GAMES
from tests.compliance.controls.filing import licensed, local
from tests.compliance.documents.filed_documents import pdf
from tests.compliance.games.filing import asked, readings
from tests.compliance.pages.browsing import browser_of, words
from tests.compliance.people import party_for, person_as

if TYPE_CHECKING:
    from pathlib import Path

    from compliance.access.models import Person

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
TEXT = (GAMES / "three_card_poker" / "definition.toml").read_text("utf-8")
ROUNDED = '\n[rounding]\nstep = 1\ndirection = "down"\nclause = "TC-9"\n'
SLUG = "three-card-poker"


@pytest.fixture
def maker() -> Person:
    return person_as(Role.SUPPLIER, "maker")


def sent(maker: Person, folder: Path, text: str) -> tuple[Any, Any]:
    """File the game and send the form of a version with this definition; return the browser too."""
    supplier = party_for(Role.SUPPLIER, "maker")
    file_game(
        slug=SLUG,
        name="Three Card Poker",
        banked_by=Game.Banking.HOUSE,
        supplier=supplier,
        by=maker,
    )
    rules = file_document(
        owner=supplier,
        kind=Document.Kind.RULES_OF_PLAY,
        title="Rules",
        papers=[pdf(folder, "rules")],
        evidence_date=date(2025, 1, 2),
        by=maker,
    )
    data = {
        "rules": [rules.uuid],
        "as_of": "2025-01-02",
        "definition": SimpleUploadedFile("definition.toml", text.encode()),
    }
    client = browser_of(maker)
    return client, client.post(reverse("new_rule_version", args=[SLUG]), data | {"file": ""})


def test_definition_is_kept_by_digest_and_shown(maker: Person, tmp_path: Path) -> None:
    with without_access_scope():
        client, answer = sent(maker, tmp_path, TEXT)
        assert answer.status_code == 302, words(answer)
        version = RuleVersion.objects.get()
        assert version.definition == read_definition(TEXT).digest
        assert version.definition_file in {each.digest for each in kept_files()}
    page = words(client.get(answer.url))
    assert str(version.definition) in page
    assert "pair plus, standard, straight flush: 40 to 1" in page
    assert "Equal hands push: settles as written" in page
    assert "TC-I1 Do equal hands return the ante and play wagers? the approver chooses" in page


def test_all_problems_of_a_definition_are_shown(maker: Person, tmp_path: Path) -> None:
    wrong = TEXT.replace('slug = "three-card-poker"', "slug = 3").replace(
        "jokers = 0", "jokers = -1"
    )
    with without_access_scope():
        _, answer = sent(maker, tmp_path, wrong)
        assert not RuleVersion.objects.exists()
    assert answer.status_code == 422
    assert "game.slug" in words(answer)
    assert "jokers" in words(answer)


def test_failing_example_is_refused_by_name(maker: Person, tmp_path: Path) -> None:
    """The dealer has no queen: the ante of 500 wins 500, not 501 (TC-5)."""
    wrong = TEXT.replace("result = { ante = 500, play = 0,", "result = { ante = 501, play = 0,", 1)
    with without_access_scope():
        _, answer = sent(maker, tmp_path, wrong)
        assert not RuleVersion.objects.exists()
    assert answer.status_code == 422
    assert "The dealer does not play" in words(answer)
    assert "the example has 501, the rules give 500" in words(answer)


def test_definition_is_approved_with_its_questions(maker: Person, tmp_path: Path) -> None:
    officer = person_as(Role.LICENSING)
    with without_access_scope():
        licensed(party_for(Role.SUPPLIER, "maker"), LicenseClass.MANUFACTURER, officer)
        sent(maker, tmp_path, TEXT)
        version = RuleVersion.objects.get()
        request = asked(maker, version)
        take_step(request=request, name="review", reason="complete", by=officer)
        (question,) = readings(version)
        assert question.id == "TC-I1"
        approve_request(
            request=request, seen=state_digest(version), interpretations=[question], by=officer
        )
        room = party_for(Role.OPERATOR_MANAGER, "room")
        found = find_terms(operator=room, game=SLUG, table=None, at=local(2199, 1, 1, 12))
    assert found.definition == version.definition
    assert found.interpretations == {"TC-I1": "push"}
    assert found.pay_tables["pair_plus"].name == "standard"


def test_odds_of_a_definition_may_be_ratios(maker: Person, tmp_path: Path) -> None:
    text = TEXT.replace("pair = 1 }", 'pair = "3/2" }') + ROUNDED
    # 500 on a pair wins 750
    text = text.replace("pair_plus = 500, six_card = 12500", "pair_plus = 750, six_card = 12500")
    with without_access_scope():
        sent(maker, tmp_path, text)
        table = named_pay_tables(RuleVersion.objects.get())["pair_plus"]["standard"]
    assert odds_in_words(table.lines["pair_plus"]["pair"]) == "3 to 2"
    assert table.top_odds == 40
