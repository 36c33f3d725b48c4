"""Documents filed, read, compared, searched and shown in a browser; hostile files on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.models import Event
from compliance.filings.documents.models import Document, DocumentVersion
from tests.compliance.documents.filed_documents import (
    docx,
    encrypted_pdf,
    pdf,
    pdf_with_half_a_character,
    raw,
)
from tests.compliance.pages.browsing import browser_as, words
from tests.compliance.people import party_for

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]


def upload(path: Path, name: str) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, path.read_bytes())


def file(client: Client, *files: Any, **changes: Any) -> Any:
    sent = {
        "owner": "maker",
        "kind": "rules_of_play",
        "title": "Rules of a game",
        "papers": [upload(each.path, each.name) for each in files],
        "evidence_date": "2025-01-02",
        "note": "",
        **changes,
    }
    return client.post(reverse("new_document"), sent)


def filed() -> DocumentVersion:
    with without_access_scope():
        return DocumentVersion.objects.select_related("document").latest("pk")


@pytest.fixture
def supplier():
    return browser_as(Role.SUPPLIER, "maker")


def test_several_files_are_filed_read_compared_and_found(supplier, tmp_path):
    first = [pdf(tmp_path, "Ante\nA flush pays 4", ""), docx(tmp_path, "Signs")]
    assert file(supplier, *first).status_code == 302
    version = filed()
    page = supplier.get(reverse("document_version", args=[version.uuid]))
    assert "A flush pays 4" in words(page)
    assert "This page is a scan without text." in words(page)
    assert "controls.docx" in words(page)

    next_version = reverse("new_document_version", args=[version.document.uuid])
    same = {"version-papers": [upload(each.path, each.name) for each in first]}
    again = supplier.post(next_version, same | {"version-evidence_date": "2025-01-03"})
    assert (again.status_code, "nothing has changed" in words(again)) == (422, True)
    changed = pdf(tmp_path, "Ante\nA flush pays 5", name="new.pdf")
    sent = {
        "version-papers": [upload(changed.path, changed.name)],
        "version-evidence_date": "2025-01-03",
    }
    assert supplier.post(next_version, sent).status_code == 302
    address = reverse("compare_document", args=[version.document.uuid])
    compared = supplier.get(address, {"before": 1, "after": 2})
    assert "<del>A flush pays 4</del>" in compared.text
    assert "<ins>A flush pays 5</ins>" in compared.text
    found = words(supplier.get(reverse("documents"), {"sought": "FLUSH  pays 4"}))
    assert "version 1 , rules.pdf, page 1" in found
    assert "version 2" not in found


def test_download_is_an_attachment_and_an_event(supplier, tmp_path):
    document_file = pdf(tmp_path, "text")
    file(supplier, document_file)
    address = reverse("document_file", args=[filed().uuid, 0])
    answer = supplier.get(address)
    assert answer.content == document_file.path.read_bytes()
    assert answer["Content-Disposition"] == 'attachment; filename="rules.pdf"'
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in answer["Content-Security-Policy"]
    assert Event.objects.filter(type="export.made").count() == 1
    assert supplier.get(reverse("document_file", args=[filed().uuid, 9])).status_code == 404


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../etc/passwd.pdf", "passwd.pdf"),
        ("C:\\secret\\rules.pdf", "rules.pdf"),
        ('"><script>alert(1)<.pdf', '"><script>alert(1)<.pdf'),
        ("a\u202efdp.pdf", "afdp.pdf"),
        (f"{'x' * 300}.pdf", None),
        ("; filename=x.html.pdf", "; filename=x.html.pdf"),
    ],
)
def test_a_hostile_name_stays_a_text(supplier, tmp_path, name, kept):
    content = pdf(tmp_path, "text").path.read_bytes()
    sent = SimpleUploadedFile("rules.pdf", content)
    sent._name = name  # type: ignore[attr-defined]  # Django's own client would tidy it
    answer = file(supplier, papers=[sent])
    assert answer.status_code == 302, words(answer)
    version = filed()
    with without_access_scope():
        stored = version.files.get().name
    assert stored == kept if kept else len(stored) <= 200
    page = supplier.get(reverse("document_version", args=[version.uuid]))
    assert "<script>alert" not in page.text
    handed = supplier.get(reverse("document_file", args=[version.uuid, 0]))
    assert handed["Content-Disposition"].startswith("attachment")
    assert "\n" not in handed["Content-Disposition"]


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("empty.pdf", b"", "is empty"),
        ("page.html", b"<html></html>", "page.html"),
        ("not.pdf", b"MZ\x90\x00", "not.pdf"),
        ("cut.pdf", b"%PDF-1.7\n1 0 obj", "damaged"),
        ("bytes.txt", b"\xff\xfe\xfa plain", "bytes.txt"),
    ],
)
def test_invalid_upload_is_refused_and_not_kept(supplier, tmp_path, name, content, says):
    answer = file(supplier, raw(tmp_path, name, content))
    assert answer.status_code == 422
    assert says in words(answer)
    with without_access_scope():
        assert not Document.objects.exists()


def test_broken_character_becomes_a_question_mark(supplier, tmp_path):
    assert file(supplier, pdf_with_half_a_character(tmp_path)).status_code == 302
    assert "?BC" in words(supplier.get(reverse("document_version", args=[filed().uuid])))


def test_encrypted_missing_and_future_files_are_rejected(supplier, tmp_path):
    assert "encrypted" in words(file(supplier, encrypted_pdf(tmp_path)))
    assert file(supplier).status_code == 422
    late = file(supplier, pdf(tmp_path, "x"), evidence_date="2199-01-01")
    assert (late.status_code, "still to come" in words(late)) == (422, True)
    with without_access_scope():
        assert not Document.objects.exists()


def test_document_is_visible_to_owner_and_recipients(supplier, tmp_path):
    reviewer = browser_as(Role.AGENCY_REVIEWER, "agency")
    licensing = browser_as(Role.LICENSING)
    file(supplier, pdf(tmp_path, "secret words"))
    version = filed()
    address = reverse("document_version", args=[version.uuid])
    assert reviewer.get(address).status_code == 404
    sought = words(reviewer.get(reverse("documents"), {"sought": "secret words"}))
    assert "Nothing matches." in sought
    assert "Nothing matches these filters." in sought
    show = reverse("show_document", args=[version.document.uuid])
    unknown = supplier.post(show, {"share-party": "agency"})
    nobody = supplier.post(show, {"share-party": "no-such"})
    assert unknown.status_code == nobody.status_code == 422
    assert "You see no party with this code." in words(unknown)
    assert "You see no party with this code." in words(nobody)
    assert licensing.post(show, {"share-party": "agency"}).status_code == 302
    assert reviewer.get(address).status_code == 200
    files = reverse("new_document_version", args=[version.document.uuid])
    assert reviewer.post(files, {}).status_code == 404


def test_nobody_files_for_another_party(supplier, tmp_path):
    other = browser_as(Role.SUPPLIER, "other")
    answer = file(other, pdf(tmp_path, "x"), owner="maker")
    assert answer.status_code == 422
    assert party_for(Role.SUPPLIER, "maker").name not in answer.text


def test_document_list_queries_do_not_grow(supplier, tmp_path):
    counts = []
    for number in range(3):
        file(supplier, pdf(tmp_path, f"text {number}"), title=f"Rules {number}")
        supplier.get(reverse("documents"))
        with CaptureQueriesContext(connection) as queries:
            supplier.get(reverse("documents"), {"sought": "text"})
        counts.append(len(queries))
    assert counts[0] == counts[-1]
