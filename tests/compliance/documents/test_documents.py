"""Documents are stored byte for byte and version by version, or rejected with a reason."""

from __future__ import annotations

import hashlib
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from pypdf import PdfReader

from compliance.access.permissions import Role
from compliance.access.scope import memberships_of, visible_parties, within, without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.models import Event
from compliance.files import readers as text
from compliance.files.archive import current_archive
from compliance.filings.documents.models import Document, DocumentFile, DocumentVersion
from compliance.filings.documents.writes import (
    ReceivedFile,
    file_document,
    file_version,
    show_document,
)
from compliance.ui.comparison import LinePair, side_by_side
from tests.compliance.documents.filed_documents import (
    docx,
    docx_of_members,
    docx_spoiled,
    docx_with,
    docx_with_torn_text,
    encrypted_pdf,
    pdf,
    pdf_of_one_long_page,
    raw,
)
from tests.compliance.people import party_for, person_as

if TYPE_CHECKING:
    from compliance.access.models import Person

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
DAY = date(2026, 1, 5)


@pytest.fixture
def supplier() -> Person:
    return person_as(Role.SUPPLIER, "maker")


def filed(supplier: Person, *files: ReceivedFile, day: date = DAY) -> DocumentVersion:
    return file_document(
        owner=party_for(Role.SUPPLIER, "maker"),
        kind=Document.Kind.RULES_OF_PLAY,
        title="Rules of play",
        papers=files,
        evidence_date=day,
        by=supplier,
    )


def files_of(version: DocumentVersion) -> list[DocumentFile]:
    with without_access_scope():
        return list(version.files.select_related("text"))


def test_a_file_is_kept_byte_for_byte_under_its_digest(supplier, tmp_path):
    document_file = pdf(tmp_path, "Three wagers stand before the deal.")
    file = files_of(filed(supplier, document_file))[0]
    content = document_file.path.read_bytes()
    assert file.sha256 == hashlib.sha256(content).hexdigest()
    with current_archive().fetch(file.sha256) as place:
        assert place.read_bytes() == content


def test_text_is_drawn_out_of_pdf_and_word_by_page(supplier, tmp_path):
    version = filed(
        supplier, pdf(tmp_path, "first page", "second page"), docx(tmp_path, "one", "two")
    )
    pages = [file.text.pages for file in files_of(version)]
    assert pages == [["first page", "second page"], ["one\ntwo"]]


def test_a_scanned_page_has_no_text(supplier, tmp_path):
    assert files_of(filed(supplier, pdf(tmp_path, "")))[0].text.pages == [""]


def test_a_new_version_leaves_the_old_one_as_it_was(supplier, tmp_path):
    first = filed(supplier, pdf(tmp_path, "pays 30"))
    document = first.document
    second = file_version(
        document=document, papers=[pdf(tmp_path, "pays 50")], evidence_date=DAY, by=supplier
    )
    assert (first.number, second.number) == (1, 2)
    assert files_of(first)[0].text.pages == ["pays 30"]
    assert Event.objects.filter(type="document.filed").count() == 2


def test_the_same_files_again_are_no_new_version(supplier, tmp_path):
    document_file = pdf(tmp_path, "pays 30")
    first = filed(supplier, document_file)
    with pytest.raises(RefusedError, match="files of version 1"):
        file_version(
            document=first.document, papers=[document_file], evidence_date=DAY, by=supplier
        )


def test_versions_are_compared_line_by_line():
    before = ["Pair 1 to 1\nStraight flush 30 to 1", "End"]
    after = ["Pair 1 to 1\nStraight flush 50 to 1\nNew line", "End"]
    rows = side_by_side(before, after)
    assert [(row.before, row.after) for row in rows if row.changed] == [
        ("Straight flush 30 to 1", "Straight flush 50 to 1"),
        ("", "New line"),
    ]
    assert [row.before for row in rows if not row.changed] == ["Pair 1 to 1", "End"]


def test_comparison_of_repeated_lines_stays_fast():
    one, other = (
        "first\n" + "again\n" * 19_998 + "last\nunseen",
        "begin\n" + "again\n" * 19_990 + "end",
    )
    rows = side_by_side([one], [other])
    assert rows[0] == LinePair("first", "begin")
    assert rows[1] == LinePair("again", "again")
    assert [row.before for row in rows if row.before][-2:] == [
        "last",
        "(1 more lines are not shown here.)",
    ]
    assert [row.after for row in rows if row.after] == other.split("\n")


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
    "<w:document>&b;</w:document>"
)
SPY = (
    '<?xml version="1.0"?><!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    "<w:document>&x;</w:document>"
)


LEADS_NOWHERE = (
    b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
    b"2 0 obj\n<< /Type /Pages /Kids [(no page) 7] /Count 2 >>\nendobj\n"
    b"trailer\n<< /Size 3 /Root 1 0 R >>\nstartxref\n0\n%%EOF\n"
)


