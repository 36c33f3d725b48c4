"""The format of every error response: RFC 9457, with the location of each fault."""

from __future__ import annotations

import math
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import structlog
from django.core.exceptions import DisallowedHost, PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpResponse, JsonResponse
from rest_framework import exceptions

from compliance.errors import NotAllowedError, RefusedError
from compliance.files.archive import DamagedError, MissingError, RemovedError
from compliance.jobs.failures import RETRY_AFTER_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from django.http import HttpRequest


log = structlog.get_logger(__name__)

CONTENT_TYPE = "application/problem+json"
MOST_FAULTS = 100
"""Limits the size of a response, however many faults a request has."""
NOT_THERE = "Nothing is at this address, or it is not yours to see. Both look the same on purpose."
BROKEN = (
    "Something failed on our side, and the error is logged. Your request was completed fully or "
    "not at all. Send it again with the same idempotency key: it is done only once."
)
DAMAGED = (
    "A file that this answer needs is damaged or missing. "
    "An administrator can repair it with `manage.py verify archive`. Then try again."
)
NO_ROOM = (
    "The system's disk is full. Nothing of this request was saved. After an administrator has "
    "freed space, send it again with the same idempotency key."
)
BUSY = (
    "The database does not answer in time: it is unavailable or overloaded. "
    "Nothing of this request was saved. Send it again after a few seconds with the same "
    "idempotency key."
)
CODES = {
    400: "bad_request",
    401: "not_authenticated",
    403: "not_allowed",
    404: "not_found",
    405: "method_not_allowed",
    409: "refused",
    410: "removed",
    411: "length_required",
    413: "too_large",
    415: "unsupported_media_type",
    422: "invalid",
    429: "too_many_requests",
    500: "broken",
    503: "unavailable",
    507: "no_room",
}


class Problem(Exception):  # noqa: N818 - RFC 9457 calls it that
    """An error response; `more` contains extra members."""

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        code: str = "",
        errors: Sequence[Mapping[str, str]] = (),
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.code = code or CODES[status]
        self.errors = list(errors)[:MOST_FAULTS]
        self.headers = dict(headers or {})
        self.more = more


def fault(place: str, pointer: str, detail: str, code: str = "invalid") -> dict[str, str]:
    """Describe a fault: `place` is body, query, header or path; `pointer` a pointer or name."""
    return {"in": place, "pointer": pointer, "code": code, "detail": detail}


def invalid(faults: Sequence[Mapping[str, str]]) -> Problem:
    """Return the problem for a request that does not match the API description."""
    return Problem(422, "The request is not valid: see `errors`.", errors=faults)


def answer(problem: Problem, request: HttpRequest) -> HttpResponse:
    """Return a problem as a response."""
    body = {
        "type": "about:blank",
        "title": HTTPStatus(problem.status).phrase,
        "status": problem.status,
        "code": problem.code,
        "detail": problem.detail,
        "instance": request.path,
        "request_id": str(structlog.contextvars.get_contextvars().get("request_id", "")),
        "errors": problem.errors,
        **problem.more,
    }
    response = JsonResponse(body, status=problem.status, content_type=CONTENT_TYPE)
    for name, value in {"Cache-Control": "no-store", **problem.headers}.items():
        response[name] = value
    return response


def handle(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """Turn an exception in an operation into a response; None if it is unexpected."""
    problem = problem_of(error)
    return answer(problem, context["request"]) if problem else None


def problem_of(error: Exception) -> Problem | None:
    """Return the problem for an exception; None if it is unexpected."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, NotAllowedError | Http404):
        return Problem(404, NOT_THERE)
    if isinstance(error, RefusedError):
        return Problem(409, str(error))
    if isinstance(error, RequestDataTooBig):
        return Problem(413, "This is more than one request may send.")
    if isinstance(error, PermissionDenied):
        return Problem(403, "This is not open to this key.")
    if isinstance(error, exceptions.ValidationError):
        return invalid(list(faults_of(error.detail, "body")))
    if isinstance(error, exceptions.APIException):
        return _of_framework(error)
    if isinstance(error, RemovedError):
        return Problem(410, str(error))
    if isinstance(error, DamagedError | MissingError):
        log.error("a file of the archive is damaged or gone", says=str(error))
        return Problem(503, DAMAGED)
    return None


def _of_framework(error: exceptions.APIException) -> Problem:
    headers = {}
    if header := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = header
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(math.ceil(wait))
    return Problem(error.status_code, str(error.detail), headers=headers)


def faults_of(detail: Any, place: str, pointer: str = "") -> Iterator[dict[str, str]]:
    """Yield every fault that a serializer found, with its location."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            whole = name == "non_field_errors"
            step = name.replace("~", "~0").replace("/", "~1") if isinstance(name, str) else name
            below = f"{pointer}/{step}" if place == "body" else str(name)
            yield from faults_of(inner, place, pointer if whole else below)
    elif isinstance(detail, list):
        for number, inner in enumerate(detail):
            deeper = isinstance(inner, dict | list)
            yield from faults_of(inner, place, f"{pointer}/{number}" if deeper else pointer)
    else:
        yield fault(place, pointer, str(detail), getattr(detail, "code", "invalid"))


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Respond with 400 outside an operation, or 413."""
    if isinstance(exception, RequestDataTooBig):
        return answer(Problem(413, "This is more than one request may send."), request)
    name = isinstance(exception, DisallowedHost)
    says = "This site does not go by that name." if name else "The request could not be read."
    # Don't build a URI from a host that was already rejected: `path` doesn't need one.
    return answer(Problem(400, says), request)


def not_found(request: HttpRequest) -> HttpResponse:
    """Respond with 404 outside an operation."""
    return answer(Problem(404, NOT_THERE), request)


def forbidden(request: HttpRequest) -> HttpResponse:
    """Respond with 403 outside an operation."""
    return answer(Problem(403, "This is not open to this key."), request)


def no_room(request: HttpRequest) -> HttpResponse:
    """Respond with 507: the disk is full."""
    return answer(Problem(507, NO_ROOM), request)


def busy(request: HttpRequest) -> HttpResponse:
    """Respond with 503, without using the database, which is temporarily unavailable."""
    headers = {"Retry-After": str(RETRY_AFTER_SECONDS)}
    return answer(Problem(503, BUSY, code="busy", headers=headers), request)


def broken(request: HttpRequest) -> HttpResponse:
    """Respond with 500, without using the database, which may be the cause."""
    return answer(Problem(500, BROKEN), request)
