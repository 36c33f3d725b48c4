"""Nothing that somebody saw while signed in stays in a browser or a proxy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.cache import add_never_cache_headers

from compliance.web.who_asks import asked

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse


class NotKeptMiddleware:
    """Stands behind `WhoAsksMiddleware`: on a shared computer Back shows nothing after sign-out."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and forbid keeping the answer of somebody signed in."""
        response = self.get_response(request)
        if asked(request).person is not None:
            add_never_cache_headers(response)
        return response