REFUSED = {
    "empty": (lambda f: raw(f, "empty.pdf", b""), "empty"),
    "program": (lambda f: raw(f, "virus.exe", b"MZ"), "are accepted"),
    "page": (lambda f: raw(f, "page.html", b"<script>alert(1)</script>"), "are accepted"),
    "active picture": (lambda f: raw(f, "drawing.svg", b"<svg onload='x()'/>"), "are accepted"),
    "without ending": (lambda f: raw(f, "noending", b"text"), "are accepted"),
    "page as pdf": (lambda f: raw(f, "fake.pdf", b"<html>no</html>"), "not what its ending says"),
    "torn zip": (lambda f: raw(f, "fake.docx", b"PK\x03\x04 torn"), "not what its ending says"),
    "gif as png": (lambda f: raw(f, "fake.png", b"GIF89a"), "not what its ending says"),
    "binary as text": (lambda f: raw(f, "binary.txt", b"a\0b"), "not what its ending says"),
    "latin text": (
        lambda f: raw(f, "latin.csv", "é".encode("latin-1")),
        "not what its ending says",
    ),
    "half a pdf": (lambda f: raw(f, "half.pdf", b"%PDF-1.7\n1 0 obj\n<< /Type"), "damaged"),
    "locked": (encrypted_pdf, "encrypted"),
    "entities": (lambda f: docx_with(f, BOMB), "no document needs"),
    "spying entity": (lambda f: docx_with(f, SPY), "no document needs"),
    "torn xml": (lambda f: docx_with(f, "<torn"), "damaged or encrypted"),
    "torn text in a word document": (docx_with_torn_text, "damaged or encrypted"),
    "a word document without a directory": (
        lambda f: docx_spoiled(f, b"PK\x01\x02", b"PK\x09\x09"),
        "not what its ending says",
    ),
    "text in no known encoding": (
        lambda f: docx_with(f, '<?xml version="1.0" encoding="x-none"?><a/>'),
        "damaged or encrypted",
    ),
    "elements without end": (
        lambda f: docx_with(f, "<a>" + "<b/>" * (15 * 1024 * 1024) + "</a>"),
        "more text than one document may have",
    ),
    "parts without end": (lambda f: docx_of_members(f, 5_001), r"parts\.docx unpacks to more"),
    "a pdf that leads nowhere": (
        lambda f: raw(f, "loop.pdf", LEADS_NOWHERE),
        "damaged and cannot be read",
    ),
    "a pdf packed in no known way": (
        lambda f: raw(
            f,
            "packed.pdf",
            pdf(f, "text").path.read_bytes().replace(b"/FlateDecode", b"/FlateDecodX"),
        ),
        "damaged and cannot be read",
    ),
    "zip bomb": (lambda f: docx_with(f, " " * (201 * 1024 * 1024)), "unpacks to more"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_not_a_document_is_refused_with_its_reason(supplier, tmp_path, what):
    make, reason = REFUSED[what]
    with pytest.raises(RefusedError, match=reason):
        filed(supplier, pdf(tmp_path, "a good one", name="good.pdf"), make(tmp_path))
    with without_access_scope():
        assert not Document.objects.exists()
    assert not Event.objects.filter(type="document.filed").exists()


def test_slow_pdf_page_is_given_up(supplier, tmp_path, monkeypatch):
    document_file = pdf_of_one_long_page(tmp_path, words=400_000)
    assert document_file.path.stat().st_size < 20_000
    monkeypatch.setattr(text, "SECONDS_TO_READ", 1)
    with pytest.raises(RefusedError, match="takes more than 1 s to read"):
        filed(supplier, document_file)


def test_a_file_larger_than_the_limit_is_refused(supplier, tmp_path):
    with (tmp_path / "large.txt").open("wb") as large:
        large.truncate(50 * 1024 * 1024 + 1)
    with pytest.raises(RefusedError, match="Split it"):
        filed(supplier, ReceivedFile(tmp_path / "large.txt", "large.txt"))


def test_no_files_and_evidence_from_tomorrow_are_refused(supplier, tmp_path):
    with pytest.raises(RefusedError, match="at least one"):
        filed(supplier)
    with pytest.raises(RefusedError, match="still to come"):
        filed(supplier, pdf(tmp_path, "x"), day=timezone.localdate() + timedelta(days=1))


def test_a_files_name_keeps_nothing_that_misleads(supplier, tmp_path):
    names = ["../../etc/passwd.txt", "C:\\x\\report.txt", "a\r\nSet-Cookie: x.txt", "x‮fdp.txt"]
    version = filed(
        supplier,
        *(
            ReceivedFile(raw(tmp_path, f"{n}.txt", b"x%d" % n).path, name)
            for n, name in enumerate(names)
        ),
    )
    assert [file.name for file in files_of(version)] == [
        "passwd.txt",
        "report.txt",
        "aSet-Cookie: x.txt",
        "xfdp.txt",
    ]


def test_a_document_is_nowhere_for_another_party(supplier, tmp_path):
    version = filed(supplier, pdf(tmp_path, "x"))
    other = person_as(Role.SUPPLIER, "rival")
    agent = person_as(Role.AGENT)
    for person, count in ((supplier, 1), (other, 0), (agent, 1)):
        with within(visible_parties(memberships_of(person))):
            assert Document.objects.count() == count
            assert DocumentVersion.objects.count() == count
            assert DocumentFile.objects.count() == count
    with pytest.raises(NotAllowedError):
        file_version(
            document=version.document,
            papers=[pdf(tmp_path, "mine now")],
            evidence_date=DAY,
            by=other,
        )
    with pytest.raises(NotAllowedError):
        show_document(document=version.document, to=party_for(Role.SUPPLIER, "rival"), by=other)


def test_what_was_filed_can_be_read_back_by_another_program(supplier, tmp_path):
    file = files_of(filed(supplier, pdf(tmp_path, "Straight flush 30 to 1")))[0]
    with current_archive().fetch(file.sha256) as place:
        assert "Straight flush 30 to 1" in PdfReader(place).pages[0].extract_text()
