"""A page made from a file that is damaged or gone says so, and what is to be done about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from compliance.archive import DamagedError, MissingError, RemovedError
from compliance.web.errors import damaged, removed

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

log = structlog.get_logger(__name__)


class DamagedFileMiddleware:
    """Answers with 503 where the archive does not have what a row names, or 410 with when it went.

    To make a file good may take minutes and is no request's business: `verify archive` does it, and
    what it made good is an event.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer as the page does."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer for a page that could not be made."""
        if not isinstance(exception, (DamagedError, MissingError)):
            return None
        if isinstance(exception, RemovedError):
            return removed(request, str(exception))
        log.error("a file of the archive is damaged or gone", says=str(exception))
        return damaged(request)
