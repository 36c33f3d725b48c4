"""Every kind of response has the same headers, whatever produced it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from compliance.access.permissions import Role
from compliance.ui.middleware import DENIED, OWN, PERMISSIONS_POLICY
from tests.compliance.people import person_as, signed_in

if TYPE_CHECKING:
    from django.http import HttpResponse

pytestmark = pytest.mark.anywhere

STATIC = re.compile(r'href="(/static/site[^"]+\.css)"')


def unknown_host() -> HttpResponse:
    return Client(raise_request_exception=False).get("/", headers={"host": "elsewhere.example"})


def static_file() -> HttpResponse:
    [address, *_] = STATIC.findall(Client().get("/").text)
    answer = Client().get(address)
    answer.close()
    return answer


def clerk(address: str) -> HttpResponse:
    return signed_in(Client(), person_as(Role.OPERATOR_CLERK)).get(address)


KINDS = {
    "a page": lambda: (200, Client().get("/")),
    "a page for one signed in": lambda: (200, clerk("/rounds/")),
    "a page that is not there": lambda: (404, Client().get("/no/such/page")),
    "an unknown host": lambda: (400, unknown_host()),
    "a redirect": lambda: (302, Client().get("/work/")),
    "a forged form": lambda: (403, Client(enforce_csrf_checks=True).post("/account/sign-in/")),
    "a refusal of the API": lambda: (401, Client().get("/api/v1/round-logs")),
    "the API's description": lambda: (200, Client().get("/api/")),
    "the reading room": lambda: (200, Client().get("/reading-room/")),
    "a static file": lambda: (200, static_file()),
    "a download": lambda: (200, Client().get("/log/verifier.py")),
    "the machine's own": lambda: (200, Client().get("/healthz")),
    "too much": lambda: (
        413,
        Client().generic("POST", "/no/page", b"", "text/plain", CONTENT_LENGTH=str(64 << 20)),
    ),
}


@pytest.mark.django_db
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_answer_has_the_headers(kind):
    status, answer = KINDS[kind]()
    assert answer.status_code == status
    assert answer["Permissions-Policy"] == PERMISSIONS_POLICY
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "default-src 'none'" in answer["Content-Security-Policy"]
    # HSTS over plain HTTP means nothing (RFC 6797, 7.2), and would bind localhost.
    assert "Strict-Transport-Security" not in answer


def test_only_passkeys_are_permitted_to_pages():
    policy = dict(each.split("=") for each in PERMISSIONS_POLICY.split(", "))
    assert policy["camera"] == policy["geolocation"] == policy["microphone"] == "()"
    assert {name for name, allowed in policy.items() if allowed != "()"} == set(OWN)
    assert len(policy) == len(DENIED) + len(OWN)
