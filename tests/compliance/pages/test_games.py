"""Games and versions of their rules filed in a browser, with differences in their documents."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.errors import NotAllowedError
from compliance.filings.documents.models import Document
from compliance.filings.documents.writes import file_document
from compliance.filings.games.models import Game, RuleVersion
from compliance.filings.games.writes import (
    FiledDocuments,
    file_game,
    file_rule_version,
    pay_tables_of_rules,
)
from tests.compliance.documents.filed_documents import pdf, raw
from tests.compliance.games.filing import filed_rules_of
from tests.compliance.pages.browsing import browser_as, browser_of, hidden, words
from tests.compliance.people import party_for, person_as

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
GAME = {
    "name": "Pyramid Poker",
    "slug": "pyramid-poker",
    "banked_by": "house",
    "supplier": "maker",
}


@pytest.fixture
def maker():
    return person_as(Role.SUPPLIER, "maker")


def filed_document(maker: Any, folder: Any, kind: Document.Kind) -> Any:
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


def test_filed_rules_show_differences_as_findings(maker, tmp_path):
    client = browser_of(maker)
    assert client.post(reverse("new_game"), GAME).status_code == 302
    rules = filed_document(maker, tmp_path, Document.Kind.RULES_OF_PLAY)
    layout = filed_document(maker, tmp_path, Document.Kind.LAYOUT)
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
    assert "dealer wins In the filing" in page
    assert "A rules_of_play, version 1 (binding)" in page
    assert "Version 1" in words(client.get(reverse("game", args=["pyramid-poker"])))


def pyramid_sent(rules: Any, **lines: object) -> dict[str, object]:
    """Return a page on which the rules of play print the rule set's pays, changed by `lines`."""
    entered = {
        f"pays-rules.{table}.{line}": pays
        for table, known in pay_tables_of_rules("pyramid-poker").items()
        for line, pays in known.items()
    }
    return {"rules": [rules.uuid], "as_of": "2025-01-02", **entered, **lines}


def test_entered_pay_tables_are_compared_before_filing(maker, tmp_path):
    client = browser_of(maker)
    client.post(reverse("new_game"), GAME)
    address = reverse("new_rule_version", args=["pyramid-poker"])
    rules = filed_document(maker, tmp_path, Document.Kind.RULES_OF_PLAY)
    wrong = {"pays-rules.six_card.flush": 8}
    shown = client.post(address, pyramid_sent(rules, **wrong) | {"compare": ""})
    assert shown.status_code == 200
    page = words(shown)
    assert "six card, flush is printed with 8 to 1; the rules pay 6 to 1" in page
    assert page.count("Differs: rules of play") == 1
    assert "Nothing is filed yet" in page
    agrees = words(client.post(address, pyramid_sent(rules) | {"compare": ""}))
    assert "No differences found" in agrees
    with without_access_scope():
        assert not RuleVersion.objects.exists()
    filed = client.post(address, pyramid_sent(rules, **wrong) | {"file": ""})
    assert filed.status_code == 302
    page = client.get(filed.url)
    assert "8 to 1; the rules pay 6" in words(page)
    with without_access_scope():
        version = RuleVersion.objects.get()
        assert version.pay_lines.count() == 16  # six of three cards, ten of six
    ask = f"{reverse('new_request')}?rule_version={version.uuid}"
    assert ask in page.text
    assert f'value="{version.uuid}" selected' in client.get(ask).text


def test_spreadsheet_fills_lines_and_contradicts_none(maker, tmp_path):
    client = browser_of(maker)
    client.post(reverse("new_game"), GAME)
    address = reverse("new_rule_version", args=["pyramid-poker"])
    rules = filed_document(maker, tmp_path, Document.Kind.RULES_OF_PLAY)
    sent = {"rules": [rules.uuid], "as_of": "2025-01-02", "compare": "", "take_over": "on"}
    sheet = csv("layout,three_card,flush,3", "layout,three_card,royal_pair,9")
    filled = client.post(address, {**sent, "printed": sheet})
    assert hidden(filled, "pays-layout.three_card.flush") == "3"
    assert hidden(filled, "pays-line.0") == "royal_pair"
    assert hidden(filled, "pays-rules.three_card.flush") == "2"
    sheet = csv("layout,three_card,flush,3")
    against = {**sent, "pays-layout.three_card.flush": 2, "printed": sheet}
    refused = client.post(address, against)
    assert refused.status_code == 422
    assert "2 is entered below, the spreadsheet has 3" in words(refused)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ({"pays-rules.six_card.flush": "4.5"}, "Rules of play, six card: flush : Enter a whole"),
        ({"pays-rules.six_card.flush": "-1"}, "greater than or equal to 0"),
        ({"pays-rules.six_card.flush": "9" * 5000}, "Rules of play, six card: flush"),
        ({"pays-spare": 1, "pays-line.0": "pair"}, "Further line 1: table : Enter the table"),
        ({"pays-spare": 1, "pays-table.0": "t", "pays-line.0": "x\u202ey"}, "nobody sees"),
        (
            {"pays-spare": 1, "pays-table.0": "six_card", "pays-line.0": "flush", "pays-pays.0": 9},
            "is already above",
        ),
    ],
    ids=range(6),
)
def test_invalid_pay_table_lines_are_named(maker, tmp_path, lines, says):
    client = browser_of(maker)
    client.post(reverse("new_game"), GAME)
    rules = filed_document(maker, tmp_path, Document.Kind.RULES_OF_PLAY)
    address = reverse("new_rule_version", args=["pyramid-poker"])
    answer = client.post(address, pyramid_sent(rules, **lines))
    assert (answer.status_code, says in words(answer)) == (422, True), words(answer)
    with without_access_scope():
        assert not RuleVersion.objects.exists()


