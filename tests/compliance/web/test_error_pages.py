from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation, TooManyFilesSent
from django.test import Client, RequestFactory
from django.test.utils import override_settings
from django.urls import path

from compliance.files.archive import MissingError
from compliance.project import urls as real
from compliance.ui import errors

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse


def fail(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("on purpose")


def too_much(request: HttpRequest) -> HttpResponse:
    raise RequestDataTooBig("on purpose")


def gone(request: HttpRequest) -> HttpResponse:
    raise MissingError("There is no file 0000 in the archive.")


handler400 = real.handler400
handler500 = real.handler500
urlpatterns = [
    *real.urlpatterns,
    path("fail", fail),
    path("too-much", too_much),
    path("gone", gone),
]
HERE = override_settings(ROOT_URLCONF=__name__)


@pytest.mark.parametrize(
    ("answer", "status", "says"),
    [
        (lambda request: errors.bad_request(request, SuspiciousOperation()), 400, "Go back"),
        (lambda request: errors.bad_request(request, RequestDataTooBig()), 413, "fewer or smaller"),
        (lambda request: errors.bad_request(request, TooManyFilesSent()), 413, "fewer or smaller"),
        (lambda request: errors.forbidden(request), 403, "give you the role"),
        (lambda request: errors.forged(request), 403, "Allow cookies"),
        (lambda request: errors.not_found(request), 404, "Check the address"),
        (lambda request: errors.damaged(request), 503, "manage.py verify archive"),
        (lambda request: errors.busy(request), 503, "Wait a few seconds"),
        (lambda request: errors.broken(request), 500, "Wait a minute"),
    ],
    ids=[
        "damaged",
        "too large",
        "too many files",
        "role",
        "token",
        "nothing there",
        "damaged file",
        "busy",
        "failed",
    ],
)
def test_error_page_says_what_happened_and_what_to_do(
    answer: Callable[[HttpRequest], HttpResponse], status: int, says: str
) -> None:
    response = answer(RequestFactory().get("/"))
    text = response.content.decode()
    assert response.status_code == status
    assert f"Error {status}" in text
    assert says in text
    assert text.count("<h1>") == 1


def test_missing_page_does_not_repeat_its_address(client: Client) -> None:
    response = client.get("/secret-name-of-another-person")
    assert response.status_code == 404
    assert b"secret-name" not in response.content


@HERE
def test_error_page_has_request_id_without_database() -> None:
    # No database is available to this test: any query would fail it.
    response = Client(raise_request_exception=False).get("/fail")
    text = response.content.decode()
    assert response.status_code == 500
    assert "Something failed on our side" in text
    assert re.search("<code>[0-9a-f]{8}-[0-9a-f-]{27}</code>", text)
    assert "on purpose" not in text
    assert "Traceback" not in text


@HERE
def test_page_of_a_missing_file_says_what_to_do(client: Client) -> None:
    response = client.get("/gone")
    assert response.status_code == 503
    assert "restores the file from the" in response.content.decode()


def test_unknown_host_says_where_to_allow_it(client: Client) -> None:
    response = client.get("/", headers={"host": "elsewhere.example"})
    assert response.status_code == 400
    assert "add the name to HOSTS" in response.content.decode()
    assert "elsewhere.example" not in response.content.decode()


@HERE
def test_oversized_form_gets_413() -> None:
    assert Client(raise_request_exception=False).get("/too-much").status_code == 413


def test_form_without_token_gets_a_helpful_page() -> None:
    response = Client(enforce_csrf_checks=True).post("/", {"what": "ever"})
    assert response.status_code == 403
    assert "This form could not be accepted" in response.content.decode()
