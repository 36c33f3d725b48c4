"""A file that was changed or removed behind the system's back is found and named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.core.management import call_command

from compliance.access.permissions import Role
from compliance.filings.documents.models import Document
from compliance.filings.documents.writes import file_document
from compliance.secret import revealed
from tests.compliance.documents.filed_documents import pdf
from tests.compliance.documents.test_documents import DAY, files_of
from tests.compliance.people import party_for, person_as

if TYPE_CHECKING:
    from compliance.filings.documents.models import DocumentFile

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path: Path) -> DocumentFile:
    maker = person_as(Role.SUPPLIER, "maker")
    version = file_document(
        owner=party_for(Role.SUPPLIER, "maker"),
        kind=Document.Kind.RULES_OF_PLAY,
        title="Rules",
        papers=[pdf(tmp_path, f"Rules of {tmp_path}")],
        evidence_date=DAY,
        by=maker,
    )
    return files_of(version)[0]


def kept(file: DocumentFile) -> Path:
    (place,) = [
        each
        for each in Path(revealed(settings.ARCHIVE_URL)).rglob("*")
        if each.name.endswith(file.sha256[4:])
    ]
    return place


def verified(capsys: pytest.CaptureFixture[str]) -> tuple[int, dict]:
    status = 0
    try:
        call_command("verify", "archive", "--json")
    except SystemExit as ended:
        status = int(ended.code or 0)
    return status, json.loads(capsys.readouterr().out)


def test_files_that_are_what_they_were_are_intact(file, capsys):
    assert verified(capsys) == (0, {"ok": True, "checked": 1, "problems": []})


def test_a_changed_byte_is_found_and_its_file_named(file, capsys):
    place = kept(file)
    place.chmod(0o600)
    content = bytearray(place.read_bytes())
    content[len(content) // 2] ^= 1
    place.write_bytes(content)
    status, answer = verified(capsys)
    assert (status, answer["ok"]) == (1, False)
    assert file.sha256 in answer["problems"][0]["where"]


def test_a_removed_file_is_found(file, capsys):
    kept(file).unlink()
    status, answer = verified(capsys)
    assert status == 1
    assert file.name in answer["problems"][0]["where"]
