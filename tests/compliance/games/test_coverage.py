"""Every sentence of a document is marked, and approval asks about those that nothing checks."""

from __future__ import annotations

import pytest

from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.digests import state_digest
from compliance.filings.definitions.coverage import Mark, cover_document, open_sentences
from compliance.filings.definitions.sentences import sentences_of
from compliance.filings.documents.models import DocumentFile, DocumentText
from compliance.filings.games.models import DefinitionOdds
from compliance.filings.requests.forms import ApproveForm
from compliance.filings.requests.writes import approve_request, take_step
from games.definition import read_definition
from games.rule_set import GAMES
from games.simulator.proof import prove_clauses
from tests.compliance.games.filing import asked, filed_definition, maker_and_officer, readings

FOLDER = GAMES / "three_card_poker"
TEXT = (FOLDER / "definition.toml").read_text("utf-8")
RULES = (FOLDER / "rules.txt").read_text("utf-8").strip()


def test_sentences_have_their_exact_place() -> None:
    found = sentences_of([RULES])
    assert all(" ".join(RULES[each.first : each.end].split()) == each.text for each in found)
    texts = [each.text for each in found if not each.is_heading]
    assert "The dealer plays with a queen high or better." in texts
    assert "1. Cards" not in texts


def test_sentence_is_checked_only_if_a_broken_round_proves_it() -> None:
    definition = read_definition(TEXT)
    digest = definition.sources["rules"].digest.removeprefix("sha256:")
    file = DocumentFile(sha256=digest, name="rules.txt")
    file.text = DocumentText(file=file, pages=[RULES])
    proofs = {"TC-5": {"settlement.ante": "ante was paid $5.00 instead of $0.00"}}
    document = cover_document(file, definition, proofs)
    checked = [each for each in document.sentences if each.mark == Mark.CHECKED]
    assert [each.sentence.text.split()[0] for each in checked] == ["The", "If"]
    assert document.count(Mark.OPEN) == len(document.sentences) - 2
    unlogged = TEXT.replace('id = "TC-7"', 'id = "TC-7"\nunlogged = "It is an order."')
    marked = cover_document(file, read_definition(unlogged), {})
    assert marked.count(Mark.UNLOGGED) == 2


def test_broken_rounds_prove_the_clauses_of_a_game() -> None:
    proven = prove_clauses(read_definition(TEXT))
    assert "settlement.ante" in proven["TC-5"]  # a dealer who does not play
    assert "wager.relation" in proven["TC-4"]  # a play wager other than the ante
    assert "deal.count" in proven["TC-2"]
    assert "limit.players" in proven["TC-1"]
    assert "void.missing" in proven["TC-11"]
    assert "TC-7" not in proven  # the order of hands is not cited by any finding


def test_approval_asks_about_each_unchecked_sentence() -> None:
    unchecked = [("1.1.0", "Page 1: Cards are shuffled."), ("1.1.30", "Page 1: Cut them.")]

    def form(*read: str) -> ApproveForm:
        data = {"seen": "0", "unchecked": list(read), "note": "Keep to it."}
        return ApproveForm("commercial", unchecked=unchecked, data=data)

    assert "left: 1." in form("1.1.0").errors["unchecked"][0]
    whole = form("1.1.0", "1.1.30")
    assert whole.is_valid(), whole.errors
    assert whole.cleaned_data["unchecked"] == ["1.1.0", "1.1.30"]


@pytest.mark.django_db
def test_approval_waits_for_proofs_and_reading() -> None:
    with without_access_scope():
        maker, officer = maker_and_officer()
        slug = "three-card-poker"
        version = filed_definition(maker, slug, TEXT, FOLDER / "rules.txt")
        request = asked(maker, version)
        take_step(request=request, name="review", reason="Complete.", by=officer)
        row = DefinitionOdds.objects.create(definition=version.definition, definition_file="")

        def approve(*read: str) -> str:
            return approve_request(
                request=request,
                seen=state_digest(version),
                interpretations=readings(version),
                unchecked=read,
                note="Keep to it.",
                by=officer,
            ).note

        with pytest.raises(RefusedError, match="are being proven"):
            approve()
        row.state = row.State.FAILED  # nothing is proven, so nothing is checked
        row.save()
        places = [place for place, _ in open_sentences(version)]
        assert len(places) > 10
        with pytest.raises(RefusedError, match=r"Page 1: .* And \d+ more"):
            approve()
        with pytest.raises(RefusedError, match="No check covers"):
            approve(*places[1:])
        assert approve(*places).endswith(f"no check of the system covers: {len(places)}.")
