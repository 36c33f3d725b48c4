"""Games and versions of their rules filed in a browser, with what differs in their papers."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from compliance.choices import Role
from compliance.models import Document, Game, RuleVersion
from compliance.services.documents import file_document
from compliance.services.games import Papers, file_game, file_rule_version
from compliance.services.refused import NotAllowedError
from compliance.walls import without_walls
from tests.compliance.documents.papers import pdf, raw
from tests.compliance.games.filing import filed_rules_of
from tests.compliance.pages.browsing import browser_as, browser_of, words
from tests.compliance.people import party_for, person_as

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db
GAME = {
    "name": "Pyramid Poker",
    "slug": "pyramid-poker",
    "banked_by": "house",
    "supplier": "maker",
}


@pytest.fixture
def maker():
    return person_as(Role.SUPPLIER, "maker")


def paper(maker: Any, folder: Any, kind: Document.Kind) -> Any:
    return file_document(
        owner=party_for(Role.SUPPLIER, "maker"),
        kind=kind,
        title=f"A {kind}",
        papers=[pdf(folder, f"text of {kind}")],
        evidence_date=date(2025, 1, 2),
        by=maker,
    )


def csv(*lines: str) -> SimpleUploadedFile:
    text = "\n".join(["origin,table,line,pays", *lines])
    return SimpleUploadedFile("tables.csv", text.encode())


def test_a_game_and_its_rules_are_filed_and_what_differs_stands_as_findings(maker, tmp_path):
    client = browser_of(maker)
    assert client.post(reverse("new_game"), GAME).status_code == 302
    rules = paper(maker, tmp_path, Document.Kind.RULES_OF_PLAY)
    layout = paper(maker, tmp_path, Document.Kind.LAYOUT)
    sent = {
        "rules": [rules.uuid],
        "layouts": [layout.uuid],
        "as_of": "2008-05-21",
        "take_over": "on",
        # document 003's layout prints 50 to 1 for a straight flush, which the rules pay at 30
        "printed": csv("layout,three_card,straight_flush,50"),
        "citations": "WAC 230-15-040\r\n",
        "printed_maximum": "5000.00",
        "PP-I1": "dealer_wins",
    }
    answer = client.post(reverse("new_rule_version", args=["pyramid-poker"]), sent)
    assert answer.status_code == 302, words(answer)
    page = words(client.get(answer.url))
    assert "50 to 1; the rules pay 30" in page
    assert "WAC 230-15-040" in page
    assert "Printed maximum aggregate $5,000.00" in page
    assert "dealer wins in the filing" in page
    assert "A rules_of_play, version 1 (binding)" in page
    assert "Version 1" in words(client.get(reverse("game", args=["pyramid-poker"])))


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["rules,three_card,flush,4.5"], "Line 2: odds are a whole number"),
        (["sign,three_card,flush,4"], "Line 2: origin is rules or layout"),
        (["rules,three_card,flush"], "Line 2: 3 values"),
        (["rules,three_card,flush,4", "rules,three_card,flush,5"], "Line 3"),
    ],
)
def test_pay_tables_that_cannot_be_read_are_refused_with_their_line(maker, tmp_path, lines, says):
    client = browser_of(maker)
    client.post(reverse("new_game"), GAME)
    rules = paper(maker, tmp_path, Document.Kind.RULES_OF_PLAY)
    sent = {"rules": [rules.uuid], "as_of": "2025-01-02", "printed": csv(*lines)}
    answer = client.post(reverse("new_rule_version", args=["pyramid-poker"]), sent)
    assert answer.status_code == 422
    assert says in words(answer)
    with without_walls():
        assert not RuleVersion.objects.exists()


def test_bytes_that_are_no_text_and_papers_that_are_nobodys_are_refused(maker):
    client = browser_of(maker)
    client.post(reverse("new_game"), GAME)
    address = reverse("new_rule_version", args=["pyramid-poker"])
    sent = SimpleUploadedFile("tables.csv", b"\xff\xfe\x00")
    answer = client.post(address, {"as_of": "2025-01-02", "printed": sent, "rules": ["x"]})
    assert answer.status_code == 422
    assert "no text in UTF-8" in words(answer)


def test_a_name_that_is_taken_and_banking_that_contradicts_the_rules_are_refused(maker):
    client = browser_of(maker)
    wrong = client.post(reverse("new_game"), GAME | {"banked_by": "nobody"})
    assert (wrong.status_code, "banked by house" in words(wrong)) == (422, True)
    client.post(reverse("new_game"), GAME)
    taken = client.post(reverse("new_game"), GAME)
    assert (taken.status_code, "is on file" in words(taken)) == (422, True)


def test_the_commissions_own_games_are_filed_by_the_commission_and_read_by_everyone(maker):
    supplier, licensing = browser_of(maker), browser_as(Role.LICENSING)
    own = GAME | {"supplier": "-"}
    assert supplier.post(reverse("new_game"), own).status_code == 422
    assert licensing.post(reverse("new_game"), own).status_code == 302
    assert supplier.get(reverse("game", args=["pyramid-poker"])).status_code == 200
    address = reverse("new_rule_version", args=["pyramid-poker"])
    assert supplier.get(address).status_code == 404
    assert supplier.post(address, {}).status_code == 404
    assert licensing.get(address).status_code == 200


def test_a_paper_is_named_to_everybody_who_sees_the_rules_and_opened_by_whom_it_is_shown_to(
    maker, tmp_path
):
    officer = person_as(Role.LICENSING)
    version = filed_rules_of(party_for(Role.SUPPLIER, "maker"), by=officer)
    address = reverse("rule_version", args=[version.uuid])
    client = browser_of(maker)
    assert "/documents/versions/" in client.get(address).text
    own = filed_rules_of_the_commission(officer, tmp_path)
    page = client.get(reverse("rule_version", args=[own.uuid]))
    assert "Rules of Pick 2 Poker, version 1 (binding)" in words(page)
    assert "/documents/versions/" not in page.text


def filed_rules_of_the_commission(officer: Any, folder: Path) -> RuleVersion:
    rules = file_document(
        owner=party_for(Role.LICENSING),
        kind=Document.Kind.RULES_OF_PLAY,
        title="Rules of Pick 2 Poker",
        papers=[raw(folder, "rules.txt", b"Two are picked.")],
        evidence_date=date(2025, 1, 2),
        by=officer,
    )
    game = file_game(
        slug="pick-2-poker",
        name="Pick 2 Poker",
        banked_by=Game.Banking.HOUSE,
        supplier=None,
        by=officer,
    )
    return file_rule_version(
        game=game, papers=Papers(rules=[rules]), as_of=date(2025, 1, 2), by=officer
    )


def test_no_supplier_files_a_game_of_the_commission(maker):
    with pytest.raises(NotAllowedError, match="filed by the commission"):
        file_game(slug="x", name="X", banked_by=Game.Banking.HOUSE, supplier=None, by=maker)


def test_another_suppliers_game_looks_like_none(maker):
    browser_of(maker).post(reverse("new_game"), GAME)
    other = browser_as(Role.SUPPLIER, "other")
    assert other.get(reverse("game", args=["pyramid-poker"])).status_code == 404
    assert "Pyramid" not in words(other.get(reverse("games")))


def test_the_list_takes_as_many_queries_for_many_games_as_for_one(maker):
    client, counts = browser_of(maker), []
    for number in range(3):
        client.post(reverse("new_game"), GAME | {"slug": f"game-{number}"})
        client.get(reverse("games"))
        with CaptureQueriesContext(connection) as queries:
            client.get(reverse("games"))
        counts.append(len(queries))
    assert counts[0] == counts[-1]