def test_unknown_games_pay_table_lines_can_be_added(maker, tmp_path):
    client = browser_of(maker)
    client.post(reverse("new_game"), GAME | {"slug": "star-poker"})
    address = reverse("new_rule_version", args=["star-poker"])
    assert client.get(address).text.count('name="pays-line.') == 4
    rules = filed_document(maker, tmp_path, Document.Kind.RULES_OF_PLAY)
    sent = {"rules": [rules.uuid], "as_of": "2025-01-02", "pays-spare": "9" * 5_000}
    entered = {"pays-table.0": "bonus", "pays-line.0": "star", "pays-pays.0": 7}
    more = client.post(address, {**sent, **entered, "pays-spare": 4, "more": ""})
    assert hidden(more, "pays-line.0") == "star"
    assert "Without a definition, no family of play settles this game" in words(more)
    layout = {"origin": "layout", "table": "bonus", "line": "star", "pays": 8}
    other = {f"pays-{name}.1": value for name, value in layout.items()}
    differs = client.post(address, {**sent, **entered, **other, "pays-spare": 4, "compare": ""})
    assert "star is printed with 8 to 1; the rules pay 7 to 1" in words(differs)
    assert client.post(address, {**sent, **entered}).status_code == 422  # no page offers this many
    filed = client.post(address, {**sent, **entered, "pays-spare": 4})
    assert "star bonus Rules of play 7 to 1" in words(client.get(filed.url))


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["rules,three_card,flush,4.5"], "Line 2: odds are a whole number"),
        (["sign,three_card,flush,4"], "Line 2: origin is rules or layout"),
        (["rules,three_card,flush"], "Line 2: 3 values"),
        (["rules,three_card,flush,4", "rules,three_card,flush,5"], "Line 3"),
    ],
)
def test_unreadable_pay_tables_are_rejected_with_their_line(maker, tmp_path, lines, says):
    client = browser_of(maker)
    client.post(reverse("new_game"), GAME)
    rules = filed_document(maker, tmp_path, Document.Kind.RULES_OF_PLAY)
    sent = {"rules": [rules.uuid], "as_of": "2025-01-02", "printed": csv(*lines)}
    answer = client.post(reverse("new_rule_version", args=["pyramid-poker"]), sent)
    assert answer.status_code == 422
    assert says in words(answer)
    with without_access_scope():
        assert not RuleVersion.objects.exists()


def test_binary_text_and_unknown_documents_are_refused(maker):
    client = browser_of(maker)
    client.post(reverse("new_game"), GAME)
    address = reverse("new_rule_version", args=["pyramid-poker"])
    sent = SimpleUploadedFile("tables.csv", b"\xff\xfe\x00")
    answer = client.post(address, {"as_of": "2025-01-02", "printed": sent, "rules": ["x"]})
    assert answer.status_code == 422
    assert "no text in UTF-8" in words(answer)


def test_duplicate_name_and_wrong_banking_are_refused(maker):
    client = browser_of(maker)
    wrong = client.post(reverse("new_game"), GAME | {"banked_by": "nobody"})
    assert (wrong.status_code, "banked by house" in words(wrong)) == (422, True)
    client.post(reverse("new_game"), GAME)
    times = client.post(reverse("new_game"), GAME)
    assert (times.status_code, "is on file" in words(times)) == (422, True)


def test_commission_games_are_readable_by_everyone(maker):
    supplier, licensing = browser_of(maker), browser_as(Role.LICENSING)
    own = GAME | {"supplier": "-"}
    assert supplier.post(reverse("new_game"), own).status_code == 422
    assert licensing.post(reverse("new_game"), own).status_code == 302
    assert supplier.get(reverse("game", args=["pyramid-poker"])).status_code == 200
    address = reverse("new_rule_version", args=["pyramid-poker"])
    assert supplier.get(address).status_code == 404
    assert supplier.post(address, {}).status_code == 404
    assert licensing.get(address).status_code == 200


def test_rules_document_opens_only_for_those_in_scope(maker, tmp_path):
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
    tables = {"rules": pay_tables_of_rules("pick-2-poker")}
    return file_rule_version(
        game=game,
        papers=FiledDocuments(rules=[rules], pay_tables=tables),
        as_of=date(2025, 1, 2),
        by=officer,
    )


def test_no_supplier_files_a_game_of_the_commission(maker):
    with pytest.raises(NotAllowedError, match="filed by the commission"):
        file_game(slug="x", name="X", banked_by=Game.Banking.HOUSE, supplier=None, by=maker)


def test_another_suppliers_game_looks_like_none(maker):
    browser_of(maker).post(reverse("new_game"), GAME)
    other = browser_as(Role.SUPPLIER, "other")
    assert other.get(reverse("game", args=["pyramid-poker"])).status_code == 404
    assert "Pyramid" not in words(other.get(reverse("games")))


def test_game_list_queries_do_not_grow(maker):
    client, counts = browser_of(maker), []
    for number in range(3):
        client.post(reverse("new_game"), GAME | {"slug": f"game-{number}"})
        client.get(reverse("games"))
        with CaptureQueriesContext(connection) as queries:
            client.get(reverse("games"))
        counts.append(len(queries))
    assert counts[0] == counts[-1]
