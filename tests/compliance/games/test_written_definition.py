"""A definition is written in the application: in parts, anchored in the words of a document."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.filings.definitions.drafts import digest_of
from compliance.filings.definitions.models import DefinitionDraft
from compliance.filings.definitions.toml import as_toml
from compliance.filings.documents.models import DocumentFile
from compliance.filings.games.models import RuleVersion
from games.commands.definitions import seed_definitions
from games.definition import read_definition
from games.rule_set import GAMES
from tests.compliance.people import person_as, signed_in, with_second_factor

if TYPE_CHECKING:
    from compliance.access.models import Person

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
RULES = (GAMES / "three_card_poker" / "rules.txt").read_text("utf-8")
SLUG = "three-cards"


def test_every_definition_is_written_out_the_same() -> None:
    for file in seed_definitions().values():
        text = file.read_text("utf-8")
        written = as_toml(tomllib.loads(text))
        assert read_definition(written).digest == read_definition(text).digest


class Writer:
    """A supplier who writes a definition, page by page."""

    def __init__(self, maker: Person) -> None:
        with_second_factor(maker)
        self.client = signed_in(Client(), maker)

    def post(self, name: str, /, *args: Any, status: int = 302, **typed: Any) -> Any:
        answer = self.client.post(reverse(name, args=args), {"seen": self.seen, **typed})
        assert answer.status_code == status, answer.text
        return answer

    @property
    def seen(self) -> str:
        with without_access_scope():
            draft = DefinitionDraft.objects.first()
        return digest_of(draft) if draft else ""

    @property
    def data(self) -> dict[str, Any]:
        with without_access_scope():
            return tomllib.loads(DefinitionDraft.objects.get().text)

    def page(self, name: str = "definition", **asked: Any) -> str:
        answer = self.client.get(reverse(name, args=[SLUG]), asked)
        assert answer.status_code == 200
        return str(answer.text)


@pytest.fixture
def writer() -> Writer:
    writer = Writer(person_as(Role.SUPPLIER, "maker"))
    writer.post("new_game", name="Three Cards", slug=SLUG, banked_by="house", supplier="maker")
    document = SimpleUploadedFile("rules.txt", RULES.encode(), "text/plain")
    writer.post(
        "new_document",
        owner="maker",
        kind="rules_of_play",
        title="Three Cards, Rules of Play",
        evidence_date="2025-01-02",
        papers=document,
    )
    return writer


def test_definition_starts_from_a_game_and_is_filed(writer: Writer) -> None:
    writer.post("begin_definition", SLUG, start="game:three-card-poker")
    assert "11 clauses have no source yet" in writer.page()
    with without_access_scope():
        file = DocumentFile.objects.get()
    writer.post("anchor_numbered", SLUG, file.pk)
    page = writer.page()
    assert "This definition can be filed" in page
    assert "If the dealer plays, the higher hand wins" in page
    assert "Seat 1, ante:" in page  # a sample round, explained
    form = writer.client.get(reverse("new_rule_version", args=[SLUG]), {"written": "1"}).text
    assert 'name="written"' in form
    with without_access_scope():
        rules = str(file.version.uuid)
    typed = {"rules": rules, "as_of": "2025-01-02", "written": "on", "pays-spare": "0"}
    writer.post("new_rule_version", SLUG, file="", **typed)
    with without_access_scope():
        version = RuleVersion.objects.get()
        text = DefinitionDraft.objects.get().text
    assert version.definition == read_definition(text).digest


def test_words_selected_become_the_source_of_a_clause(writer: Writer) -> None:
    writer.post("begin_definition", SLUG, start="family:stud")
    words = "Each hand and the dealer\n receive three cards."
    writer.post("select_words", SLUG, words=words, clause="new", id="TC-2", says="", anchor="")
    (clause,) = writer.data["clause"]
    first = RULES.strip().index("Each hand and")
    assert clause["source"] == {"of": "rules", "page": 1, "span": [first, first + 45]}
    assert clause["says"] == "Each hand and the dealer receive three cards."
    # words that the page has more than once need a place
    twice = {"words": "the dealer", "clause": "0", "anchor": ""}
    answer = writer.post("select_words", SLUG, status=422, **twice)
    assert "has these words" in answer.text
    second = RULES.strip().index("the dealer has", first)
    writer.post("select_words", SLUG, first=second, **twice)
    assert writer.data["clause"][0]["source"]["span"] == [second, second + 10]


def test_words_that_are_not_in_the_document_are_refused(writer: Writer) -> None:
    writer.post("begin_definition", SLUG, start="family:stud")
    typed = {"words": "The player always wins.", "clause": "new", "id": "X-1", "anchor": ""}
    answer = writer.post("select_words", SLUG, status=422, **typed)
    assert "does not have these words" in answer.text


def test_item_is_written_moved_and_removed(writer: Writer) -> None:
    writer.post("begin_definition", SLUG, start="game:three-card-poker")
    lines = {"part.lines.rows": "6", "part.clause": "TC-9", "name_0": "pair_plus", "name_1": "high"}
    typed = {"straight_flush": "40 to 1", "three_of_a_kind": "30", "straight": "3 to 2"}
    for row, (line, pays) in enumerate(typed.items()):
        lines |= {f"part.lines.{row}.key": line, f"part.lines.{row}.value.pays": pays}
    place = 4
    writer.post("definition_item", SLUG, "pay_table", place, position="5", done="", **lines)
    tables = writer.data["pay_table"]["pair_plus"]
    assert tables["high"]["lines"] == {
        "straight_flush": 40,
        "three_of_a_kind": 30,
        "straight": "3/2",
    }
    assert list(writer.data["wager"]) == ["ante", "play", "pair_plus", "six_card"]
    writer.post("definition_item", SLUG, "wager", 1, remove="")
    assert list(writer.data["wager"]) == ["ante", "pair_plus", "six_card"]
    assert "problem" in writer.page()


def test_unchanged_item_keeps_what_it_means(writer: Writer) -> None:
    """Every item of a definition is shown and saved as it is, and nothing of it changes."""
    writer.post("begin_definition", SLUG, start="game:three-card-poker")
    before = writer.data
    for part in ("game", "deal", "wager", "decision", "interpretation", "test", "pay_table"):
        page = writer.client.get(reverse("definition_item", args=[SLUG, part, 0]))
        typed = {name: "" if value is None else value for name, value in fields_of(page).items()}
        writer.post("definition_item", SLUG, part, 0, done="", **typed)
        assert writer.data == before, part


def fields_of(answer: Any) -> dict[str, Any]:
    """Return what a browser would send of a page as it is shown."""
    context = answer.context
    forms = (context["form"], context["place_form"])
    fields = {name: form[name].value() for form in forms for name in form.fields}
    return {name: value for name, value in fields.items() if value is not False}


def test_sample_round_becomes_a_worked_example(writer: Writer) -> None:
    writer.post("begin_definition", SLUG, start="game:three-card-poker")
    with without_access_scope():
        file = DocumentFile.objects.get()
    writer.post("anchor_numbered", SLUG, file.pk)
    count = len(writer.data["example"])
    address = reverse("definition_item", args=[SLUG, "example", count])
    assert f"{address}?deal=7&amp;sample=2" in writer.page(deal="7")
    assert writer.client.get(address, {"sample": "9"}).status_code == 404
    page = writer.client.get(address, {"deal": "7", "sample": "2"})
    typed = {name: value or "" for name, value in fields_of(page).items()} | {"part.name": "Dealt"}
    writer.post("definition_item", SLUG, "example", count, done="", **typed)
    assert writer.data["example"][-1]["round"]["house"]["cards"]
    assert "Settles as written" in writer.page().split("Dealt</h3>")[1].split("<h3>")[0]


def test_draft_that_was_saved_meanwhile_is_not_overwritten(writer: Writer) -> None:
    writer.post("begin_definition", SLUG, start="family:stud")
    answer = writer.client.post(
        reverse("definition_text", args=[SLUG]), {"seen": "0" * 64, "text": "[game]\nslug = 'x'"}
    )
    assert answer.status_code == 422
    assert "Nothing of that was overwritten" in answer.text
