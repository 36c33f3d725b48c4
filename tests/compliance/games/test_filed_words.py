"""The words of a clause come from its span in the filed document, or from its number there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.filings.games.filed_words import filed_words
from games.rule_set import GAMES
from tests.compliance.games.filing import filed_definition
from tests.compliance.people import person_as

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
FOLDER = GAMES / "three_card_poker"
TEXT = (FOLDER / "definition.toml").read_text("utf-8")
TIES = "If the dealer plays, the higher hand wins"


def words_of(text: str, document: Path) -> dict[str, tuple[str, str]]:
    maker = person_as(Role.SUPPLIER, "maker")
    with without_access_scope():
        version = filed_definition(maker, "three-card-poker", text, document)
        return {id_: (of.text, of.source) for id_, of in filed_words(version).items()}


def test_words_are_those_of_the_span() -> None:
    # characters 536 to 577 of the rules, of a clause that goes on
    found = words_of(TEXT.replace("span = [536, 645]", "span = [536, 577]"), FOLDER / "rules.txt")
    assert found["TC-6"] == (TIES, "Rules of Three Card Poker, January 2, 2025, page 1")
    assert found["TC-2"][0] == "Each hand and the dealer receive three cards."


@pytest.mark.parametrize("span", ["[536, 999999]", ""])
def test_paragraph_serves_where_a_span_leads_nowhere(span: str) -> None:
    changed = f"span = {span}" if span else "page = 1"
    text = TEXT.replace("page = 1, span = [536, 645]", changed)
    says, _ = words_of(text, FOLDER / "rules.txt")["TC-6"]
    assert says.startswith(f"{TIES}: ante and play")


def test_other_document_is_not_quoted_by_its_span(tmp_path: Path) -> None:
    other = tmp_path / "rules.txt"
    other.write_text("Not these rules.\n" * 100)
    assert words_of(TEXT, other) == {}
