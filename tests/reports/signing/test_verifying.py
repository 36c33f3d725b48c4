"""A report is trusted exactly as issued: not one byte may differ."""

from __future__ import annotations

import io
import json
import random
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from pyhanko.pdf_utils.embed import EmbeddedFileObject, FileSpec, embed_file
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko_certvalidator import ValidationContext
from pypdf import PdfWriter

from compliance.event_log.models import Leaf
from compliance.event_log.pages import build_script
from compliance.event_log.tree import trusted_keys
from compliance.files.archive import current_archive
from reports.library.verification import check_pdf
from reports.rendering.archival import DATA
from reports.schedules.making import sign_report
from reports.signing import envelope as opening
from reports.signing.envelope import (
    ATTACHED,
    EVENT,
    PROOF,
    NotReadInTimeError,
    UnreadableError,
    open_envelope,
    seal,
)
from reports.signing.keys import NoReportKeyError, report_key
from tests.installation import ROOT
from tests.reports.made import approval_letter, body_of, file_of
from tests.reports.paper.sheets import text_of
from tests.reports.signing.sealing import key_file

if TYPE_CHECKING:
    from pathlib import Path

    from reports.documents.models import Report

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
QUESTIONS = ["signature", "integrity", "proof", "body", "file", "reproduction"]


@pytest.fixture
def report() -> Report:
    return approval_letter()


def answers(content: bytes) -> dict[str, bool | None]:
    return {check.name: check.holds for check in check_pdf(content).checks}


def refused(content: bytes) -> set[str]:
    found = check_pdf(content)
    assert not found.ok
    return {check.name for check in found.checks if check.holds is False}


def verified(place: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict | str]:
    status = 0
    try:
        call_command("verify", "pdf", str(place), "--json")
    except SystemExit as ended:
        status = int(ended.code or 0)
    output = capsys.readouterr()
    return status, json.loads(output.out) if output.out else output.err


def test_a_report_as_it_was_issued_holds_in_every_question(report):
    assert answers(file_of(report)) == dict.fromkeys(QUESTIONS, True)


def test_the_file_begins_with_the_body_byte_for_byte(report):
    assert file_of(report).startswith(body_of(report))


def test_the_command_answers_as_other_programs_read_it(report, tmp_path, capsys):
    place = tmp_path / "letter.pdf"
    place.write_bytes(file_of(report))
    assert verified(place, capsys) == (0, {"ok": True, "checked": 6, "problems": []})
    place.write_bytes(file_of(report)[:-1])
    status, answer = verified(place, capsys)
    assert (status, answer["ok"]) == (1, False)
    assert all("letter.pdf" in problem["where"] for problem in answer["problems"])
    assert verified(tmp_path / "none.pdf", capsys)[0] == 2


def places_of(content: bytes, body: int) -> list[int]:
    """Return byte positions of every region: body, attachments, signature, padding, table, ends."""
    chance = random.Random(7)
    marks = [content.find(each, body) for each in (b"/ByteRange", b"/Contents", b"/EmbeddedFile",
             b"/SubFilter", b"/Names", b"xref", b"trailer", b"startxref")]  # fmt: skip
    assert -1 not in marks
    hole = content.find(b"<", marks[1])
    padding = content.find(b"0" * 100, hole)
    assert padding > hole
    return [
        *(0, 1, 8, body - 1, body, body + 1, len(content) - 1, len(content) - 2),
        *(mark + n for mark in marks for n in (0, 3, 14)),
        *(hole + n for n in (0, 1, 2, 40, 400)), padding, padding + 50,
        *(chance.randrange(body) for _ in range(10)),
        *(chance.randrange(body, len(content)) for _ in range(30)),
    ]  # fmt: skip


def test_one_flipped_bit_anywhere_is_refused(report):
    content = file_of(report)
    chance = random.Random(11)
    for place in places_of(content, report.size):
        flipped = bytearray(content)
        flipped[place] ^= 1 << chance.randrange(8)
        assert not check_pdf(bytes(flipped)).ok, place


