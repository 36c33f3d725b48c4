"""Forged requests: from another site, with a hostile file name, or with a hostile path."""

from __future__ import annotations

import io
import zipfile

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import get_resolver, reverse

from audits.review.issues import exports
from compliance.access.permissions import Role
from compliance.events.models import Event
from compliance.files.downloads import as_file
from tests.audits.submission.logs import evening, ingested, written
from tests.compliance.accounts.test_addresses import NOT_THERE
from tests.compliance.addresses import ROWS, addresses
from tests.compliance.api.programs import program_of
from tests.compliance.people import party_for, person_as, signed_in, with_second_factor

pytestmark = pytest.mark.anywhere

API = "/api/"
WITHOUT_SESSION = "log_cosignatures"
"""A witness's signature says whose it is."""


@pytest.mark.django_db
def test_cross_site_form_is_refused():
    person = person_as(Role.SUPERVISOR)
    with_second_factor(person)
    browser = signed_in(Client(enforce_csrf_checks=True), person)
    events = Event.objects.count()
    for name, row in ROWS.items():
        if row.method == "post" and name != WITHOUT_SESSION:
            answer = browser.post(reverse(name, args=[NOT_THERE[each] for each in row.of]))
            assert answer.status_code == 403, name
            assert "could not be accepted" in answer.text
    assert Event.objects.count() == events


def test_only_sessionless_addresses_skip_the_form_token():
    exempt = {
        f"/{get_resolver().reverse_dict.getlist(pattern.name)[0][0][0][0]}"
        for pattern in addresses()
        if getattr(pattern.callback, "csrf_exempt", False) and pattern.name
    }
    assert exempt
    exempt.remove(reverse(WITHOUT_SESSION))
    assert all(path.startswith(API) for path in exempt), exempt


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["/", "/account/sign-in/", "/no/such/page", "/verify/", "/api/v1/nothing"]
)
def test_no_answer_is_shown_inside_another_site(path):
    answer = Client().get(path)
    assert answer["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
    assert answer["X-Content-Type-Options"] == "nosniff"


class Unread:
    """A body that nothing may start to read."""

    def read(self, *_: int) -> bytes:
        raise AssertionError

    readline = read


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["/verify/", "/account/sign-in/", "/api/v1/submissions", "/no/page"]
)
def test_anonymous_large_body_is_not_read(path):
    announced = {"CONTENT_LENGTH": str(64 << 20), "wsgi.input": Unread()}
    answer = Client().generic("POST", path, b"", "multipart/form-data; boundary=b", **announced)
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "name",
    ["a\r\nSet-Cookie: x=1.pdf", 'a"; filename="b.html', "é\u202efdp.exe", "../../etc/passwd", ""],
)
def test_file_name_adds_no_header_and_forces_download(name):
    page = HttpResponse(b"<script>alert(1)</script>", content_type="text/html")
    answer = as_file(page, name, recorded=None)
    head = answer.serialize_headers()
    assert head.count(b"\r\n") == len(answer.headers) - 1
    assert b"Set-Cookie" not in head.replace(b"%0D%0ASet-Cookie", b"")
    assert answer["Content-Disposition"].startswith("attachment")
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer["X-Content-Type-Options"] == "nosniff"


@pytest.mark.django_db
def test_evidence_goes_out_as_it_came_and_never_as_a_page(settings, tmp_path):
    settings.ARCHIVE_URL = str(tmp_path)
    program = program_of(Role.OPERATOR_MANAGER, "cedar")
    content = written(evening(1)) + b"<html><script>alert(1)</script></html>\n"
    log = ingested(party_for(Role.OPERATOR_MANAGER, "cedar"), content, name="night.html")
    answer = program.get(f"/api/v1/round-logs/{log.uuid}/file")
    assert b"".join(answer.streaming_content) == content
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["Content-Disposition"].startswith("attachment")
    assert answer["X-Content-Type-Options"] == "nosniff"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        "/static/../compliance/project/settings.py",
        "/static/%2e%2e/%2e%2e/etc/passwd",
        "/static/..%2f..%2fetc%2fpasswd",
        "/rounds/of/..%2f..%2f/x/",
        "/%00",
    ],
)
def test_a_path_leads_nowhere_but_to_addresses(path):
    assert Client().get(path).status_code in {302, 400, 404}


CELLS = [
    "=1+1",
    "+1",
    "-1+cmd|' /C calc'!A0",
    "@SUM(A1)",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "\uff1d1+1",
]


@pytest.mark.parametrize("cell", CELLS)
def test_no_cell_of_an_export_is_computed(db, cell):
    row = [cell, "plain"]
    lines = b"".join(exports._lines(iter([row])).streaming_content).decode()
    assert lines.startswith(("'", "\"'")), lines
    answer = exports._sheet(iter([row]))
    sheet = b"".join(answer.streaming_content)
    answer.close()
    assert b"<f>" not in _unpacked(sheet)


def _unpacked(book: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(book)) as packed:
        return packed.read("xl/worksheets/sheet1.xml")
