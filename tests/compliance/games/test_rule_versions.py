"""Games and rule versions: linked to their documents, compared when filed, never changed."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from compliance.access.permissions import Role
from compliance.access.scope import memberships_of, visible_parties, within, without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.models import Event
from compliance.filings.documents.models import Document
from compliance.filings.documents.writes import file_document
from compliance.filings.games.models import DocumentFinding, Game, RuleVersion
from compliance.filings.games.writes import (
    FiledDocuments,
    file_game,
    file_rule_version,
    pay_tables_from_csv,
    pay_tables_of_rules,
)
from compliance.history import HistoryError
from games.rule_set import rule_set
from tests.compliance.documents.filed_documents import pdf
from tests.compliance.people import party_for, person_as

if TYPE_CHECKING:
    from pathlib import Path

    from compliance.access.models import Person
    from compliance.filings.documents.models import DocumentVersion

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
LETTERS = date(2008, 5, 21)


@pytest.fixture
def maker() -> Person:
    return person_as(Role.SUPPLIER, "maker")


def document(
    maker: Person, folder: Path, kind: Document.Kind, code: str = "maker"
) -> DocumentVersion:
    return file_document(
        owner=party_for(Role.SUPPLIER, code),
        kind=kind,
        title=kind.label,
        papers=[pdf(folder, kind.label, name=f"{kind}.pdf")],
        evidence_date=LETTERS,
        by=maker,
    )


def filed_game(maker: Person, slug: str = "pyramid-poker") -> Game:
    return file_game(
        slug=slug,
        name=slug.title(),
        banked_by=Game.Banking.HOUSE,
        supplier=party_for(Role.SUPPLIER, "maker"),
        by=maker,
    )


def pyramid_documents(maker: Person, folder: Path) -> FiledDocuments:
    layout = {"three_card": {**pay_tables_of_rules("pyramid-poker")["three_card"]}}
    layout["three_card"]["straight_flush"] = 50
    return FiledDocuments(
        rules=[document(maker, folder, Document.Kind.RULES_OF_PLAY)],
        layouts=[document(maker, folder, Document.Kind.LAYOUT)],
        pay_tables={"rules": pay_tables_of_rules("pyramid-poker"), "layout": layout},
        citations=["WAC 230-15-040", "WAC 230-15-140"],
        printed_maximum=500_000,
    )


def test_filing_of_2008_leaves_three_kinds_of_differences(maker, tmp_path):
    version = file_rule_version(
        game=filed_game(maker), papers=pyramid_documents(maker, tmp_path), as_of=LETTERS, by=maker
    )
    codes = sorted(version.findings.values_list("code", flat=True))
    assert codes == ["document.citation", "document.limit", "document.pay_table"]
    assert version.rule_set == rule_set("pyramid-poker").digest
    assert Event.objects.filter(type="document.difference_found").count() == 3


def test_matching_documents_leave_no_finding(maker, tmp_path):
    files = FiledDocuments(
        rules=[document(maker, tmp_path, Document.Kind.RULES_OF_PLAY)],
        pay_tables={"rules": pay_tables_of_rules("pyramid-poker")},
        citations=["WAC 230-15-140"],
    )
    file_rule_version(game=filed_game(maker), papers=files, as_of=LETTERS, by=maker)
    assert not DocumentFinding.objects.exists()


def test_version_is_fixed_and_modification_is_new(maker, tmp_path):
    game, files = filed_game(maker), pyramid_documents(maker, tmp_path)
    first = file_rule_version(game=game, papers=files, as_of=LETTERS, by=maker)
    with pytest.raises(HistoryError):
        first.save()
    with pytest.raises(HistoryError), without_access_scope():
        RuleVersion.objects.filter(pk=first.pk).update(note="changed")
    second = file_rule_version(
        game=game, papers=files, as_of=LETTERS, by=maker, interpretations={"PP-I1": "dealer_wins"}
    )
    assert (first.number, second.number) == (1, 2)


@pytest.mark.parametrize(
    ("interpretations", "message"),
    [
        ({"PP-I99": "push"}, "no interpretation PP-I99"),
        ({"PP-I1": "player_wins"}, "none of"),
    ],
)
def test_only_valid_interpretations_are_accepted(maker, tmp_path, interpretations, message):
    game, files = filed_game(maker), pyramid_documents(maker, tmp_path)
    with pytest.raises(RefusedError, match=message):
        file_rule_version(
            game=game, papers=files, as_of=LETTERS, by=maker, interpretations=interpretations
        )
    with without_access_scope():
        assert not RuleVersion.objects.exists()


def test_maximum_is_not_compared_without_a_pay_table(maker, tmp_path):
    """Casino Version has no pay table: the maximum printed on its layout cuts nothing."""
    game = filed_game(maker, "casino-version")
    files = FiledDocuments(
        rules=[document(maker, tmp_path, Document.Kind.RULES_OF_PLAY)], printed_maximum=500_000
    )
    with pytest.raises(RefusedError, match="pays by no table"):
        file_rule_version(game=game, papers=files, as_of=LETTERS, by=maker)


def test_request_needs_the_suppliers_own_rules_of_play(maker, tmp_path):
    game = filed_game(maker)
    with pytest.raises(RefusedError, match="holds the rules of play"):
        file_rule_version(game=game, papers=FiledDocuments(rules=[]), as_of=LETTERS, by=maker)
    rival = person_as(Role.SUPPLIER, "rival")
    theirs = document(rival, tmp_path, Document.Kind.RULES_OF_PLAY, "rival")
    with pytest.raises(RefusedError, match="was not filed by"):
        file_rule_version(game=game, papers=FiledDocuments(rules=[theirs]), as_of=LETTERS, by=maker)
    with pytest.raises(NotAllowedError):
        file_rule_version(game=game, papers=FiledDocuments(rules=[theirs]), as_of=LETTERS, by=rival)


def test_a_game_is_filed_once_and_banked_as_its_rules_say(maker):
    filed_game(maker)
    with pytest.raises(RefusedError, match="is on file"):
        filed_game(maker)
    with pytest.raises(RefusedError, match="banked by"):
        file_game(
            slug="pick-2-poker",
            name="Pick 2",
            banked_by=Game.Banking.NOBODY,
            supplier=party_for(Role.SUPPLIER, "maker"),
            by=maker,
        )


def test_a_game_that_no_engine_knows_can_be_filed(maker, tmp_path):
    game = filed_game(maker, "star-poker")
    files = FiledDocuments(rules=[document(maker, tmp_path, Document.Kind.RULES_OF_PLAY)])
    version = file_rule_version(game=game, papers=files, as_of=LETTERS, by=maker)
    assert (game.engine, version.rule_set) == ("", "")


def test_only_commission_games_are_shared_with_suppliers(maker, tmp_path):
    file_rule_version(
        game=filed_game(maker), papers=pyramid_documents(maker, tmp_path), as_of=LETTERS, by=maker
    )
    file_game(
        slug="chinese-poker",
        name="Thirteen Card Poker",
        banked_by=Game.Banking.NOBODY,
        supplier=None,
        by=person_as(Role.LICENSING),
    )
    seen = {}
    for person in (maker, person_as(Role.SUPPLIER, "rival"), person_as(Role.AGENT)):
        with within(visible_parties(memberships_of(person))):
            seen[person.name] = (Game.objects.count(), RuleVersion.objects.count())
    assert list(seen.values()) == [(2, 1), (1, 0), (2, 1)]


GOOD = "origin,table,line,pays\nlayout,three_card,straight_flush,50\n"


def test_pay_tables_come_from_a_spreadsheet():
    assert pay_tables_from_csv(GOOD) == {"layout": {"three_card": {"straight_flush": 50}}}
    zeros = f"{GOOD}layout,three_card,flush,{'0' * 5000}30\n"
    assert pay_tables_from_csv(zeros)["layout"]["three_card"]["flush"] == 30


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "columns origin"),
        ("table,line\n", "columns origin"),
        (f"{GOOD}layout,three_card\n", "Line 3: 2 values"),
        (f"{GOOD}wall,three_card,flush,2\n", "Line 3: origin is rules or layout"),
        (f"{GOOD}layout,three_card,flush,2.5\n", "Line 3: odds are a whole number"),
        (f"{GOOD}layout,three_card,flush,-2\n", "Line 3: odds are a whole number"),
        (f"{GOOD}layout,three_card,flush,{'9' * 5000}\n", "Line 3: odds are a whole number"),
        (f"{GOOD}layout,three_card,flush,²\n", "Line 3: odds are a whole number"),
        (f"{GOOD}layout,three_card,straight_flush,30\n", "Line 3: .* is in the file twice"),
        (f"{GOOD}layout,three_card,flush,{'0' * 7}{'9' * 30}\n", "Line 3: odds are a whole number"),
        (f"{GOOD}layout,{'x' * 31},flush,2\n", "Line 3: tables and lines have names"),
        (f"{GOOD}layout,three_card,,2\n", "Line 3: tables and lines have names"),
        (f"{GOOD}layout,three_card,a\u202eb,2\n", "Line 3: tables and lines have names"),
        (f"{GOOD}layout,three_card,fl\rush,2\n", "no sheet of pay tables"),
    ],
    ids=range(14),
)
def test_a_spreadsheet_that_cannot_be_read_says_where(text, message):
    with pytest.raises(RefusedError, match=message):
        pay_tables_from_csv(text)
