"""Requests that cannot be answered: programs are told in their one shape, people by a page."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from compliance.api import problems
from compliance.no_room import is_for_want_of_room
from compliance.passing import will_pass
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
    """500, 507 where what failed found no room, 503 where the database will do it later.

    Django calls this while it handles what failed.
    """
    failed = sys.exception()
    to_program = request.path.startswith(PROGRAMS)
    if is_for_want_of_room(failed):
        return problems.no_room(request) if to_program else errors.no_room(request)
    if will_pass(failed):
        return problems.busy(request) if to_program else errors.busy(request)
    return problems.broken(request) if to_program else errors.broken(request)
