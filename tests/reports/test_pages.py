"""Report pages: ordered, made by a worker's task, read, fetched, and verified by anyone."""

from __future__ import annotations

import csv
import io
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.models import Event
from compliance.jobs.queue import take_job
from reports.documents.models import Report, ReportOrder
from reports.library import pages as verify
from reports.signing import envelope as opening
from tests.compliance.games.filing import approved, maker_and_officer
from tests.compliance.jobs.due import kill_workers
from tests.compliance.pages.browsing import browser_as, browser_of, words
from tests.reports.made import approval_letter, file_of
from tests.reports.working import make_next

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]


def upload(content: bytes, name: str = "letter.pdf") -> str:
    sent = {"file": SimpleUploadedFile(name, content, content_type="application/pdf")}
    return words(Client().post(reverse("verify_report"), sent))


def test_letter_is_ordered_on_the_decision_page():
    maker, officer = maker_and_officer()
    approval = approved(maker, officer)
    address = reverse("report_about", args=["approval_letter", approval.uuid])
    client = browser_of(officer)
    assert "The letter is on its way" in words(client.get(address))
    assert "The report is ordered" in words(client.post(address, follow=True))
    assert "Waiting" in words(client.get(address))
    order = make_next()
    assert order is not None
    assert order.state == "made"
    assert make_next() is None
    page = words(client.get(address, follow=True))
    assert "Approval of Pyramid Poker, version 1" in page
    assert "Each operator's internal controls are approved before it offers the game." in page


def test_failed_report_says_why_and_is_retried(settings):
    maker, officer = maker_and_officer()
    approval = approved(maker, officer)
    address = reverse("report_about", args=["approval_letter", approval.uuid])
    client = browser_of(officer)
    client.post(address)
    key, settings.REPORT_KEY = settings.REPORT_KEY, "/nowhere/key.p12"
    assert make_next().state == "failed"
    settings.REPORT_KEY = key
    page = words(client.get(address))
    assert "The report could not be made" in page
    assert "REPORT_KEY names /nowhere/key.p12: No such file" in page
    assert Event.objects.filter(type="report.failed").exists()
    client.post(address)
    assert make_next().state == "made"
    with without_access_scope():
        assert Report.objects.count() == 1


def test_order_whose_worker_died_is_made_by_another():
    maker, officer = maker_and_officer()
    approval = approved(maker, officer)
    browser_of(officer).post(reverse("report_about", args=["approval_letter", approval.uuid]))
    assert take_job({ReportOrder.JOB})
    kill_workers()
    assert make_next().state == "made"


def test_letter_is_found_by_holder_not_other_supplier():
    report = approval_letter()
    with without_access_scope():
        maker = report.shown_to.get(party__code="maker").party.memberships.get().person
    page = browser_of(maker).get(reverse("reports"))
    assert report.title in words(page)
    other = browser_as(Role.SUPPLIER, "other")
    assert report.title not in words(other.get(reverse("reports")))
    assert other.get(reverse("report_file", args=[report.uuid])).status_code == 404


def test_page_data_and_tables_agree_with_the_file():
    report = approval_letter()
    client = browser_as(Role.AUDITOR)
    assert client.get(reverse("report_file", args=[report.uuid])).content == file_of(report)
    data = json.loads(client.get(reverse("report_data", args=[report.uuid])).content)
    assert data["reference"] == report.reference
    assert len(data["data"]["conditions"]) == 4
    answer = client.get(reverse("report_table", args=[report.uuid, "pay-tables"]))
    rows = list(csv.reader(io.StringIO(answer.content.decode())))
    assert rows[0] == ["Pay table", "Line", "Pays, to 1"]
    assert sum(len(each["lines"]) for each in data["data"]["pay_tables"]) == len(rows) - 1
    (file,) = data["data"]["rules"]["papers"][0]["files"]
    page = words(client.get(reverse("report", args=[report.uuid])))
    assert f"{file['name']} {file['sha256']}" in page
    for condition in data["data"]["conditions"]:
        assert condition in page
    assert client.get(reverse("report_table", args=[report.uuid, "none"])).status_code == 404


def test_anyone_can_verify_an_intact_report():
    body = upload(file_of(approval_letter()))
    assert "letter.pdf is intact" in body
    assert body.count("Holds") == 6


def test_changed_report_is_called_changed():
    content = bytearray(file_of(approval_letter()))
    content[len(content) // 3] ^= 1
    body = upload(bytes(content))
    assert "Do not rely on letter.pdf" in body
    assert "The signed content does not match the signature." in body
    assert "Do not rely on notes.txt" in upload(b"just words", "notes.txt")


def test_unread_issued_file_is_not_called_changed(monkeypatch):
    monkeypatch.setattr(opening, "SECONDS", 0)
    body = upload(file_of(approval_letter()))
    assert "letter.pdf could not be checked completely" in body
    assert "Do not rely on" not in body


def test_oversized_or_missing_file_is_refused(monkeypatch):
    monkeypatch.setattr(verify, "LARGEST", 1 << 20)
    assert "larger than 1 MB" in upload(b"%PDF-" + b"0" * (1 << 20))
    assert Client().post(reverse("verify_report")).status_code == 422


def test_other_file_is_not_a_report():
    page = b"<!doctype html><script>alert(1)</script>"
    body = upload(page, "<b>report.pdf")
    assert "Do not rely on <b>report.pdf" in body  # as text
    assert "It is no PDF." in body
    sent = {"file": SimpleUploadedFile("letter.pdf", b"%PDF-1.7\n", content_type="text/html")}
    assert "Do not rely on letter.pdf" in words(Client().post(reverse("verify_report"), sent))
    two = [SimpleUploadedFile(name, page) for name in ("a.pdf", "b.pdf")]
    answer = Client().post(reverse("verify_report"), {"file": two})
    assert "Do not rely on b.pdf" in words(answer)


def test_the_verify_page_takes_no_forged_form():
    answer = Client(enforce_csrf_checks=True).post(reverse("verify_report"), {})
    assert answer.status_code == 403


def test_verified_upload_leaves_no_trace():
    content = file_of(approval_letter())
    before = Event.objects.count()
    upload(content)
    assert Event.objects.count() == before
