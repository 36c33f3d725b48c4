"""Error responses: programs get the API's error format, people a page."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from django.views.debug import SafeExceptionReporterFilter

from compliance.api import problems
from compliance.jobs.failures import is_disk_full, is_transient
from compliance.ui import errors

if TYPE_CHECKING:
    from collections.abc import ItemsView

    from django.http import HttpRequest, HttpResponse

PROGRAMS = "/api/"


class NamesOnlyFilter(SafeExceptionReporterFilter):
    """Removes every value from Django's error reports: they show what failed, and where."""

    def get_safe_settings(self) -> dict[str, Any]:
        """Show no setting."""
        return {}

    def get_traceback_frame_variables(self, request: Any, tb_frame: Any) -> ItemsView[str, Any]:
        """Show no variable."""
        del request, tb_frame
        return {}.items()


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Respond with 400, or 413 if the request was only too large."""
    if request.path.startswith(PROGRAMS):
        return problems.bad_request(request, exception)
    return errors.bad_request(request, exception)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Respond with 403."""
    if request.path.startswith(PROGRAMS):
        return problems.forbidden(request)
    return errors.forbidden(request, exception)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Respond with 404."""
    if request.path.startswith(PROGRAMS):
        return problems.not_found(request)
    return errors.not_found(request, exception)


def broken(request: HttpRequest) -> HttpResponse:
    """Respond with 500, with 507 if the disk is full, or with 503 if the database may recover.

    Also 503 if the pages' assets were never built; programs never request them.

    Django calls this while it handles the exception.
    """
    failed = sys.exception()
    to_program = request.path.startswith(PROGRAMS)
    if errors.is_without_assets(failed):
        return errors.without_assets(request)
    if is_disk_full(failed):
        return problems.no_room(request) if to_program else errors.no_room(request)
    if is_transient(failed):
        return problems.busy(request) if to_program else errors.busy(request)
    return problems.broken(request) if to_program else errors.broken(request)
