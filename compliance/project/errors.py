"""Requests that cannot be answered: programs are told in their one shape, people by a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compliance.api import problems
from compliance.web import errors

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

PROGRAMS = "/api/"


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """400, or 413 where the request was only too large."""
    if request.path.startswith(PROGRAMS):
        return problems.bad_request(request, exception)
    return errors.bad_request(request, exception)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """403."""
    if request.path.startswith(PROGRAMS):
        return problems.forbidden(request)
    return errors.forbidden(request, exception)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404."""
    if request.path.startswith(PROGRAMS):
        return problems.not_found(request)
    return errors.not_found(request, exception)


def broken(request: HttpRequest) -> HttpResponse:
    """500."""
    if request.path.startswith(PROGRAMS):
        return problems.broken(request)
    return errors.broken(request)