def test_a_flipped_bit_of_the_body_is_named_as_the_body_s(report):
    flipped = bytearray(file_of(report))
    flipped[report.size // 2] ^= 1
    assert {"signature", "body", "file"} <= refused(bytes(flipped))


@pytest.mark.parametrize("before_the_end", [1, 2, 500])
def test_unsigned_gap_contains_only_zeros(report, before_the_end):
    content = file_of(report)
    place = content.index(b">", content.index(b"/Contents <", report.size)) - before_the_end
    assert content[place : place + 1] == b"0"
    hidden = content[:place] + b"a" + content[place + 1 :]
    assert {"integrity", "file"} <= refused(hidden)


@pytest.mark.parametrize("keep", [0, 4, 0.3, 0.9, 0.999])
def test_a_file_that_was_cut_off_is_refused(report, keep):
    content = file_of(report)
    refused(content[: int(keep if keep in {0, 4} else len(content) * keep)])


def test_the_body_alone_is_no_report_that_was_issued(report):
    assert {"signature", "file"} <= refused(body_of(report))


def test_another_pdf_is_refused():
    blank = io.BytesIO()
    writer = PdfWriter()
    writer.add_blank_page(200, 200)
    writer.write(blank)
    assert refused(blank.getvalue()) == {"signature", "file"}
    assert refused(b"no pdf at all") == {"signature"}


def test_what_is_added_behind_the_signature_is_refused(report):
    writer = IncrementalPdfFileWriter(io.BytesIO(file_of(report)))
    writer.update_root()
    added = io.BytesIO()
    writer.write(added)
    assert {"integrity", "file"} <= refused(added.getvalue())
    assert "integrity" in refused(file_of(report) + b"\n% more")


def with_packed(content: bytes, name: str) -> bytes:
    """Return a small file with 100 MB of zeros attached."""
    writer = IncrementalPdfFileWriter(io.BytesIO(content))
    packed = EmbeddedFileObject.from_file_data(writer, bytes(100 << 20), compress=True)
    embed_file(writer, FileSpec(file_spec_string=name, file_name=name, embedded_data=packed))
    bomb = io.BytesIO()
    writer.write(bomb)
    assert len(bomb.getvalue()) < 1 << 20
    return bomb.getvalue()


def test_what_unpacks_to_more_than_a_report_is_not_unpacked(report):
    bomb = with_packed(body_of(report), PROOF)
    sealed = seal(bomb, {}, report_key(), None)
    with pytest.raises(UnreadableError, match="cannot be read to its end"):
        open_envelope(sealed)
    assert "signature" in refused(sealed)


def test_attachment_that_is_no_proof_is_not_read(report):
    added = with_packed(file_of(report), "a")
    assert open_envelope(added).attachments.keys() == {PROOF, EVENT}
    assert refused(added) == {"integrity", "file"}


OPEN = """
import sys
from reports.signing.envelope import open_envelope
opened = open_envelope(sys.stdin.buffer.read())
print(opened.signer.subject.native["common_name"], opened.holds, sorted(opened.attachments))
"""


def test_fresh_process_opens_the_report(report):
    opened = open_envelope(file_of(report))
    done = subprocess.run(
        [sys.executable, "-c", OPEN],
        input=file_of(report),
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    name = opened.signer.subject.native["common_name"]
    assert done.stdout.decode() == f"{name} True {sorted(opened.attachments)}\n"


def test_circular_form_fields_end(monkeypatch):
    """A hundred fields, each twice below the one before it: 2^100 paths to the last."""
    number = range(2, 102)
    fields = [f"{n} 0 obj\n<</T(a)/Kids[{n + 1} 0 R {n + 1} 0 R]>>\nendobj\n" for n in number]
    catalog = "1 0 obj\n<</Type/Catalog/AcroForm<</Fields[2 0 R]>>>>\nendobj\n"
    objects = [catalog, *fields, "102 0 obj\n<</T(z)/FT/Sig>>\nendobj\n"]
    content, places = "%PDF-1.4\n", []
    for each in objects:
        places.append(f"{len(content):010} 00000 n \n")
        content += each
    table = f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n{''.join(places)}"
    trailer = f"trailer<</Size {len(places) + 1}/Root 1 0 R>>\nstartxref\n{len(content)}\n%%EOF\n"
    monkeypatch.setattr(opening, "SECONDS", 1)
    with pytest.raises(NotReadInTimeError, match="was not read to its end"):
        open_envelope(f"{content}{table}{trailer}".encode())


def test_busy_machine_gives_no_verdict(report, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(opening, "SECONDS", 0)
    found = check_pdf(file_of(report))
    assert (found.ok, found.is_broken) == (False, False)
    place = tmp_path / "letter.pdf"
    place.write_bytes(file_of(report))
    status, says = verified(place, capsys)
    assert status == 2
    assert "Try again" in says
    place.write_bytes(file_of(report) + b" ")
    assert verified(place, capsys)[0] == 1


def test_a_file_larger_than_any_report_is_not_read(tmp_path, capsys):
    place = tmp_path / "giant.pdf"
    with place.open("wb") as giant:
        giant.write(b"%PDF-1.4")
        giant.truncate(64 << 30)
    status, says = verified(place, capsys)
    assert status == 2
    assert "larger than 512 MB" in says


def test_removed_signature_is_noticed(report):
    content = file_of(report)
    begin = content.index(b"/Contents <") + len(b"/Contents <")
    end = content.index(b">", begin)
    assert "signature" in refused(content[:begin] + b"0" * (end - begin) + content[end:])


def test_signature_of_another_report_is_rejected(report):
    ours, theirs = file_of(report), seal(body_of(report), {}, report_key(), None)

    def place(content: bytes) -> slice:
        begin = content.index(b"/Contents <") + len(b"/Contents <")
        return slice(begin, content.index(b">", begin))

    swapped = bytearray(ours)
    swapped[place(ours)] = theirs[place(theirs)].ljust(len(ours[place(ours)]), b"0")
    assert len(swapped) == len(ours)
    assert {"signature", "integrity", "file"} <= refused(bytes(swapped))


def test_expired_certificate_is_not_trusted(report, settings, tmp_path):
    settings.REPORT_KEY = str(key_file(tmp_path, hours=-1))
    with pytest.raises(NoReportKeyError, match="Put a new key there"):
        sign_report(report=report)
    forged = seal(body_of(report), proof_of(file_of(report)), report_key(), None)
    (signature,) = (each for each in check_pdf(forged).checks if each.name == "signature")
    assert signature.says == "The certificate of its key was not valid when it was signed."


def test_another_key_s_signature_on_the_same_body_is_refused(report, settings, tmp_path):
    content = file_of(report)
    attached = proof_of(content)
    settings.REPORT_KEY = str(key_file(tmp_path))
    forged = seal(body_of(report), attached, report_key(), None)
    own = settings.VAR / "keys" / "reports.pem"
    settings.REPORT_KEY = str(own)
    assert refused(forged) == {"signature", "file"}


def test_a_report_of_another_installation_is_refused(report, settings, tmp_path):
    content = file_of(report)
    other = tmp_path / "log.pem"
    shutil.copyfile(settings.SIGNING_KEY, other)
    settings.LOG_ORIGIN = "other.example/log"
    settings.REPORT_KEY = str(key_file(tmp_path))
    assert {"signature", "proof"} <= refused(content)


def test_another_body_under_the_proof_of_this_one_is_refused(report):
    other = body_of(report).replace(b"/Producer", b"/Producex")
    forged = seal(other, proof_of(file_of(report)), report_key(), None)
    assert refused(forged) == {"body", "file"}


def test_a_signature_without_a_proof_is_refused(report):
    assert {"proof", "file"} <= refused(seal(body_of(report), {}, report_key(), None))


def test_an_old_signature_holds_after_the_key_was_changed(report, settings, tmp_path):
    content = file_of(report)
    settings.RETIRED_CERTIFICATES = settings.REPORT_KEY
    settings.REPORT_KEY = str(key_file(tmp_path))
    assert answers(content) == dict.fromkeys(QUESTIONS, True)
    again = sign_report(report=report)
    assert again.key == "Commission of Tests"
    assert answers(file_of(report)) == dict.fromkeys(QUESTIONS, True)
    assert file_of(report).startswith(body_of(report))


def attachments(content: bytes) -> dict[str, str]:
    names = PdfFileReader(io.BytesIO(content)).root["/Names"]["/EmbeddedFiles"]["/Names"]
    return {str(names[n]): names[n + 1]["/EF"]["/F"].data.decode() for n in range(0, len(names), 2)}


def proof_of(content: bytes) -> dict[str, str]:
    """Return what the envelope attaches; the body attaches its own data."""
    return {name: text for name, text in attachments(content).items() if name in ATTACHED}


def test_what_is_attached_can_be_checked_without_this_system(report, tmp_path):
    attached = attachments(file_of(report))
    assert set(attached) == {DATA, PROOF, EVENT}
    assert json.loads(attached[DATA])["data"]["subject"] == "Pyramid Poker, version 1"
    for name, text in attached.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "verifier.py").write_text(build_script())
    script = [
        sys.executable,
        str(tmp_path / "verifier.py"),
        "inclusion",
        "--key",
        str(trusted_keys()[0]),
    ]
    files = ["--proof", str(tmp_path / PROOF), "--event", str(tmp_path / EVENT)]
    checked = subprocess.run([*script, *files], capture_output=True, text=True)
    assert (checked.returncode, checked.stderr) == (0, "")
    event = json.loads(attached[EVENT])
    assert event["payload"]["body"] == report.body
    assert Leaf.objects.filter(event__object=report.uuid).exists()


def test_pyhanko_s_own_validator_agrees(report, settings, tmp_path):
    settings.REPORT_KEY = str(key_file(tmp_path))
    sign_report(report=report)
    reader = PdfFileReader(io.BytesIO(file_of(report)))
    (signature,) = reader.embedded_signatures
    issuers = ValidationContext(trust_roots=list(report_key().issuers), allow_fetching=False)
    status = validate_pdf_signature(signature, issuers)
    assert status.bottom_line
    assert status.docmdp_ok


@pytest.mark.pages
@pytest.mark.parametrize("changed", [False, True])
def test_pdfsig_agrees(report, tmp_path, changed):
    content = bytearray(file_of(report))
    if changed:
        content[report.size // 2] ^= 1
    place = tmp_path / "letter.pdf"
    place.write_bytes(content)
    result = subprocess.run(["pdfsig", str(place)], capture_output=True, text=True).stdout
    assert ("Signature is Valid" in result) is not changed
    assert ("Total document signed" in result) is True
    assert "ETSI.CAdES.detached" in result


def test_the_letter_s_words_are_in_the_signed_file(report):
    text = " ".join(text_of(file_of(report)))
    assert "Approval of Pyramid Poker, version 1" in text
    assert current_archive().has(report.inputs)
