"""The guided mapping: from an export to a receipt, without a programmer."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from audits.intake.ingestion import take_in_what_waits
from audits.intake.mapping.definition import read_definition
from audits.intake.mapping.errors import TableError
from audits.intake.mapping.guess import guess_fields, guess_layout, guess_mapping
from audits.intake.mapping.models import LogMapping
from audits.intake.mapping.rounds import convert
from audits.intake.mapping.tables import Row, read_table
from audits.intake.mapping.templates import columns_of_template
from audits.intake.mapping.writes import save_mapping
from audits.intake.models import RoundLog
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.actor import SYSTEM
from games.rule_set import SLUGS
from tests.audits.mapping.files import BETS, mapping, workbook
from tests.audits.submission.logs import played
from tests.compliance.pages.browsing import browser_as, words
from tests.compliance.people import party_for

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from audits.intake.mapping.definition import Layout

pytestmark = pytest.mark.django_db


@pytest.fixture
def clerk() -> Client:
    return browser_as(Role.OPERATOR_CLERK, "room")


def fields(page: str) -> dict[str, str]:
    """Return what the form of a page would send."""
    sent: dict[str, str] = {}
    for tag in re.findall(r"<input[^>]*>", page):
        name, value = (re.search(rf'{each}="([^"]*)"', tag) for each in ("name", "value"))
        if name and 'type="checkbox"' not in tag:
            sent[name[1]] = unescape(value[1]) if value else ""
    for name, inside in re.findall(r'<select name="([^"]*)"[^>]*>(.*?)</select>', page, re.DOTALL):
        chosen = re.search(r'<option value="([^"]*)"[^>]*selected', inside)
        sent[name] = unescape(chosen[1]) if chosen else ""
    for name, inside in re.findall(
        r'<textarea name="([^"]*)"[^>]*>(.*?)</textarea>', page, re.DOTALL
    ):
        sent[name] = unescape(inside).strip()
    return sent


@pytest.mark.parametrize("content", [BETS.encode(), workbook()], ids=["csv", "xlsx"])
def test_export_becomes_a_log_on_file_in_two_steps(clerk: Client, content: bytes) -> None:
    sample = {"operator": "room", "file": SimpleUploadedFile("Pyramid night.csv", content)}
    page = clerk.post(reverse("new_mapping"), sample).content.decode()
    sent = fields(page)
    assert (sent["rows"], sent["results"], sent["game"]) == ("bet", "returned", "pyramid-poker")
    place = reverse("match_mapping")
    tested = words(clerk.post(place, {**sent, "test": "1"}))
    assert '"Ante" is not a wager of pyramid-poker' in tested
    sent |= {"values": "Bet: Ante = main", "tables": "Table 1 = T1"}
    assert "All of the first 2 rounds can be read" in words(
        clerk.post(place, {**sent, "test": "1"})
    )
    assert clerk.post(place, {**sent, "save": "1"}).status_code == 302
    with without_access_scope():
        saved = LogMapping.objects.get()
    assert "Pyramid night, version 1" in words(clerk.get(reverse("mapping", args=[saved.uuid])))
    night = SimpleUploadedFile("night.csv", content)
    clerk.post(reverse("submission"), {"operator": "room", "file": night, "mapping": saved.uuid})
    assert take_in_what_waits() == 1
    with without_access_scope():
        log = RoundLog.objects.get()
    assert (log.good, log.mapping) == (2, saved)
    receipt = words(clerk.get(reverse("round_log", args=[log.uuid])))
    assert "Pyramid night, version 1" in receipt
    assert "Some tables are not this operator’s" in receipt


def test_exported_mapping_is_the_saved_one(clerk: Client) -> None:
    saved = save_mapping(party=party_for(Role.OPERATOR_CLERK, "room"), content=mapping(), by=SYSTEM)
    answer = clerk.get(reverse("mapping_file", args=[saved.uuid]))
    assert answer.json() == saved.content


def test_bad_sample_or_mapping_is_refused_with_a_sentence(clerk: Client) -> None:
    place = reverse("new_mapping")
    for content, says in (
        (b"%PDF-1.7\n\0", "NUL byte"),
        (b"PK\3\4 no workbook", "is not an Excel workbook"),
        (b"Hand;Table;Bet\n", "has no rows below the names"),
    ):
        sample = {"operator": "room", "file": SimpleUploadedFile("night", content)}
        answer = clerk.post(place, sample)
        assert answer.status_code == 422
        assert says in words(answer)
    page = clerk.post(
        place, {"operator": "room", "file": SimpleUploadedFile("night", BETS.encode())}
    )
    sent: dict[str, Any] = fields(page.content.decode()) | {"column_0": "", "save": "1"}
    answer = clerk.post(reverse("match_mapping"), sent)
    assert "Say what fills `round`: every round has one." in words(answer)
    assert clerk.post(reverse("match_mapping"), {**sent, "sample": "["}).status_code == 404


def test_guess_finds_rows_below_a_title_and_in_json(tmp_path: Path) -> None:
    path = tmp_path / "export"
    path.write_text("Blue Moon night report\n\n" + BETS)
    layout = guess_layout(path)
    assert (layout.kind, layout.delimiter, layout.header) == ("csv", ";", 3)
    path.write_text('{"rounds": [{"id": 1, "seats": [{"seat": 1, "cards": "As Kd 2c"}]}]}')
    layout = guess_layout(path)
    assert (layout.kind, layout.items) == ("json", ("rounds", "seats"))
    guessed = guess_mapping("x", layout, list(read_table(path, layout, tmp_path)))
    assert guessed["fields"]["seat.cards"] == {"columns": ["rounds.seats.cards"]}


@pytest.mark.parametrize("game", SLUGS)
def test_template_needs_no_matching(game: str, clerk: Client, tmp_path: Path) -> None:
    path = tmp_path / "template"
    for name in ("csv_template", "xlsx_template"):
        path.write_bytes(clerk.get(reverse(name), {"game": game}).content)
        columns = columns_of_template(game)
        assert guess_fields(columns) == {column: column for column in columns}
        layout = guess_layout(path)
        definition = read_definition(full_mapping(layout, columns))
        with pytest.raises(TableError, match="no row of data"):
            list(convert(definition, read_table(path, layout, tmp_path)))


def full_mapping(layout: Layout, columns: dict[str, str]) -> dict[str, Any]:
    """Return a mapping of a template's columns to themselves."""
    rows = [Row(2, dict.fromkeys(columns, ""))]
    return guess_mapping("template", layout, rows)


def test_schema_accepts_what_the_reader_accepts(clerk: Client) -> None:
    schema = clerk.get(reverse("log_schema"), {"game": "pyramid-poker"}).json()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(played("T1-1"), schema)
    assert clerk.get(reverse("log_schema"), {"game": "war"}).status_code == 404
