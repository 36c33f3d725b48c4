"""Nobody who is not signed in fills the disk: what they send is small, or is not read at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import RequestDataTooBig

from compliance.web.who_asks import asked

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

LARGEST = 26 * 1024 * 1024
"""A report to be verified, a piece of a round log, and what stands around them."""


class SmallBodiesMiddleware:
    """Stands behind `WhoAsksMiddleware`, before any form is read; programs send no more either."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, unless more is announced than is taken; what is not announced is not read."""
        announced = request.META.get("CONTENT_LENGTH") or "0"
        if asked(request).person is None and announced.isdecimal() and int(announced) > LARGEST:
            msg = "More than anybody sends who is not signed in."
            raise RequestDataTooBig(msg)
        return self.get_response(request)
